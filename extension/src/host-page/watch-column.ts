import type { PageAnchor } from '@deskside/shared/contract';
import { findApp, findColumn, readCustomer } from './anchors.ts';
import { lasting, missingAfterMs, watchPage } from './watch-page.ts';
import { ticketOf } from './watch-route.ts';

/** A place in the window, in CSS pixels. */
interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * The attribute on the helpdesk's column by which the background's rule goes (`facesRule`). It stays when the
 * watching ends: without a panel the rule does nothing, and the next version's panel may be there already.
 */
export const columnMark = 'deskside-column';

/** The narrowest window in which the conversation keeps room beside a column that stays open, in CSS pixels. */
const roomyWindow = 1024;
/** The column is gone for a moment whenever the helpdesk goes from one ticket to another. Milliseconds. */
const graceMs = 2_000;
/** How often labels are looked for while there is no column. Milliseconds. */
const thoroughMs = 1_000;

interface ColumnListener {
  /**
   * Told of the column's place and of each change before that is drawn; null: there is none. `isRoomy`: the window has room
   * for it beside the conversation.
   */
  onBox(box: Box | null, isRoomy: boolean): void;
  /** The page wants to show one of the column's fields: a shortcut of the helpdesk presses it, or it is not valid. */
  onNeeded(): void;
  /** A ticket's page has had no column, or no customer to read in it, for so long that it is another page. */
  onMissing(anchor: PageAnchor): void;
}

/** Follows the helpdesk's own column, which it makes anew for each ticket; what it returns ends that. */
export function watchColumn({ onBox, onNeeded, onMissing }: ColumnListener): () => void {
  let column: Element | null = null;
  let told = '';
  let lookedAt = Number.NEGATIVE_INFINITY;
  const tell = (box: Box | null) => {
    const isRoomy = innerWidth >= roomyWindow;
    const next = JSON.stringify([box, isRoomy]);
    if (next !== told) onBox(box, isRoomy);
    told = next;
  };
  const find = () => {
    if (column?.isConnected) return column;
    const byIds = findColumn(false);
    if (byIds || performance.now() - lookedAt < thoroughMs) return byIds;
    lookedAt = performance.now();
    return findColumn(true);
  };
  const isGone = lasting(graceMs, () => tell(null));
  const isColumnMissing = lasting(missingAfterMs, () => onMissing(findApp() ? 'ticket_column' : 'app_frame'));
  const areFieldsMissing = lasting(missingAfterMs, () => onMissing('ticket_fields'));
  const look = (isResized = false) => {
    const found = ticketOf(location.href) === null ? null : find();
    if (found !== column) {
      sizes.disconnect();
      column?.removeAttribute(columnMark);
      if (found) sizes.observe(found);
      column = found;
    }
    // The helpdesk's own rendering may have taken it away.
    found?.toggleAttribute(columnMark, true);
    const { left, top, width, height } = found?.getBoundingClientRect() ?? new DOMRect();
    const isThere = width > 0 && height > 0;
    // In a window of another size, its former place says nothing any more.
    isGone(!isThere && !isResized);
    if (isThere) tell({ left, top, width, height });
    else if (isResized) tell(null);
    isColumnMissing(!isThere && ticketOf(location.href) !== null && innerWidth >= 640 && !document.hidden);
    areFieldsMissing(isThere && readCustomer(found) === undefined);
  };
  const sizes = new ResizeObserver(() => look());
  const needed = ({ isTrusted, target, type }: Event) => {
    // A person cannot click what is hidden.
    if ((type === 'invalid' || !isTrusted) && column?.contains(target as Node)) onNeeded();
  };
  const unwatch = watchPage(look);
  const again = setInterval(() => {
    if (!column) look();
  }, thoroughMs);
  const ending = new AbortController();
  addEventListener('resize', () => look(true), { signal: ending.signal });
  for (const type of ['click', 'invalid'])
    document.addEventListener(type, needed, { capture: true, signal: ending.signal });
  look();
  return () => {
    ending.abort();
    unwatch();
    clearInterval(again);
    sizes.disconnect();
    for (const stop of [isGone, isColumnMissing, areFieldsMissing]) stop(false);
  };
}
