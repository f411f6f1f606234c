import { sidebarSelector } from './anchors.ts';
import { watchPage } from './watch-page.ts';

/** A place in the window, in CSS pixels. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The narrowest window in which the helpdesk has its sidebar beside the ticket, in CSS pixels. */
const leastWindow = 1024;
/** The sidebar is gone for a moment whenever the helpdesk goes from one ticket to another. Milliseconds. */
const graceMs = 2_000;

/**
 * Follows the helpdesk's own sidebar, which an agent can make wider and the helpdesk makes anew for each ticket.
 * @param onBox told of its place and of each change before that is drawn; null: there is none, or no room for one
 * @param onNeeded the page wants to show one of its fields: a shortcut of the helpdesk presses it, or it is not valid
 * @returns ends the watching
 */
export function watchSidebar(onBox: (box: Box | null) => void, onNeeded: () => void): () => void {
  let sidebar: Element | null = null;
  let told = '';
  let missing: ReturnType<typeof setTimeout> | undefined;
  const tell = (box: Box | null) => {
    const next = JSON.stringify(box);
    if (next !== told) onBox(box);
    told = next;
  };
  const look = (isResized = false) => {
    const found = document.querySelector(sidebarSelector);
    if (found !== sidebar) {
      sizes.disconnect();
      if (found) sizes.observe(found);
      sidebar = found;
    }
    const { left, top, width, height } = found?.getBoundingClientRect() ?? new DOMRect();
    const isThere = width > 0 && height > 0;
    // In a window of another size, its former place says nothing any more.
    if (isThere || isResized) {
      clearTimeout(missing);
      missing = undefined;
      tell(isThere && innerWidth >= leastWindow ? { left, top, width, height } : null);
    } else missing ??= setTimeout(() => tell(null), graceMs);
  };
  const sizes = new ResizeObserver(() => look());
  const needed = ({ isTrusted, target, type }: Event) => {
    // A person cannot click what is hidden.
    if ((type === 'invalid' || !isTrusted) && sidebar?.contains(target as Node)) onNeeded();
  };
  const unwatch = watchPage(look);
  const ending = new AbortController();
  addEventListener('resize', () => look(true), { signal: ending.signal });
  for (const type of ['click', 'invalid'])
    document.addEventListener(type, needed, { capture: true, signal: ending.signal });
  look();
  return () => {
    ending.abort();
    unwatch();
    sizes.disconnect();
    clearTimeout(missing);
  };
}
