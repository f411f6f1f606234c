import { callProxy } from '@deskside/shared/client';
import { demo } from '@deskside/simulators/seed/index';
import { createRandom } from '@deskside/simulators/seed/random';
import { sized } from '@deskside/testing/size';
import { keyOf } from '../integration/key-of.ts';
import { expect, test } from './setup/fixtures.ts';
import { signOut } from './setup/sign-out.ts';
import { seenBy, watchForWrongCustomer } from './setup/watch-panel.ts';

const switches = sized({ small: 12, full: 200 });
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
      const random = createRandom(seed);
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
      gateway.delay = () => random.next() * random.next() * 1_500;
      world.helpdesk.latency = () => random.int(60);

      await panel.open(names[0] ?? '');
      await watchForWrongCustomer(page, Object.fromEntries(companies));
      for (let i = 0; i < switches; i += 1) {
        await panel.moveTo(random.pick(names));
        await page.waitForTimeout(random.int(120));
      }
      const last = names[5] ?? '';
      await panel.moveTo(last);
      const alive = () =>
        [...gateway.open].filter(
          (request) => request.includes('customer_profile') && !request.includes(`ticket=${last}`),
        );
      await expect.poll(alive, 'requests of left tickets are given up').toEqual([]);
      await expect(panel.rail).toContainText(`#${last}`);
      await expect(panel.rail).toContainText(companies.get(last) ?? '');
      await expect.poll(async () => (await seenBy(page)).looks).toBeGreaterThan(switches);
      const seen = await seenBy(page);
      expect(seen.wrong).toEqual([]);
      console.log(
        `${generation}, seed ${seed}: ${switches} switches, ${seen.looks} looks at the panel, ${seen.matched} with a company, ${gateway.abandoned} of ${gateway.total} requests abandoned, 0 wrong`,
      );
    });
  });
}

test.describe('Helpdesk 1.24', () => {
  test.use({ generation: '1.24' });

  test('back and forward follow the ticket; the list has no panel, the next ticket has', async ({ page, panel }) => {
    await panel.open(demo.tickets.matched);
    await panel.moveTo(demo.tickets.planExpired);
    await expect(panel.rail).toContainText('Tiệm Hoa Mẫu');
    await page.goBack();
    await expect(panel.rail).toContainText('Gốm Sứ Làng Mơ');
    await expect(panel.rail).not.toContainText('Tiệm Hoa Mẫu');
    await page.goForward();
    await expect(panel.rail).toContainText('Tiệm Hoa Mẫu');
    await page.evaluate(() => history.pushState({}, '', '/helpdesk/tickets'));
    await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
    await expect(panel.rail).toBeHidden();
    await expect(panel.launcher).toBeHidden();
    await panel.moveTo(demo.tickets.planExpired);
    await expect(panel.rail).toContainText('Tiệm Hoa Mẫu');
  });
});

test('a ticket seen before is there at once, also after a reload, while its answer is still on its way', async ({
  context,
  page,
  panel,
  gateway,
  world,
}) => {
  const { matched, planExpired } = demo.tickets;
  const kept = () =>
    context.serviceWorkers()[0]?.evaluate(async () => {
      const { storage } = (globalThis as unknown as { chrome: { storage: { session: { get(): Promise<object> } } } })
        .chrome;
      return JSON.stringify(await storage.session.get());
    });
  await panel.open(matched);
  await panel.moveTo(planExpired);
  await panel.settled();
  await expect(panel.rail).toContainText('Tiệm Hoa Mẫu');
  await expect.poll(kept).toContain('Tiệm Hoa Mẫu');
  gateway.delay = () => 600_000;
  await panel.moveTo(matched);
  await expect(panel.rail).toContainText('Gốm Sứ Làng Mơ');
  await expect(panel.rail).not.toContainText('Tiệm Hoa Mẫu');
  await page.goto(panel.url(planExpired));
  await expect(panel.rail).toContainText('Tiệm Hoa Mẫu');
  await expect(panel.rail).not.toContainText('Gốm Sứ Làng Mơ');
  // Whoever signs out takes it with them.
  await signOut(context, world);
  await expect(panel.rail).not.toContainText('Tiệm Hoa Mẫu');
  for (const company of ['Tiệm Hoa Mẫu', 'Gốm Sứ Làng Mơ']) await expect.poll(kept).not.toContain(company);
});
