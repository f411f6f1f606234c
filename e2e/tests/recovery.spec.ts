import { textsFor } from '@deskside/extension/texts';
import { demo, keyOf } from '@deskside/simulators/seed/index';
import { expect, test } from './setup/fixtures.ts';
import { keepPicture } from './setup/looks.ts';
import { PanelPage } from './setup/panel-page.ts';

const { tickets } = demo;
const { crm, failures, find, reject, shell, sync, trust } = textsFor('en');

test('what one tab has written is seen in all tabs of the ticket, and what others have written by a tab that comes to the front', async ({
  context,
  world,
  panel,
}) => {
  const second = new PanelPage(await context.newPage(), world, 'en');
  await panel.open(tickets.claimed);
  // It comes by itself: the agent has left it open.
  await second.goto(tickets.claimed);
  await second.settled();
  await second.closeButton.click();
  await expect(second.launcher).toHaveAccessibleName(new RegExp(`${trust.tag.claimed}$`));
  await panel.page.bringToFront();
  await panel.startSync();
  await panel.confirm();
  await expect(panel.rail).toContainText(sync.done.linked('Gốm Sứ Làng Mơ - 200000376001'));
  // Where the panel is closed the launcher says so.
  await expect(second.launcher).toHaveAccessibleName(new RegExp(`${trust.tag.confirmed}$`));
  await second.page.bringToFront();
  await second.launcher.click();
  for (const tab of [panel, second]) await expect(tab.rail).toContainText(trust.tag.confirmed);
  await expect(second.rail).toContainText(trust.reason.linked_by_agent(demo.agent.fullName));
  await keepPicture(second, 'recovery-written-elsewhere');
  await panel.page.bringToFront();
  await panel.undo();
  for (const tab of [panel, second]) await expect(tab.rail).toContainText(trust.tag.claimed);
  await expect(second.launcher).toHaveAccessibleName(new RegExp(`${trust.tag.claimed}$`));

  await test.step('a colleague, in another browser', async () => {
    const change = { action: 'reject', ticket: tickets.claimed, reason: 'wrong_id', note: '', expected_customer: '' };
    const answer = await fetch(`${world.proxyUrl}/api/customer/rejections`, {
      method: 'POST',
      headers: { authorization: keyOf(demo.manager), 'content-type': 'application/json' },
      body: JSON.stringify({ ...change, company_id: '200000376001', bitrix_id: '63002' }),
    });
    expect(answer.status).toBe(200);
    await expect(async () => {
      await second.page.evaluate(() => dispatchEvent(new Event('focus')));
      await expect(second.rail).toContainText(reject.rejected('Gốm Sứ Làng Mơ'), { timeout: 1_500 });
    }).toPass();
    await expect(second.rail).toContainText(demo.manager.fullName);
  });
  await second.page.close();
});

test('what failed is said once, has Try now, and comes by itself; a new page takes over no failure', async ({
  page,
  gateway,
  world,
  panel,
}) => {
  const content = panel.rail.locator('.content');
  // Within ten seconds, and the proxy leaves a CRM that refuses its key alone for as long.
  const soon = { timeout: 40_000 };

  await test.step('the proxy is away while a shop is searched for, and back', async () => {
    await panel.open(tickets.missingOrgId);
    const { title } = failures.code.unreachable;
    gateway.isAway = true;
    await panel.rail.getByRole('textbox', { name: find.label }).fill('gốm');
    await page.keyboard.press('Enter');
    await expect(content).toContainText(title);
    await panel.refreshButton.click();
    await expect(panel.refreshButton).not.toHaveAttribute('aria-busy', 'true');
    await expect(content.getByText(title)).toHaveCount(1);
    await expect(panel.button(shell.tryNow)).toHaveCount(1);
    await keepPicture(panel, 'recovery-away');
    gateway.isAway = false;
    await expect(content).toContainText('Gốm Sứ Làng Mơ - 200000376001', soon);
    await expect(content).not.toContainText(title, soon);
  });

  await test.step('the CRM’s key is refused, and works again', async () => {
    world.crm.fault = 'unauthorized';
    await panel.show(tickets.matched);
    await panel.refreshButton.click();
    await expect(content).toContainText(crm.error.unauthorized);
    await expect(panel.button(shell.tryNow)).toBeVisible();
    await keepPicture(panel, 'recovery-key');
    world.crm.fault = null;
    await expect(content).not.toContainText(crm.error.unauthorized, soon);

    world.crm.fault = 'unauthorized';
    await panel.refreshButton.click();
    await expect(content).toContainText(crm.error.unauthorized);
    world.crm.fault = null;
    const asked = gateway.total;
    await panel.open(tickets.matched);
    await expect(content).toContainText('Gốm Sứ Làng Mơ');
    expect(gateway.total).toBeGreaterThan(asked);
    await expect(content).not.toContainText(crm.error.unauthorized, soon);
  });
});
