import { launcherTexts } from '@deskside/extension/launcher-texts';
import { sampleToday } from '@deskside/extension/sample-today';
import { textsFor } from '@deskside/extension/texts';
import { demo, keyOf } from '@deskside/simulators/seed/index';
import type { Page } from 'playwright';
import type { DemoWorld } from '../demo/world.ts';
import { axeViolations } from './setup/axe.ts';
import { expect, test } from './setup/fixtures.ts';
import { keepPage, rulesOnColours } from './setup/looks.ts';
import { extensionOrigin } from './setup/shared-browser.ts';

const teamUrl = `${extensionOrigin}/team.html`;
type Chrome = { chrome: { storage: { local: { set(values: object): Promise<void> } } } };
const plansTitle = { en: 'Plans that ended or end soon', vi: 'Gói đã hết hạn hoặc sắp hết hạn' } as const;
const titles = { en: 'Who got what', vi: 'Ai nhận phiếu nào' } as const;

test.use({ signedInAs: demo.manager.name });

/** Tickets that came in and have been routed. */
async function route({ helpdesk, pipeline }: DemoWorld, subjects: string[]): Promise<void> {
  for (const subject of subjects) await helpdesk.insertTicket(demo.portal.name, { subject }, { portal: true });
  await helpdesk.webhooks.idle();
  for (const _ of [1, 2]) await pipeline.processInbox();
}

/** Whom Deskside has assigned, by the helpdesk's own records, one for each ticket. */
async function assignmentsOf({ helpdesk }: DemoWorld): Promise<string[]> {
  const query = new URLSearchParams({
    fields: '["allocated_to"]',
    filters: '[["description", "like", "Auto round-robin%"]]',
    limit_page_length: '0',
  });
  const headers = { authorization: keyOf(demo.service) };
  const response = await fetch(`${helpdesk.url}/api/resource/ToDo?${query}`, { headers });
  const { data } = (await response.json()) as { data: { allocated_to: string }[] };
  return data.map(({ allocated_to }) => allocated_to);
}

/** What each agent got by the page's table, those who got none left out. */
const gotOn = (page: Page) =>
  page.locator('table:has(svg.bar) tbody tr').evaluateAll((rows) =>
    rows
      .map(({ children: [agent, , got] }) => [agent?.textContent ?? '', Number(got?.textContent)] as const)
      .filter(([, got]) => got > 0)
      .sort(),
  );

test.describe('with tickets of today', () => {
  test.use({ pipeline: true });

  test('a lead opens the page from the launcher’s menu and sees what the helpdesk’s own assignments say, and why', async ({
    world,
    page,
    panel,
    context,
  }) => {
    await route(world, ['một', 'hai', 'ba', 'bốn', 'năm']);
    await panel.open(demo.tickets.matched);
    // Who leads is learnt with the first look at a ticket.
    const more = page.getByRole('button', { name: launcherTexts.en.actions });
    const item = page.getByRole('menuitem', { name: launcherTexts.en.team });
    await expect
      .poll(async () => {
        await more.press('ArrowUp');
        const isThere = await item.isVisible();
        if (!isThere) await page.keyboard.press('Escape');
        return isThere;
      })
      .toBe(true);
    const [team] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Enter')]);
    await expect(team.getByRole('heading', { name: titles.en })).toBeVisible();

    const todos = await assignmentsOf(world);
    const names = new Map<string, number>();
    for (const user of todos) {
      const name = String(world.helpdesk.document('User', user)?.full_name);
      names.set(name, (names.get(name) ?? 0) + 1);
    }
    expect(todos).toHaveLength(5);
    expect(await gotOn(team)).toEqual([...names].sort());

    const why = team.getByRole('button', { name: /^Why\?/ }).first();
    await why.focus();
    await team.keyboard.press('Enter');
    await expect(team.getByText('Auto-routed:').first()).toBeVisible();
    expect(await axeViolations(team)).toEqual([]);
  });
});

test.describe('a plain agent', () => {
  test.use({ signedInAs: demo.agent.name });

  test('is told in a sentence who may see it; whoever may can use it with few tickets and many, in both languages, in light and dark', async ({
    page,
    gateway,
    panel,
  }) => {
    await test.step('who may see it, and no such entry in the menu', async () => {
      await page.goto(teamUrl);
      await expect(page.getByText(textsFor('en').failures.code.not_a_manager.body)).toBeVisible();
      await expect(page.getByRole('heading', { name: titles.en })).toHaveCount(0);
      expect(await axeViolations(page)).toEqual([]);
      await panel.open(demo.tickets.matched);
      await page.getByRole('button', { name: launcherTexts.en.actions }).press('ArrowDown');
      await expect(page.getByRole('menuitem')).toHaveText([launcherTexts.en.refresh, launcherTexts.en.sync]);
    });

    for (const [language, tickets] of [
      ['en', 0],
      ['en', 40],
      ['en', 2_000],
      ['vi', 40],
    ] as const)
      await test.step(`${tickets} tickets (${language})`, async () => {
        await page.goto(`${extensionOrigin}/manifest.json`);
        await page.evaluate((settings) => (globalThis as unknown as Chrome).chrome.storage.local.set({ settings }), {
          language,
        });
        const data = sampleToday(tickets);
        gateway.answer = (path) =>
          path.startsWith('/api/routing/today') ? { status: 200, body: { success: true, data, message: '' } } : null;
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto(teamUrl);
        await expect(page.getByRole('heading', { name: titles[language] })).toBeVisible();
        // Colours are the same in either language.
        for (const colorScheme of language === 'en' ? (['light', 'dark'] as const) : (['light'] as const)) {
          await page.emulateMedia({ colorScheme });
          const only = colorScheme === 'light' ? undefined : rulesOnColours;
          // More rows of the same take axe long, and tell it nothing new.
          if (tickets <= 40) expect(await axeViolations(page, undefined, only)).toEqual([]);
          await keepPage(page, `team-${tickets}-${colorScheme}-${language}`);
        }
        // On a narrow window nothing but the tables scrolls sideways, and no customer or plan is broken within a word.
        for (const width of [1024, 420]) {
          await page.setViewportSize({ width, height: 800 });
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
          const plans = page.getByRole('group', { name: plansTitle[language] });
          const narrowest = await plans
            .locator('tbody td:nth-child(-n + 2)')
            .evaluateAll((cells) => Math.min(...cells.map(({ clientWidth }) => clientWidth)));
          expect(narrowest).toBeGreaterThanOrEqual(112);
          // On a small desk's window the tickets beside them are in sight, too.
          const beyond = await plans.evaluateAll(([one]) => (one ? one.scrollWidth - one.clientWidth : 0));
          if (width > 420) expect(beyond).toBe(0);
        }
        await page.setViewportSize({ width: 1280, height: 800 });
      });
  });
});
