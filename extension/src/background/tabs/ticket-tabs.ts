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

interface OfferPopupOptions {
  /** Origin of the helpdesk, if it is granted. */
  helpdesk(): Promise<string | null>;
  setPopup(tabId: number, isShown: boolean): Promise<void>;
  openTabs(): Promise<Tab[]>;
}

/**
 * Keeps what a click on the toolbar button does: in a tab that shows a ticket it opens the panel, elsewhere the popup.
 * The browser forgets what was set for a tab when it goes to another document.
 */
export function createPopupOffer({ helpdesk, setPopup, openTabs }: OfferPopupOptions) {
  return {
    /** A tab was updated. One whose address the extension may not know keeps the popup that every tab begins with. */
    async inTab(tab: Tab): Promise<void> {
      if (tab.id !== undefined && tab.url) await setPopup(tab.id, !isTicketTab(tab, await helpdesk()));
    },
    /** After a start, and after changes of settings or permissions. */
    async inOpenTabs(): Promise<void> {
      const [origin, tabs] = await Promise.all([helpdesk(), openTabs()]);
      await Promise.all(tabs.map(async (tab) => tab.id !== undefined && setPopup(tab.id, !isTicketTab(tab, origin))));
    },
  };
}
