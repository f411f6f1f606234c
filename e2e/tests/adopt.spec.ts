import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import type { World } from '../demo/world.ts';
import { expect, test } from './setup/fixtures.ts';
import { expectAccessible, looks } from './setup/looks.ts';
import type { PanelPage } from './setup/panel-page.ts';

const en = textsFor('en');
type Texts = typeof en;
/** A ticket of a company that has no customer yet, and one that somebody made by hand under its name. */
const ticket = demo.tickets.onlyTicketOrgId;
const orgId = '1000700232';
const byHand = 'ĐÈN LỒNG PHỐ HỘI';

const button = (panel: PanelPage, name: string) => panel.dialog.getByRole('button', { name, exact: true });
const heading = (panel: PanelPage, name: string) => panel.dialog.getByRole('heading', { name, exact: true });
const option = (panel: PanelPage, name: string) => panel.dialog.getByRole('radio', { name });
const customerOf = (world: World) => world.helpdesk.document('HD Ticket', ticket)?.customer ?? null;
const orgIdOf = (world: World) => world.helpdesk.document('HD Customer', byHand)?.custom_platform_orgid || null;

async function openChoice(world: World, panel: PanelPage, t: Texts = en): Promise<void> {
  world.helpdesk.put('HD Customer', { name: byHand, customer_name: byHand });
  await panel.open(ticket);
  await button(panel, t.shell.sync).click();
  await expect(heading(panel, t.sync.willChange)).toBeFocused();
  await expect(panel.dialog.getByRole('group', { name: t.sync.which })).toBeVisible();
}

async function openAdopting(world: World, panel: PanelPage, t: Texts = en): Promise<void> {
  await openChoice(world, panel, t);
  await option(panel, byHand).check();
  await expect(panel.dialog).toContainText(t.sync.becomes);
}

/** Whom the helpdesk lets edit customers: managers always, other agents before 1.28. */
for (const { generation, signedInAs } of [
  { generation: '1.28', signedInAs: demo.manager.name },
  { generation: '1.24', signedInAs: demo.agent.name },
] as const) {
  test.describe(`Helpdesk ${generation}`, () => {
    test.use({ generation, signedInAs });

    test('a customer made by hand is adopted, and undone it is what it was', async ({ world, panel }) => {
      await openChoice(world, panel);
      await expect(option(panel, en.sync.newOne)).toBeChecked();
      await expect(panel.dialog.locator('mark').filter({ hasText: `- ${orgId}` })).toBeVisible();
      await option(panel, byHand).check();
      await expect(panel.dialog.locator('mark').filter({ hasText: byHand })).toBeVisible();
      await expect(panel.dialog).toContainText(en.sync.becomes);
      expect([customerOf(world), orgIdOf(world)]).toEqual([null, null]);

      await button(panel, en.sync.now).click();
      await expect(heading(panel, en.sync.synced)).toBeFocused();
      await expect(panel.dialog).toContainText(en.sync.adopted);
      expect([customerOf(world), orgIdOf(world)]).toEqual([byHand, orgId]);

      await button(panel, en.sync.undo).click();
      await expect(heading(panel, en.sync.undone)).toBeFocused();
      await expect(panel.dialog).toContainText(en.sync.released(byHand));
      expect([customerOf(world), orgIdOf(world)]).toEqual([null, null]);
    });

    test('by keyboard alone', async ({ page, world, panel }) => {
      await openChoice(world, panel);
      await page.keyboard.press('Tab');
      await expect(option(panel, en.sync.newOne)).toBeFocused();
      await page.keyboard.press('ArrowDown');
      await expect(option(panel, byHand)).toBeFocused();
      await expect(panel.dialog).toContainText(en.sync.becomes);
      await page.keyboard.press('Tab');
      await expect(button(panel, en.sync.now)).toBeFocused();
      await expect(button(panel, en.sync.now)).toBeEnabled();
      await page.keyboard.press('Enter');
      await expect(heading(panel, en.sync.synced)).toBeFocused();
      expect([customerOf(world), orgIdOf(world)]).toEqual([byHand, orgId]);
    });
  });
}

test('an agent who may not edit customers sees it, cannot choose it, and syncs with a new one', async ({
  world,
  panel,
}) => {
  await openChoice(world, panel);
  await expect(option(panel, byHand)).toBeDisabled();
  await expect(panel.dialog).toContainText(en.sync.mayNotAdopt);
  await button(panel, en.sync.now).click();
  await expect(heading(panel, en.sync.synced)).toBeFocused();
  expect([customerOf(world), orgIdOf(world)]).toEqual([`Đèn Lồng Phố Hội - ${orgId}`, null]);
});

const scenes: Record<string, (world: World, panel: PanelPage, t: Texts) => Promise<void>> = {
  adopt_preview: openAdopting,
  adopt_done: async (world, panel, t) => {
    await openAdopting(world, panel, t);
    await button(panel, t.sync.now).click();
    await expect(heading(panel, t.sync.synced)).toBeFocused();
  },
  adopt_undone: async (world, panel, t) => {
    await openAdopting(world, panel, t);
    await button(panel, t.sync.now).click();
    await button(panel, t.sync.undo).click();
    await expect(heading(panel, t.sync.undone)).toBeFocused();
  },
};

for (const look of looks) {
  const { generation, language } = look;
  test.describe(`Helpdesk ${generation}, ${language}`, () => {
    test.use({ generation, language, signedInAs: demo.manager.name });

    for (const [name, show] of Object.entries(scenes)) {
      test(`${name}: axe finds nothing`, async ({ world, panel }) => {
        await show(world, panel, textsFor(language));
        await panel.settled();
        await expectAccessible(panel, look, name);
      });
    }

    test.describe('without the permission', () => {
      // Before 1.28 every agent has it.
      test.use({ generation: '1.28', signedInAs: demo.agent.name });

      test('adopt_denied: axe finds nothing', async ({ world, panel }) => {
        await openChoice(world, panel, textsFor(language));
        await panel.settled();
        await expectAccessible(panel, look, 'adopt_denied');
      });
    });
  });
}
