import type { CompactStatus } from './protocol.ts';

/**
 * How launcher and panel find each other: both scripts run in the extension's isolated world of the tab and share its
 * globals, which are invisible to the page. No event that the page could see is needed.
 */

/** The panel's interface for the launcher, available once the panel has been injected. */
export interface PanelHandle {
  /**
   * Shows the panel for a ticket and moves the focus to its heading. On close the focus returns to `returnFocusTo`.
   * `sync`: also shows the preview of Sync customer once the company is loaded.
   */
  open(options: { ticket: string; refresh: boolean; sync?: boolean; returnFocusTo: () => HTMLElement | null }): void;
  close(): void;
  readonly isOpen: boolean;
  /** Mounts the panel without showing it, so that opening is instant. */
  prepare(ticket: string): void;
  /** The tab now shows another ticket, none (null), or the ticket to somebody else: the panel must drop its data. */
  setTicket(ticket: string | null): void;
}

/** The launcher's interface for the panel. */
export interface LauncherHandle {
  /** Null while the status is unknown: still loading, or no ticket. */
  setStatus(status: CompactStatus | null): void;
  setExpanded(expanded: boolean): void;
}

interface Bridge {
  panel?: PanelHandle | undefined;
  launcher?: LauncherHandle | undefined;
}

const key = Symbol.for('deskside.bridge');

/** The bridge of this tab, created on first use. */
export function bridge(): Bridge {
  const world = globalThis as { [key]?: Bridge };
  world[key] ??= {};
  return world[key];
}
