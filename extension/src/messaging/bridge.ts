import type { PageAnchors } from '@deskside/shared/contract';
import type { CompactStatus } from './protocol.ts';

/**
 * How launcher and panel find each other: both scripts run in the extension's isolated world of the tab and share its
 * globals, which are invisible to the page. No event that the page could see is needed.
 */

export interface PanelHandle {
  /**
   * Shows the panel for a ticket and moves the focus to its heading. On close the focus returns to `returnFocusTo`.
   * `sync`: also shows the preview of Sync customer once the company is loaded.
   */
  open(options: { ticket: string; refresh: boolean; sync?: boolean; returnFocusTo: () => HTMLElement | null }): void;
  close(): void;
  /** The customer is on screen. */
  readonly isOpen: boolean;
  /** Turns to the other face of the column, or closes what is no column. */
  flip(): void;
  /** Mounts the panel without showing it, so that opening is instant. */
  prepare(ticket: string): void;
  /**
   * The tab now shows another ticket, none (null), or the same to somebody else: the panel drops its data, and is there
   * for the ticket if the agent has left it open.
   */
  setTicket(ticket: string | null): void;
}

export interface LauncherHandle {
  /** Null while the status is unknown: still loading, or no ticket. */
  setStatus(status: CompactStatus | null): void;
  setExpanded(expanded: boolean): void;
  /** The button that opens the panel, and gets the focus back from it. */
  readonly button: HTMLElement;
}

interface Bridge {
  /** The panel is being mounted, or is. */
  mounting?: Promise<void>;
  /** The operator's selectors for what the helpdesk's page has elsewhere now. */
  anchors?: PageAnchors;
  panel?: PanelHandle | undefined;
  launcher?: LauncherHandle | undefined;
}

const key = Symbol.for('deskside.bridge');

export function bridge(): Bridge {
  const world = globalThis as { [key]?: Bridge };
  world[key] ??= {};
  return world[key];
}
