import { callProxy } from '@deskside/shared/client';
import { demo } from '@deskside/simulators/seed/index';
import { sized } from '@deskside/testing/size';
import type { Page } from 'playwright';
import { keyOf } from '../integration/key-of.ts';
import { expect, test } from './setup/fixtures.ts';

const switches = sized({ small: 60, full: 200 });
/** Numbers for the random pauses; a failing run can be repeated with its seed. */
const seed = Number(process.env.SEED ?? Date.now() % 100_000);

for (const generation of ['1.28', '1.24'] as const) {
  test.describe(`Helpdesk ${generation}`, () => {
    test.use({ generation });

    test(`${switches} fast switches with random delays never show another ticket's customer`, async ({
      world,
      gateway,
      page,
      panel,
    }) => {
      test.setTimeout(180_000);
      const random = randomFrom(seed);
      const names = Object.values(demo.tickets).slice(0, 24);
      const companies = new Map<string, string | null>();
      for (const name of names) {
        const result = await callProxy(
          'customerProfile',
          { ticket: name },
          { baseUrl: world.proxyUrl, authorization: keyOf(demo.agent) },
        );
        companies.set(name, result.ok ? (result.data.bitrix.company?.company_name ?? null) : null);
      }
      gateway.delay = () => random() * random() * 1_500;
      world.helpdesk.latency = () => random() * 60;

      await panel.open(names[0] ?? '');
      await watchForWrongCustomer(page, Object.fromEntries(companies));
      for (let i = 0; i < switches; i += 1) {
        const next = names[Math.floor(random() * names.length)] ?? '';
        await goInPage(page, next);
        await page.waitForTimeout(random() * 120);
      }
      const last = names[5] ?? '';
      await goInPage(page, last);
      const alive = () =>
        [...gateway.open].filter(
          (request) => request.includes('customer_profile') && !request.includes(`ticket=${last}`),
        );
      await expect.poll(alive, 'requests of left tickets are given up').toEqual([]);
      await expect(panel.dialog).toContainText(`#${last}`);
      await expect(panel.dialog).toContainText(companies.get(last) ?? '', { timeout: 15_000 });
      const seen = await page.evaluate(
        () => (window as unknown as { seen: { wrong: string[]; looks: number; matched: number } }).seen,
      );
      expect(seen.wrong).toEqual([]);
      expect(seen.looks).toBeGreaterThan(switches);
      console.log(
        `${generation}, seed ${seed}: ${switches} switches, ${seen.looks} looks at the panel, ${seen.matched} with a company, ${gateway.abandoned} of ${gateway.total} requests abandoned, 0 wrong`,
      );
    });

    test('back and forward follow the ticket; leaving for the list closes the panel', async ({ page, panel }) => {
      await panel.open(demo.tickets.matched);
      await goInPage(page, demo.tickets.planExpired);
      await expect(panel.dialog).toContainText('Tiệm Hoa Mẫu');
      await page.goBack();
      await expect(panel.dialog).toContainText('Gốm Sứ Làng Mơ');
      await expect(panel.dialog).not.toContainText('Tiệm Hoa Mẫu');
      await page.goForward();
      await expect(panel.dialog).toContainText('Tiệm Hoa Mẫu');
      await page.evaluate(() => history.pushState({}, '', '/helpdesk/tickets'));
      await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
      await expect(panel.dialog).toBeHidden();
      await expect(panel.launcher).toBeHidden();
    });
  });
}

/** Goes to a ticket as the helpdesk's own router does: without a page load. */
async function goInPage(page: Page, ticket: string): Promise<void> {
  await page.evaluate((name) => {
    history.pushState({}, '', `/helpdesk/tickets/${name}`);
    dispatchEvent(new PopStateEvent('popstate'));
  }, ticket);
}

/** Looks at the panel in every frame: a company under another ticket's number, or under an address that has moved on, is wrong. */
async function watchForWrongCustomer(page: Page, companies: Record<string, string | null>): Promise<void> {
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
      if (company !== null && label && company !== expected[label]) seen.wrong.push(`#${label} showed ${company}`);
      // A tenth of a second for the panel to hear of the new address; six frames, where a busy machine draws fewer.
      if (company !== null && label !== ticket && performance.now() - since > 100 && frames > 6)
        seen.wrong.push(`${ticket} showed #${label}`);
      requestAnimationFrame(look);
    };
    look();
  }, companies);
}

/** A small deterministic generator of numbers from 0 to 1 (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
