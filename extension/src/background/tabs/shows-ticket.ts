import { browser } from 'wxt/browser';
import { ticketOf } from '#host-page/ticket-route.ts';

/** The browser may learn of a tab's new address slightly later than the page. Milliseconds. */
const retryDelaysMs = [0, 30, 80, 200];

/**
 * Whether a tab shows this ticket. `knownUrl` is the address that came with the message; if it is another one, the tab's
 * address is read again a few times.
 */
export async function tabShowsTicket(
  tabId: number,
  knownUrl: string | undefined,
  ticket: string,
  readUrl: (tabId: number) => Promise<string | undefined> = urlOf,
): Promise<boolean> {
  if (ticketOf(knownUrl) === ticket) return true;
  for (const delay of retryDelaysMs) {
    await new Promise((resolve) => setTimeout(resolve, delay));
    if (ticketOf(await readUrl(tabId)) === ticket) return true;
  }
  return false;
}

/** The address of a tab, undefined if it is closed or not accessible. */
async function urlOf(tabId: number): Promise<string | undefined> {
  const tab = await browser.tabs.get(tabId).catch(() => undefined);
  return tab?.url;
}
