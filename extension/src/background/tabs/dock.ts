import { appFrame, sidebarSelector } from '#host-page/anchors.ts';
import { goneMark } from '#host-page/presence.ts';
import type { Scripting } from '#platform/scripting.ts';
import { dockLimits } from '#settings/dock-limits.ts';

/** Height of the switch at the head of the column, in CSS pixels: as high as the helpdesk's own tabs beside it. */
const facesHeight = 45;

const column = (face: string) =>
  `:root:not([${goneMark}]) > body:has(> deskside-panel[face=${face}]) ${sidebarSelector.replace('body', '')}`;

/**
 * The rule that gives the helpdesk's own sidebar two faces, as the panel says on its element: below the switch its content,
 * or the panel in its place, and the content out of sight and of the tab order. Without the panel it does nothing.
 */
export const facesRule = `@media screen { ${column('ticket')} { padding-top: ${facesHeight}px !important } ${column('customer')} > :first-child { visibility: hidden !important } }`;

/**
 * The rule that makes the helpdesk's page as wide as a docked panel leaves it. In a window without room for both, and on
 * paper, it does nothing, nor after the extension is gone, which no longer can take it back.
 */
export function dockRule(width: number): string {
  const { panel, page } = dockLimits;
  return `@media screen and (width >= ${panel + page}px) { :root:not([${goneMark}]) > ${appFrame} { width: max(${page}px, 100vw - ${width}px) } }`;
}

/**
 * Makes room in a tab's page for a panel of this width (null: none), and takes back the room that was made before. In this
 * order, so that the page never has its full width in between.
 */
export async function setDock(
  scripting: Pick<Scripting, 'addCss' | 'removeCss'>,
  tabId: number,
  { width, was }: { width: number | null; was: number | null },
): Promise<void> {
  if (width === was) return;
  if (width !== null) await scripting.addCss(tabId, dockRule(width));
  if (was !== null) await scripting.removeCss(tabId, dockRule(was));
}
