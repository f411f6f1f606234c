import { textsFor } from '@deskside/extension/texts';
import { contractRevision, revisionHeader } from '@deskside/shared/envelope';
import type { Page } from 'playwright';
import { answerDecisions, failDecisions, prepared } from './setup/decisions.ts';
import { expect, test } from './setup/fixtures.ts';
import { expectAccessible, looksOfPanel } from './setup/looks.ts';
import type { PanelPage } from './setup/panel-page.ts';

type Texts = ReturnType<typeof textsFor>;
const en = textsFor('en');
const { routing, routingReasons } = en;

/** One of each shape, and words that it must show. The others are said in panel/routing/decision.test.ts. */
const states: { name: keyof typeof prepared; says: (t: Texts) => string[] }[] = [
  { name: 'none', says: (t) => [t.routing.none.title] },
  { name: 'repaired', says: (t) => [t.routing.cause.repair, t.routing.earlier] },
  { name: 'claim', says: (t) => [t.trust.tag.claimed, t.routing.link.proposed, t.routingInputs.metaWhy.blocked] },
];

const disclosure = (panel: PanelPage, t: Texts = en) => panel.rail.locator('summary', { hasText: t.routing.title });
const isOpen = (panel: PanelPage, t: Texts = en) =>
  disclosure(panel, t).evaluate((summary) => (summary.parentElement as HTMLDetailsElement).open);
const reason = (panel: PanelPage) => panel.rail.locator('.reason').first();

/** Opens the panel on a ticket, and the section in it. */
async function explain(panel: PanelPage, ticket: string, t: Texts = en): Promise<void> {
  await panel.show(ticket);
  if (!(await isOpen(panel, t))) await disclosure(panel, t).click();
  await panel.settled();
}

/** What stands on the ticket, by which a decision is known. */
function reasonOf(name: keyof typeof prepared): string {
  return prepared[name].decisions[0]?.outcome.reason ?? '';
}

for (const look of looksOfPanel) {
  const { generation, language } = look;
  test.describe(`Helpdesk ${generation}, ${language}`, () => {
    test.use({ generation, language });

    test('every state says what is the case, failures and what a sender wrote too, and axe finds nothing', async ({
      gateway,
      page,
      panel,
    }) => {
      const t = textsFor(language);
      const { routed, hostile } = prepared;
      answerDecisions(gateway);
      for (const { name, says } of states) {
        await test.step(name, async () => {
          await explain(panel, prepared[name].ticket, t);
          await panel.switchTheme('light');
          for (const words of says(t)) await expect(panel.rail).toContainText(words);
          await disclosure(panel, t).evaluate((summary) => summary.scrollIntoView());
          await expectAccessible(panel, look, `why_${name}`);
        });
      }

      await test.step('a failure says so and can be tried again; signed out and offline end by themselves', async () => {
        failDecisions(gateway, 504, 'helpdesk_timeout');
        await explain(panel, routed.ticket, t);
        await expect(panel.rail).toContainText(t.failures.code.helpdesk_timeout.title);
        await expectAccessible(panel, look, 'why_error');
        failDecisions(gateway, 401, 'unauthenticated');
        await panel.button(t.shell.tryNow).click();
        await expect(panel.rail).toContainText(t.failures.code.unauthenticated.title);
        answerDecisions(gateway);
        await panel.button(t.shell.signIn).click();
        await expect(reason(panel)).toHaveText(reasonOf('routed'));
        await page.context().setOffline(true);
        await panel.refreshButton.click();
        await expect(panel.rail).toContainText(t.failures.code.offline.title);
        await expectAccessible(panel, look, 'why_offline');
        await page.context().setOffline(false);
        await expect(reason(panel)).toHaveText(reasonOf('routed'));
      });

      await test.step('what the sender wrote stays text, also on a narrow screen', async () => {
        await page.setViewportSize({ width: 420, height: 860 });
        // What floats is opened anew.
        await panel.rail.waitFor({ state: 'hidden' });
        await explain(panel, hostile.ticket, t);
        await expect(reason(panel)).toHaveText(reasonOf('hostile'));
        await expect(panel.rail.locator('details').last().locator('a')).toHaveCount(0);
        await expect(panel.rail.locator('img, script, iframe')).toHaveCount(0);
        expect(await page.evaluate(() => (window as unknown as { __hacked?: number }).__hacked)).toBeUndefined();
        await expect.poll(() => panel.rail.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0);
        await expectAccessible(panel, look, 'why_hostile_narrow');
      });
    });
  });
}

test('it is asked for once it is opened, worked by keyboard alone, and never shown on another ticket; a proxy of another revision is told of', async ({
  gateway,
  page,
  panel,
}) => {
  const { routed, repaired } = prepared;
  const asked = answerDecisions(gateway);

  await test.step('nothing is asked before it is opened; then once, and again with every refresh', async () => {
    await panel.open(routed.ticket);
    expect(await isOpen(panel)).toBe(false);
    await panel.refreshButton.click();
    await expect(panel.said).toHaveText(en.shell.refreshed);
    expect(asked).toEqual([]);
    await disclosure(panel).click();
    await expect(reason(panel)).toHaveText(reasonOf('routed'));
    await disclosure(panel).click();
    await disclosure(panel).click();
    await expect(reason(panel)).toBeVisible();
    expect(asked).toEqual([routed.ticket]);
    await panel.refreshButton.click();
    await expect.poll(() => asked).toEqual([routed.ticket, routed.ticket]);
    await disclosure(panel).click();
  });

  await test.step('by keyboard alone: open, copy the reason, look at the earlier decision, close', async () => {
    await panel.show(repaired.ticket);
    await disclosure(panel).focus();
    await page.keyboard.press('Enter');
    await expect(reason(panel)).toHaveText(reasonOf('repaired'));
    await expect(panel.said).toHaveText(routing.loaded('Medium - Scale'));
    await expect(disclosure(panel)).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(panel.button(en.shell.copy(reasonOf('repaired')))).toBeFocused();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.keyboard.press('Enter');
    await expect(panel.said).toHaveText(en.shell.copied(reasonOf('repaired')));
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(reasonOf('repaired'));
    await page.keyboard.press('Tab');
    await expect(panel.rail.locator('summary', { hasText: routing.earlier })).toBeFocused();
    await page.keyboard.press('Space');
    await expect(panel.rail.getByText(routingReasons.fallbackSince)).toBeVisible();
    await disclosure(panel).focus();
    await page.keyboard.press('Space');
    await expect(reason(panel)).toHaveCount(0);
  });

  await test.step('another ticket never shows the decision of the one that was left, and its request is given up', async () => {
    const names = ['routed', 'repaired', 'claim'] as const;
    const asking = () => [...gateway.open].filter((request) => request.includes('/api/routing'));
    // Every other ticket is left while its answer is on its way.
    let answers = false;
    const never = new Promise<void>(() => {});
    gateway.delay = (path) => (path.startsWith('/api/routing') && !answers ? never : 0);
    await panel.show(routed.ticket);
    await watchReasons(page, Object.fromEntries(names.map((name) => [prepared[name].ticket, reasonOf(name)])));
    const before = gateway.abandoned;
    // It stays open from ticket to ticket.
    await disclosure(panel).click();
    // Each ticket is come to from one that answers and from one that does not.
    for (let i = 1; i <= 6; i += 1) {
      if (answers) await expect(reason(panel)).toBeVisible();
      else await expect.poll(asking).toHaveLength(1);
      answers = i % 2 === 0;
      const { ticket } = prepared[names[i % 3] ?? 'routed'];
      await panel.moveTo(ticket);
      await expect(panel.rail).toContainText(`#${ticket}`);
    }
    await expect(reason(panel)).toHaveText(reasonOf('routed'));
    await expect.poll(asking).toEqual([]);
    const seen = await page.evaluate(() => (window as unknown as { seen: { wrong: string[]; shown: number } }).seen);
    expect(seen.wrong).toEqual([]);
    expect(seen.shown).toBeGreaterThan(0);
    expect(gateway.abandoned - before).toBeGreaterThanOrEqual(3);
  });

  await test.step('a proxy is told the contract’s revision; of one that speaks another the panel says what to do', async () => {
    const revisions: unknown[] = [];
    gateway.answer = (_path, headers) => {
      revisions.push(headers[revisionHeader]);
      const data = { code: 'other_revision', request_id: 'r' };
      return { status: 409, body: { success: false, data, message: '' } };
    };
    await panel.show(prepared.none.ticket);
    await expect(panel.rail.getByText(en.failures.code.other_revision.body).first()).toBeVisible();
    expect(new Set(revisions)).toEqual(new Set([String(contractRevision)]));
  });
});

/** Looks at the panel in every frame: a reason under another ticket's number is wrong. */
async function watchReasons(page: Page, reasons: Record<string, string>): Promise<void> {
  await page.evaluate((expected) => {
    const seen = { wrong: [] as string[], shown: 0 };
    (window as unknown as { seen: typeof seen }).seen = seen;
    const look = () => {
      const root = document.querySelector('deskside-panel')?.shadowRoot;
      const label = /#(\S+)/.exec(root?.querySelector('h2')?.textContent ?? '')?.[1] ?? '';
      const shown = root?.querySelector('.reason')?.textContent ?? null;
      if (shown !== null) seen.shown += 1;
      if (shown !== null && shown !== expected[label]) seen.wrong.push(`#${label}: ${shown}`);
      requestAnimationFrame(look);
    };
    look();
  }, reasons);
}
