import { textsFor } from '@deskside/extension/texts';
import { contractRevision, revisionHeader } from '@deskside/shared/envelope';
import type { Page } from 'playwright';
import { answerDecisions, failDecisions, prepared } from './setup/decisions.ts';
import { expect, test } from './setup/fixtures.ts';
import { expectAccessible, looks, looksOfPanel } from './setup/looks.ts';
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

const button = (panel: PanelPage, name: string) => panel.rail.getByRole('button', { name, exact: true });
const disclosure = (panel: PanelPage, t: Texts = en) => panel.rail.locator('summary', { hasText: t.routing.title });
const isOpen = (panel: PanelPage, t: Texts = en) =>
  disclosure(panel, t).evaluate((summary) => (summary.parentElement as HTMLDetailsElement).open);
const reason = (panel: PanelPage) => panel.rail.locator('.reason').first();
const said = (panel: PanelPage) => panel.rail.locator('output');

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

    test('every state says what is the case, and axe finds nothing', async ({ gateway, panel }) => {
      const t = textsFor(language);
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
    });
  });
}

test('nothing is asked before it is opened; then once, and again with every refresh', async ({ gateway, panel }) => {
  const asked = answerDecisions(gateway);
  const { ticket } = prepared.routed;
  await panel.open(ticket);
  expect(await isOpen(panel)).toBe(false);
  await panel.refreshButton.click();
  await expect(said(panel)).toHaveText(en.shell.refreshed);
  expect(asked).toEqual([]);

  await disclosure(panel).click();
  await expect(reason(panel)).toHaveText(reasonOf('routed'));
  await disclosure(panel).click();
  await disclosure(panel).click();
  await expect(reason(panel)).toBeVisible();
  expect(asked).toEqual([ticket]);

  await panel.refreshButton.click();
  await expect.poll(() => asked).toEqual([ticket, ticket]);
});

test('a proxy is told the contract’s revision; of one that speaks another the panel says what to do', async ({
  gateway,
  panel,
}) => {
  const revisions: unknown[] = [];
  gateway.answer = (_path, headers) => {
    revisions.push(headers[revisionHeader]);
    const data = { code: 'other_revision', request_id: 'r' };
    return { status: 409, body: { success: false, data, message: '' } };
  };
  await panel.open(prepared.routed.ticket);
  await expect(panel.rail.getByText(en.failures.code.other_revision.body)).toBeVisible();
  expect(new Set(revisions)).toEqual(new Set([String(contractRevision)]));
});

test('by keyboard alone: open, copy the reason, look at the earlier decision, close', async ({
  gateway,
  page,
  panel,
}) => {
  answerDecisions(gateway);
  await panel.open(prepared.repaired.ticket);
  await disclosure(panel).focus();
  await page.keyboard.press('Enter');
  await expect(said(panel)).toHaveText(routing.loaded('Medium - Scale'));
  await expect(disclosure(panel)).toBeFocused();

  await page.keyboard.press('Tab');
  await expect(button(panel, en.shell.copy(reasonOf('repaired')))).toBeFocused();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.keyboard.press('Enter');
  await expect(said(panel)).toHaveText(en.shell.copied(reasonOf('repaired')));
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(reasonOf('repaired'));

  await page.keyboard.press('Tab');
  await expect(panel.rail.locator('summary', { hasText: routing.earlier })).toBeFocused();
  await page.keyboard.press('Space');
  await expect(panel.rail.getByText(routingReasons.fallbackSince)).toBeVisible();

  await disclosure(panel).focus();
  await page.keyboard.press('Space');
  await expect(reason(panel)).toBeHidden();
});

test('another ticket never shows the decision of the one that was left, and its request is given up', async ({
  gateway,
  page,
  panel,
}) => {
  answerDecisions(gateway);
  const names = ['routed', 'kept', 'claim'] as const;
  const asking = () => [...gateway.open].filter((request) => request.includes('/api/routing'));
  // Every other ticket is left while its answer is on its way.
  let answers = false;
  const never = new Promise<void>(() => {});
  gateway.delay = (path) => (path.startsWith('/api/routing') && !answers ? never : 0);
  await panel.open(prepared.routed.ticket);
  await watchReasons(page, Object.fromEntries(names.map((name) => [prepared[name].ticket, reasonOf(name)])));
  // It stays open from ticket to ticket.
  await disclosure(panel).click();
  for (let i = 1; i <= 12; i += 1) {
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
  expect(gateway.abandoned).toBeGreaterThanOrEqual(6);
});

test('what the sender wrote stays text, also on a narrow screen', async ({ gateway, page, panel }) => {
  answerDecisions(gateway);
  await page.setViewportSize({ width: 420, height: 860 });
  await explain(panel, prepared.hostile.ticket);
  await expect(reason(panel)).toHaveText(reasonOf('hostile'));
  await expect(panel.rail.locator('details').last().locator('a')).toHaveCount(0);
  await expect(panel.rail.locator('img, script, iframe')).toHaveCount(0);
  expect(await page.evaluate(() => (window as unknown as { __hacked?: number }).__hacked)).toBeUndefined();
  await expect.poll(() => panel.rail.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0);
  await expectAccessible(panel, looks[0], 'why_hostile_narrow');
});

test('a failure says so and can be tried again; signed out and offline end by themselves', async ({
  gateway,
  page,
  panel,
}) => {
  failDecisions(gateway, 504, 'helpdesk_timeout');
  await explain(panel, prepared.routed.ticket);
  await expect(panel.rail).toContainText(en.failures.code.helpdesk_timeout.title);
  await expectAccessible(panel, looks[0], 'why_error');
  failDecisions(gateway, 401, 'unauthenticated');
  await button(panel, en.shell.tryAgain).click();
  await expect(panel.rail).toContainText(en.failures.code.unauthenticated.title);
  answerDecisions(gateway);
  await button(panel, en.shell.signIn).click();
  await expect(reason(panel)).toHaveText(reasonOf('routed'));

  await page.context().setOffline(true);
  await panel.refreshButton.click();
  await expect(panel.rail).toContainText(en.failures.code.offline.title);
  await expectAccessible(panel, looks[0], 'why_offline');
  await page.context().setOffline(false);
  await expect(reason(panel)).toHaveText(reasonOf('routed'));
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
