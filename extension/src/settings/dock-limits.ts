/**
 * A panel beside the whole page: its least width, and what it always leaves to the page, in CSS pixels. So it is offered from
 * 1,680 pixels on; anything less would narrow the reply.
 */
export const dockLimits = { panel: 320, page: 1360 };
