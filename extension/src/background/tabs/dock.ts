import { appFrame } from '#host-page/anchors.ts';
import { goneMark } from '#host-page/presence.ts';
import type { Scripting } from '#platform/scripting.ts';
import { dockLimits } from '#settings/dock-limits.ts';

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
