/** The docked panel's least width, and what it always leaves to the helpdesk's page, in CSS pixels. */
export const dockLimits = { panel: 320, page: 980 };
