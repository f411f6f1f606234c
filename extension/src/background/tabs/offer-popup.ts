import { isTicketTab, type Tab } from './is-ticket-tab.ts';

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
