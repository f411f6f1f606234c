import { ticketOf } from '#host-page/ticket-route.ts';
import { launcherFile } from './register-launcher.ts';

export type Tab = { id?: number | undefined; url?: string | undefined };

/** Whether a tab shows a ticket of this helpdesk (its origin; null if none is granted). */
function isTicketTab(tab: Tab | undefined, helpdesk: string | null): tab is { id: number; url: string } {
  if (!helpdesk || tab?.id === undefined || !tab.url || !ticketOf(tab.url)) return false;
  return new URL(tab.url).origin === helpdesk;
}

interface TogglePanelOptions {
  /** Origin of the helpdesk, if it is granted. */
  helpdesk(): Promise<string | null>;
  /** Tells the launcher in a tab. False if none is listening. */
  toggle(tabId: number): Promise<boolean>;
  inject(tabId: number, file: string): Promise<boolean>;
}

/**
 * Opens or closes the panel in a tab that shows a ticket, for the keyboard shortcut and the toolbar button.
 * @returns false if the tab shows no ticket
 */
export async function togglePanel(tab: Tab | undefined, options: TogglePanelOptions): Promise<boolean> {
  if (!isTicketTab(tab, await options.helpdesk())) return false;
  // The page may have been opened before the extension was installed, updated or granted access.
  if (!(await options.toggle(tab.id)) && (await options.inject(tab.id, launcherFile))) await options.toggle(tab.id);
  return true;
}
