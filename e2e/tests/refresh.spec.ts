import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import { expect, test } from './setup/fixtures.ts';

const { shell } = textsFor('en');
const ticket = demo.tickets.matched;

function renew(
  crm: { company(id: string): { ID: string } | undefined; putCompany(record: { ID: string }): void },
  id: string,
  change: object,
) {
  const stored = crm.company(id);
  if (!stored) throw new Error(`The CRM has no company ${id}`);
  crm.putCompany({ ...stored, ...change });
}

test('a refresh asks the CRM and marks what changed, from the menu as well; and the CRM may hang', async ({
  world,
  gateway,
  panel,
}) => {
  await panel.open(ticket);
  await test.step('the old data stay in view meanwhile, and what changed is marked', async () => {
    const id = await companyIdOf(world.proxyUrl);
    renew(world.crm, id, {
      UF_CRM_CURRENT_SHOPPLAN: 'OMNI SCALE 2027 (2 năm)',
      // Another day than the one before, whenever this runs: that one is days ago.
      DATE_MODIFY: new Date(Date.now() - 60_000).toISOString().replace('Z', '+00:00'),
    });
    await world.idle();
    const asked = world.crm.journal.length;
    const { promise: seen, resolve: goOn } = Promise.withResolvers<void>();
    gateway.delay = () => seen;

    await panel.refreshButton.click();
    await expect(panel.rail).toContainText(shell.refreshing);
    await expect(panel.rail).toContainText('OMNI SCALE 2025 (1 năm)');
    await expect(panel.refreshButton).toHaveAttribute('aria-busy', 'true');
    goOn();

    await expect(panel.rail.locator('mark').filter({ hasText: 'OMNI SCALE 2027 (2 năm)' })).toBeVisible();
    await expect(panel.rail.locator('del').filter({ hasText: 'OMNI SCALE 2025 (1 năm)' })).toBeVisible();
    // Plan and date of the change: nothing else is marked.
    await expect(panel.rail.locator('mark')).toHaveCount(2);
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
    await expect(panel.rail).toContainText(textsFor('en').crm.error.timeout.title);
  });
});

async function companyIdOf(proxyUrl: string): Promise<string> {
  const { apiKey, apiSecret } = demo.agent;
  const response = await fetch(`${proxyUrl}/api/method/platform_crm_customer_profile?ticket=${ticket}`, {
    headers: { authorization: `token ${apiKey}:${apiSecret}` },
  });
  return (await response.json()).data.bitrix.company.bitrix_id;
}
