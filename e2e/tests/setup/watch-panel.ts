import type { Page } from 'playwright';

/** Looks at the panel in every frame: a company under another ticket's number, or under an address that has moved on, is wrong. */
export async function watchForWrongCustomer(page: Page, companies: Record<string, string | null>): Promise<void> {
  await page.evaluate((expected) => {
    const seen = { wrong: [] as string[], looks: 0, matched: 0 };
    (window as unknown as { seen: typeof seen }).seen = seen;
    let address = location.pathname;
    let since = performance.now();
    let frames = 0;
    const look = () => {
      const root = document.querySelector('deskside-panel')?.shadowRoot;
      const label = /#(\S+)/.exec(root?.querySelector('h2')?.textContent ?? '')?.[1];
      const company = root?.querySelector('h3[title]')?.textContent ?? null;
      if (location.pathname !== address) {
        address = location.pathname;
        since = performance.now();
        frames = 0;
      }
      frames += 1;
      seen.looks += 1;
      if (company !== null) seen.matched += 1;
      const ticket = address.split('/').pop() ?? '';
      // Until the CRM answers, the helpdesk's own name of the customer stands there, which may have the org id in it.
      const own = expected[label ?? ''];
      // Without a company the sender stands there, and never the company of another ticket.
      const isOthers = Object.values(expected).some((other) => other !== null && company?.includes(other));
      const isExpected = label === undefined || (own ? company?.includes(own) : !isOthers);
      if (company !== null && !isExpected) seen.wrong.push(`#${label} showed ${company}`);
      // A tenth of a second for the panel to hear of the new address; six frames, where a busy machine draws fewer.
      if (company !== null && label !== ticket && performance.now() - since > 100 && frames > 6)
        seen.wrong.push(`${ticket} showed #${label}`);
      requestAnimationFrame(look);
    };
    look();
  }, companies);
}

interface Seen {
  wrong: string[];
  /** How often the panel was looked at, and with a company in it. */
  looks: number;
  matched: number;
}

/** What was seen since `watchForWrongCustomer`. */
export function seenBy(page: Page): Promise<Seen> {
  return page.evaluate(() => (window as unknown as { seen: Seen }).seen);
}
