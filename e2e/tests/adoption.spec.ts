import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import type { DemoWorld } from '../demo/world.ts';
import { expect, test } from './setup/fixtures.ts';
import { expectAccessible, looksOfPanel } from './setup/looks.ts';

/** A company that no customer stands for yet, its owner, and its name as somebody typed it. */
const [orgId, owner, byHand] = ['1000700232', 'owner@phohoi.example', 'đèn lồng phố hội'];
const regulars = 'Khách quen';

const orgIdOf = (world: DemoWorld, name: string) =>
  world.helpdesk.document('HD Customer', name)?.custom_platform_orgid || null;

/** A customer that an agent made by hand, with members whom the agent put there. */
function putHandMade({ helpdesk }: DemoWorld, name: string, members: readonly string[]): void {
  const links = [{ link_doctype: 'HD Customer', link_name: name, link_title: name }];
  const listing = helpdesk.generation !== '1.24';
  for (const address of members)
    helpdesk.put('Contact', {
      ...{ name: address, owner: demo.agent.name, first_name: address, full_name: address, email_id: address },
      email_ids: [{ email_id: address, is_primary: 1 }],
      links: listing ? [] : links,
    });
  const contacts = members.map((contact_name) => ({ contact_name, is_manager: 0 }));
  helpdesk.put('HD Customer', { name, customer_name: name, ...(listing && { contacts }) });
}

/** A routed ticket of the owner, whose customer an agent made by hand, with a colleague: by mail, or signed in. */
async function routed(world: DemoWorld, customer: string, signedIn = false): Promise<string> {
  // The first sweep says from when on tickets are new.
  await world.pipeline.sweep();
  putHandMade(world, customer, [owner, 'ke.toan@dich-vu.example']);
  const [subject, text] = ['Không in được đơn', `Xin chào,\nOrg ID: ${orgId}`];
  const ticket = await (signedIn
    ? world.helpdesk.insertTicket(owner, { subject, description: text, raised_by: owner }, { portal: true })
    : world.helpdesk.receiveMail({ from: owner, subject, text }));
  await world.pipeline.sweep();
  await world.pipeline.processInbox();
  return ticket;
}

/** Whom the helpdesk lets edit customers: managers always, other agents before 1.28. */
const allowed = { '1.28': demo.manager.name, '1.24': demo.agent.name };

for (const look of looksOfPanel) {
  const { generation, language } = look;
  const { shell, steps, sync } = textsFor(language);

  test.describe(`Helpdesk ${generation}, ${language}`, () => {
    test.use({ generation, language });

    test('a customer made by hand that became the company says so, and can be given back; one that did not is offered, and an agent’s Sync makes it the company; axe finds nothing', async ({
      world,
      panel,
    }) => {
      await test.step('one that became the company says so, and can be given back', async () => {
        const ticket = await routed(world, byHand, true);
        expect(orgIdOf(world, byHand)).toBe(orgId);
        await panel.open(ticket);
        await expect(panel.rail).toContainText(steps.becameTheirs(byHand, null));
        await expectAccessible(panel, look, 'adopted');
        // On another ticket of the customer an undo would surprise.
        const other = demo.tickets.missingOrgId;
        const sameSender = { customer: byHand, raised_by: owner, contact: owner };
        world.helpdesk.put('HD Ticket', { ...world.helpdesk.document('HD Ticket', other), ...sameSender, name: other });
        await panel.show(other);
        await expect(panel.rail).toContainText('Đèn Lồng Phố Hội');
        await expect(panel.button(shell.undo)).toHaveCount(0);
        await panel.show(ticket);
        await panel.undo();
        await expect(panel.rail).toContainText(sync.done.undone(byHand));
        expect(orgIdOf(world, byHand)).toBeNull();
        await expect(panel.button(shell.undo)).toHaveCount(0);
      });

      await test.step('one that did not is offered, and an agent’s Sync makes it the company', async () => {
        // Its members are those of the other one from now on.
        putHandMade(world, byHand, []);
        const ticket = await routed(world, regulars);
        await panel.show(ticket);
        await expect(panel.rail).toContainText(steps.handMade(regulars));
        await panel.settled();
        await expectAccessible(panel, look, 'adoption_offered');
        await panel.button(steps.itsThem).click();
        await expect(panel.rail).toContainText(sync.notTheirs);
        expect(orgIdOf(world, regulars)).toBeNull();
        await panel.confirm();
        await expect(panel.rail).toContainText(sync.done.linked(regulars));
        expect(orgIdOf(world, regulars)).toBe(orgId);
      });
    });

    test.describe('who may edit customers', () => {
      test.use({ signedInAs: allowed[generation] });

      test('adopts one that stands on no ticket, and undone it is what it was; axe finds nothing', async ({
        world,
        panel,
      }) => {
        const ticket = demo.tickets.onlyTicketOrgId;
        const option = (name: string) => panel.rail.getByRole('radio', { name });
        const sheet = panel.rail.locator('.sheet');
        const found = () => [world.helpdesk.document('HD Ticket', ticket)?.customer ?? null, orgIdOf(world, byHand)];
        world.helpdesk.put('HD Customer', { name: byHand, customer_name: byHand });
        await panel.open(ticket);
        await panel.startSync();
        await expect(panel.rail.getByRole('group', { name: sync.which })).toBeVisible();
        await expect(option(sync.newOne)).toBeChecked();
        const newOne = `Đèn Lồng Phố Hội - ${orgId}`;
        await expect(sheet).toContainText(newOne);
        await option(byHand).click();
        await expect(option(byHand)).toBeChecked();
        await expect(sheet).toContainText(sync.will.adopt(byHand).slice(1));
        await expect(sheet).not.toContainText(newOne);
        expect(found()).toEqual([null, null]);
        await panel.settled();
        await expectAccessible(panel, look, 'adopt_preview');

        await panel.confirm();
        await expect(panel.rail).toContainText(sync.done.linked(byHand));
        expect(found()).toEqual([byHand, orgId]);
        await panel.undo();
        await expect(panel.rail).toContainText(sync.done.undone(null));
        expect(found()).toEqual([null, null]);
      });
    });
  });
}
