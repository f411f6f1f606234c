import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import type { Page } from 'playwright';
import { expect, test } from './setup/fixtures.ts';

const { tickets } = demo;
const { shell, sync, find, trust } = textsFor('en');

/** Has the page count what an agent's hand does: clicks of the pointer, and Enter. */
async function countHands(page: Page): Promise<() => Promise<{ clicks: number; enters: number }>> {
  await page.addInitScript(() => {
    const hands = { clicks: 0, enters: 0 };
    Object.assign(globalThis, { hands });
    const count = (event: UIEvent) => {
      if (event.type === 'click' && event.detail > 0) hands.clicks += 1;
      if (event instanceof KeyboardEvent && event.key === 'Enter') hands.enters += 1;
    };
    addEventListener('click', count, true);
    addEventListener('keydown', count, true);
  });
  return () =>
    page.evaluate(() => {
      const { hands } = globalThis as unknown as { hands: { clicks: number; enters: number } };
      const { clicks, enters } = hands;
      Object.assign(hands, { clicks: 0, enters: 0 });
      return { clicks, enters };
    });
}

test('over the column, what an agent does most takes few clicks', async ({ page, panel, world }) => {
  const since = await countHands(page);
  const button = (name: string) => panel.rail.getByRole('button', { name, exact: true });
  const customerOf = (ticket: string) => world.helpdesk.document('HD Ticket', ticket)?.customer ?? null;
  const search = async (words: string) => {
    await page.keyboard.type(words);
    await page.keyboard.press('Enter');
  };
  await panel.open(tickets.responsibleSet);
  await since();

  await test.step('who it is and their plan: none', async () => {
    await panel.show(tickets.matched);
    await expect(panel.rail.getByRole('heading', { name: 'Gốm Sứ Làng Mơ', exact: true })).toBeInViewport({ ratio: 1 });
    await expect(panel.rail.getByText('OMNI SCALE 2025 (1 năm)')).toBeInViewport({ ratio: 1 });
    expect(await since()).toEqual({ clicks: 0, enters: 0 });
  });

  await test.step('refresh: one', async () => {
    const asked = world.crm.journal.length;
    await panel.refreshButton.click();
    await expect.poll(() => world.crm.journal.length).toBeGreaterThan(asked);
    await panel.settled();
    expect(await since()).toEqual({ clicks: 1, enters: 0 });
  });

  await test.step('sync and confirm: two', async () => {
    await panel.show(tickets.claimed);
    await button(shell.sync).click();
    await button(sync.now).click();
    await expect.poll(() => customerOf(tickets.claimed)).toBe('Gốm Sứ Làng Mơ - 200000376001');
    expect(await since()).toEqual({ clicks: 2, enters: 0 });
  });

  await test.step('find a company and link it: Enter and two', async () => {
    await panel.show(tickets.missingOrgId);
    await panel.rail.getByRole('textbox', { name: find.label }).focus();
    await search('owner@gomlangmo.example');
    await button(find.chooseNamed('Gốm Sứ Làng Mơ')).click();
    await button(sync.now).click();
    await expect.poll(() => customerOf(tickets.missingOrgId)).toBe('Gốm Sứ Làng Mơ - 200000376001');
    expect(await since()).toEqual({ clicks: 2, enters: 1 });
  });

  await test.step('replace a company that is wrong although it is verified: two and Enter', async () => {
    await panel.show(tickets.matched);
    await button(trust.tag.confirmed).click();
    await expect(panel.rail.getByRole('textbox', { name: find.label })).toBeFocused();
    await search('owner@caphesuongnui.example');
    await button(sync.now).click();
    await expect.poll(() => customerOf(tickets.matched)).toBe('1000391001 - Cà Phê Sương Núi');
    expect(await since()).toEqual({ clicks: 2, enters: 1 });
  });
});
