import { goneMark } from '#host-page/presence.ts';
import { columnMark } from '#host-page/watch-column.ts';

/** Height of the switch at the head of the column, in CSS pixels: as high as the helpdesk's own tabs beside it. */
const facesHeight = 45;

const column = (face: string) => `:root:not([${goneMark}]) > body:has(> deskside-panel[face=${face}]) [${columnMark}]`;

/**
 * The rule that gives the helpdesk's own column two faces, as the panel says on its element: below the switch its content,
 * or the panel in its place, and the content out of sight and of the tab order. What is empty is the handle that makes the
 * column wider, and stays. Without the panel it does nothing.
 */
export const facesRule = `@media screen { ${column('ticket')} { padding-top: ${facesHeight}px !important } ${column('customer')} > :not(:empty) { visibility: hidden !important } }`;
