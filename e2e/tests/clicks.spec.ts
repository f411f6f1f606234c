import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import type { Page } from 'playwright';
import { expect, ownTab, test } from './setup/fixtures.ts';

test.use(ownTab);

const { tickets } = demo;
const { find, reject, shell, steps, sync } = textsFor('en');
const gomSu = 'Gốm Sứ Làng Mơ - 200000376001';

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
  const customerOf = (ticket: string) => world.helpdesk.document('HD Ticket', ticket)?.customer ?? null;
  /** Enter does what has the focus, once that takes it. */
  const enter = async () => {
    await expect(panel.confirmButton).toBeFocused();
    await expect(panel.confirmButton).toBeEnabled();
    await page.keyboard.press('Enter');
  };
  await panel.open(tickets.responsibleSet);
  await since();

  await test.step('who it is and their plan: none', async () => {
    await panel.show(tickets.matched);
    await expect(panel.rail.getByRole('heading', { name: 'Gốm Sứ Làng Mơ', exact: true })).toBeInViewport({ ratio: 1 });
    await expect(panel.rail.getByText('OMNI SCALE')).toBeInViewport({ ratio: 1 });
    expect(await since()).toEqual({ clicks: 0, enters: 0 });
  });

  await test.step('refresh: one', async () => {
    const asked = world.crm.journal.length;
    await panel.refreshButton.click();
    await expect.poll(() => world.crm.journal.length).toBeGreaterThan(asked);
    await panel.settled();
    expect(await since()).toEqual({ clicks: 1, enters: 0 });
  });

  await test.step('insert the question: one, although no reply was open', async () => {
    await panel.show(tickets.claimed);
    await panel.button(steps.insertQuestion).click();
    const reply = page.locator('.comm-area [contenteditable=true]');
    // In the language of the ticket.
    const { fromAddress, whatShopKnows } = textsFor('vi').steps.question;
    await expect(reply).toContainText(fromAddress);
    expect(await since()).toEqual({ clicks: 1, enters: 0 });
    await panel.button(steps.insertQuestion).click();
    await expect(panel.said).toHaveText(shell.inserted(fromAddress));
    await expect(reply).toHaveText(fromAddress);
    await since();
    // A shop of which no address is on record.
    const company = world.crm.company('63002');
    if (!company) throw new Error('The seed lacks the company.');
    world.crm.putCompany({ ...company, UF_CRM_SHOP_OWNER_EMAIL: '', EMAIL: [] });
    await panel.refreshButton.click();
    await expect(panel.rail).toContainText(steps.ask);
    await panel.button(steps.insertQuestion).click();
    await expect(reply).toHaveText(`${fromAddress} ${whatShopKnows}`);
    world.crm.putCompany(company);
    await panel.refreshButton.click();
    await expect(panel.rail).toContainText(steps.replyFrom('owner@gomlangmo.example'));
    await since();
  });

  await test.step('it’s them, of a stranger: one, then Tab and Enter; undo: one', async () => {
    await panel.button(steps.itsThem).click();
    // Nothing is confirmed by Enter alone.
    await expect(panel.rail.getByRole('heading', { name: sync.itsThem })).toBeFocused();
    await page.keyboard.press('Tab');
    await enter();
    await expect.poll(() => customerOf(tickets.claimed)).toBe(gomSu);
    expect(await since()).toEqual({ clicks: 1, enters: 1 });
    await panel.undo();
    await expect.poll(() => customerOf(tickets.claimed)).toBeNull();
    expect(await since()).toEqual({ clicks: 1, enters: 0 });
  });

  await test.step('link the shop that was found by the sender: one and Enter', async () => {
    world.helpdesk.put('HD Ticket', {
      ...world.helpdesk.document('HD Ticket', tickets.missingOrgId),
      ...{ name: tickets.missingOrgId, raised_by: 'owner@gomlangmo.example' },
    });
    await panel.show(tickets.missingOrgId);
    await panel.button(find.linkNamed('Gốm Sứ Làng Mơ')).click();
    await enter();
    await expect.poll(() => customerOf(tickets.missingOrgId)).toBe(gomSu);
    expect(await since()).toEqual({ clicks: 1, enters: 1 });
  });

  await test.step('wrong customer: two and Enter', async () => {
    await panel.show(tickets.onlyTicketOrgId);
    await panel.choose(reject.button);
    await enter();
    await expect(panel.rail).toContainText(reject.rejected('Đèn Lồng Phố Hội'));
    expect(await since()).toEqual({ clicks: 2, enters: 1 });
  });
});
