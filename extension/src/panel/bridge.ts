import type { CompactStatus } from '../messaging/protocol.ts';

/**
 * How launcher and panel find each other: both scripts run in the extension's isolated world of the tab and share its
 * globals, which the page cannot see. No page-visible event is needed.
 */

/** What the panel's script offers to the launcher, once it has been injected. */
export interface PanelHandle {
  /**
   * Shows the panel for a ticket and moves the focus to its heading. `returnFocusTo` gets it back on close. `sync`: as
   * soon as the company is there, what Sync customer would change is shown too.
   */
  open(options: { ticket: string; refresh: boolean; sync?: boolean; returnFocusTo: () => HTMLElement | null }): void;
  close(): void;
  readonly isOpen: boolean;
  /** Mounts everything without showing it, so that opening is instant. */
  prepare(ticket: string): void;
  /** The tab went to another ticket, or to none (null): the panel must drop what it has. */
  setTicket(ticket: string | null): void;
}

/** What the launcher offers to the panel. */
export interface LauncherHandle {
  /** Null while it is not known: loading, or no ticket. */
  setStatus(status: CompactStatus | null): void;
  setExpanded(expanded: boolean): void;
}

interface Bridge {
  panel?: PanelHandle | undefined;
  launcher?: LauncherHandle | undefined;
}

const key = Symbol.for('deskside.bridge');

/** The bridge of this tab, made on first use. */
export function bridge(): Bridge {
  const world = globalThis as { [key]?: Bridge };
  world[key] ??= {};
  return world[key];
}
