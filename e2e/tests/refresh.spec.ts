import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import { expect, test } from './setup/fixtures.ts';

const { crm, shell } = textsFor('en');
const ticket = demo.tickets.matched;

test('a refresh asks the CRM and shows what it says now, from the menu as well; the browser may end the background, and the CRM may hang', async ({
  sharedBrowser,
  world,
  gateway,
  panel,
}) => {
  await panel.open(ticket);
  await test.step('the old data stay in view meanwhile', async () => {
    const stored = world.crm.company('63002');
    if (!stored) throw new Error('The seed lacks the company.');
    world.crm.putCompany({ ...stored, UF_CRM_CURRENT_SHOPPLAN: 'GROW 2027 (2 năm)' });
    await world.idle();
    const asked = world.crm.journal.length;
    const { promise: seen, resolve: goOn } = Promise.withResolvers<void>();
    gateway.delay = () => seen;

    await panel.refreshButton.click();
    await expect(panel.rail).toContainText(shell.refreshing);
    await expect(panel.rail).toContainText('OMNI SCALE');
    await expect(panel.refreshButton).toHaveAttribute('aria-busy', 'true');
    goOn();

    await expect(panel.rail).toContainText('GROW');
    await expect(panel.said).toHaveText(shell.refreshed);
    await expect(panel.rail).not.toContainText('OMNI SCALE');
    expect(world.crm.journal.length).toBe(asked + 1);
  });

  await test.step('Refresh CRM Profile in the menu opens the panel with a forced check', async () => {
    await panel.closeButton.click();
    const asked = world.crm.journal.length;
    await panel.more.click();
    await panel.refreshItem.click();
    await panel.settled();
    await expect(panel.rail).toContainText('Gốm Sứ Làng Mơ');
    await expect.poll(() => world.crm.journal.length).toBe(asked + 1);
  });

  await test.step('the browser ends the background while the panel waits for its answer: the panel asks again', async () => {
    const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
    gateway.delay = () => held;
    await panel.moveTo(demo.tickets.planExpired);
    await expect(panel.rail.getByText(shell.loading).first()).toBeAttached();
    await sharedBrowser.endBackground();
    goOn();
    await expect(panel.rail).toContainText('Tiệm Hoa Mẫu');
    await panel.show(ticket);
  });

  await test.step('a CRM that hangs: the panel opens with the last good data while it hangs, and says so', async () => {
    await panel.closeButton.click();
    world.crm.fault = 'hang';
    await panel.more.click();
    await panel.refreshItem.click();
    await expect(panel.rail).toContainText('Gốm Sứ Làng Mơ');
    await expect(panel.rail).toContainText(crm.error.timeout);
  });

  await test.step('a change of the helpdesk’s language is taken up at the next ticket', async () => {
    const launcher = panel.page.locator('deskside-launcher');
    await expect(launcher).toContainText('Customer Profile');
    // As the proxy says it once it has asked the helpdesk again, which it does each minute.
    const data = {
      ...{ user: demo.agent.name, full_name: null, language: 'vi', is_agent: true, is_manager: false },
      ...{ proxy_version: '1.0.0', helpdesk_url: world.helpdesk.url, missing: [] },
    };
    gateway.answer = (path) =>
      path.startsWith('/api/whoami') ? { status: 200, body: { success: true, data, message: 'You.' } } : null;
    await panel.moveTo(demo.tickets.planExpired);
    await expect(launcher).toContainText('Hồ sơ khách hàng');
  });
});
