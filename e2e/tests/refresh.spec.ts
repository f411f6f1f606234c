import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import { expect, test } from './setup/fixtures.ts';

const { shell } = textsFor('en');
const ticket = demo.tickets.matched;

test('a refresh asks the CRM and shows what it says now, from the menu as well; and the CRM may hang', async ({
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
    await expect(panel.rail.locator('output')).toHaveText(shell.refreshed);
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

  await test.step('a CRM that hangs: the panel opens with the last good data while it hangs, and says so', async () => {
    await panel.closeButton.click();
    world.crm.fault = 'hang';
    await panel.more.click();
    await panel.refreshItem.click();
    await expect(panel.rail).toContainText('Gốm Sứ Làng Mơ');
    await expect(panel.rail).toContainText(textsFor('en').crm.error.timeout);
  });
});
