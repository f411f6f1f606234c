import { browser } from 'wxt/browser';
import { ticketOf } from '../host-page/ticket-route.ts';

/** The tab's and the page's process tell of a new address separately; the page may be a little ahead. Milliseconds. */
const waits = [0, 30, 80, 200];

/**
 * Does a tab show this ticket? `knownUrl` is the address that came with the message; where that is not it yet, the tab
 * is asked again for a moment.
 */
export async function tabShowsTicket(
  tabId: number,
  knownUrl: string | undefined,
  ticket: string,
  readUrl: (tabId: number) => Promise<string | undefined> = urlOf,
): Promise<boolean> {
  if (ticketOf(knownUrl) === ticket) return true;
  for (const wait of waits) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    if (ticketOf(await readUrl(tabId)) === ticket) return true;
  }
  return false;
}

/** The address of a tab, undefined where it is gone or not ours to see. */
async function urlOf(tabId: number): Promise<string | undefined> {
  const tab = await browser.tabs.get(tabId).catch(() => undefined);
  return tab?.url;
}
