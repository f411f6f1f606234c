import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import type { World } from '../demo/world.ts';
import { expect, test } from './setup/fixtures.ts';
import { expectAccessible, looksOfPanel } from './setup/looks.ts';
import type { PanelPage } from './setup/panel-page.ts';

const en = textsFor('en');
type Texts = typeof en;
/** A ticket of a company that has no customer yet, and one that somebody made by hand under its name. */
const ticket = demo.tickets.onlyTicketOrgId;
const orgId = '1000700232';
const byHand = 'ĐÈN LỒNG PHỐ HỘI';

const button = (panel: PanelPage, name: string) => panel.rail.getByRole('button', { name, exact: true });
const option = (panel: PanelPage, name: string) => panel.rail.getByRole('radio', { name });
const sheet = (panel: PanelPage) => panel.rail.locator('.sheet');
const customerOf = (world: World) => world.helpdesk.document('HD Ticket', ticket)?.customer ?? null;
const orgIdOf = (world: World) => world.helpdesk.document('HD Customer', byHand)?.custom_platform_orgid || null;

async function openChoice(world: World, panel: PanelPage, t: Texts = en): Promise<void> {
  world.helpdesk.put('HD Customer', { name: byHand, customer_name: byHand });
  await panel.open(ticket);
  await panel.startSync();
  await expect(panel.confirmButton).toBeFocused();
  await expect(panel.rail.getByRole('group', { name: t.sync.which })).toBeVisible();
}

/** Whom the helpdesk lets edit customers: managers always, other agents before 1.28. */
const allowed = { '1.28': demo.manager.name, '1.24': demo.agent.name };

for (const look of looksOfPanel) {
  const { generation, language } = look;
  const t = textsFor(language);

  test.describe(`Helpdesk ${generation}, ${language}`, () => {
    test.use({ generation, language, signedInAs: allowed[generation] });

    test('a customer made by hand is adopted, and undone it is what it was; axe finds nothing', async ({
      world,
      panel,
    }) => {
      await openChoice(world, panel, t);
      await expect(option(panel, t.sync.newOne)).toBeChecked();
      const newOne = `Đèn Lồng Phố Hội - ${orgId}`;
      await expect(sheet(panel)).toContainText(newOne);
      await option(panel, byHand).click();
      await expect(option(panel, byHand)).toBeChecked();
      await expect(sheet(panel)).toContainText(t.sync.will.adopt(byHand).slice(1));
      await expect(sheet(panel)).not.toContainText(newOne);
      expect([customerOf(world), orgIdOf(world)]).toEqual([null, null]);
      await panel.settled();
      await expectAccessible(panel, look, 'adopt_preview');

      await panel.confirmButton.click();
      await expect(panel.rail).toContainText(t.sync.done.linked(byHand));
      expect([customerOf(world), orgIdOf(world)]).toEqual([byHand, orgId]);

      await button(panel, t.shell.undo).click();
      await expect(panel.rail).toContainText(t.sync.done.undone(null));
      expect([customerOf(world), orgIdOf(world)]).toEqual([null, null]);
    });
  });
}
