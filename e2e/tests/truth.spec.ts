import { statusTexts } from '@deskside/extension/launcher-texts';
import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import { expect, test } from './setup/fixtures.ts';
import { keepPicture } from './setup/looks.ts';

const { tickets } = demo;
const { around, crm, failures, fields, people, shell, steps, sync } = textsFor('en');

test('what the panel says of tickets, people, times and the CRM is so', async ({ world, gateway, panel }) => {
  const { helpdesk } = world;
  const change = (name: string, changes: object) =>
    helpdesk.put('HD Ticket', { ...helpdesk.document('HD Ticket', name), ...changes, name });
  const fact = (label: string) => panel.rail.locator('.facts > div').filter({ hasText: label });
  const recent = panel.rail.getByRole('region', { name: around.title });

  await test.step('beside another of the ticket’s companies none of the first one’s tickets are shown', async () => {
    change(tickets.planWithoutEnd, { ...helpdesk.document('HD Ticket', tickets.matched), custom_orgid: '1000391001' });
    await panel.open(tickets.planWithoutEnd);
    await expect(recent).toBeVisible();
    await panel.button(steps.choose).click();
    await panel.rail.getByRole('button', { name: /^Cà Phê Sương Núi/ }).click();
    await expect(fact(around.label)).toContainText(around.hidden);
    await expect(recent).toHaveCount(0);
    await keepPicture(panel, 'truth-other-company');
  });

  await test.step('the sender is called as the ticket’s contact is, whom else the CRM has with their address', async () => {
    const contact = {
      name: 'Trần Thị Thu',
      full_name: 'Trần Thị Thu',
      email_id: 'owner@gomlangmo.example',
      user: null,
    };
    helpdesk.put('Contact', contact);
    change(tickets.matched, { contact: contact.name });
    await panel.show(tickets.matched);
    const person = panel.rail.getByRole('region', { name: people.title }).getByRole('listitem').first();
    await expect(person).toContainText('Trần Thị Thu');
    await expect(person).toContainText(people.inCrm('Trần Quang Khải'));
    await keepPicture(panel, 'truth-sender');
  });

  await test.step('who is asked to sign in is not told that the profile was refreshed', async () => {
    const signIn = { success: false, data: { code: 'unauthenticated', request_id: 'r' }, message: 'Sign in.' };
    world.allowSignIn(['System Manager']);
    gateway.answer = (path) => (path.includes('customer_profile') ? { status: 401, body: signIn } : null);
    await panel.refreshButton.click();
    const { title } = failures.code.signed_out;
    await expect(panel.rail.locator('.content')).toContainText(title);
    await expect(panel.said).toHaveText(shell.refreshFailed(title));
    gateway.answer = () => null;
    world.allowSignIn(['Agent', 'Agent Manager']);
    await panel.button(shell.signIn).click();
    await expect(panel.rail).toContainText('Gốm Sứ Làng Mơ');
  });

  await test.step('who confirmed it is told by name', async () => {
    await panel.show(tickets.claimed);
    await panel.button(steps.itsThem).click();
    await panel.confirm();
    await expect(panel.rail).toContainText(sync.done.linked('Gốm Sứ Làng Mơ - 200000376001'));
    await expect(panel.rail).toContainText(textsFor('en').trust.reason.linked_by_agent(demo.agent.fullName));
    // They were hidden before.
    await expect(fact(around.label)).toContainText(around.open('').trim());
    await keepPicture(panel, 'truth-confirmed');
  });

  await test.step('while a slow CRM is waited for the launcher says so; times of the helpdesk’s clock are marked', async () => {
    const customer = 'Thời Trang Mây Lụa - 200000010001';
    const checked = { custom_shopplan_name: 'OMNI PRO', custom_crm_last_checked_at: '2026-11-20 10:30:00' };
    helpdesk.put('HD Customer', { ...helpdesk.document('HD Customer', customer), ...checked, name: customer });
    const { promise: held, resolve: answer } = Promise.withResolvers<void>();
    gateway.delay = (path) => (path.includes('customer_profile') && !path.includes('known=true') ? held : 0);
    await panel.goto(tickets.stale);
    await expect(panel.rail).toContainText(crm.waiting);
    await expect(panel.launcher).toHaveAccessibleName(new RegExp(`${statusTexts.en.checking}$`));
    await expect(fact(fields.lastChecked)).toContainText('helpdesk’s clock');
    await keepPicture(panel, 'truth-slow');
    answer();
    await panel.settled();
  });
});

test.describe('without a TTL', () => {
  test.use({ environment: { CRM_REFRESH_TTL_MINUTES: '0' } });

  test('where the CRM fails at a first opening, what it told routing is shown as old', async ({ world, panel }) => {
    await world.pipeline.sweep();
    const text = 'Xin chào,\nOrg ID: 200000376001';
    const ticket = await world.helpdesk.receiveMail({
      from: 'owner@gomlangmo.example',
      subject: 'Không in được',
      text,
    });
    await world.pipeline.sweep();
    await world.pipeline.processInbox();
    world.crm.fault = 'server_error';
    await panel.open(ticket);
    await expect(panel.rail.locator('.facts')).toContainText('OMNI SCALE');
    await expect(panel.rail).toContainText(crm.staleCompany('just now'));
    await expect(panel.rail.locator('.content')).not.toContainText(crm.ownRecord);
    await keepPicture(panel, 'truth-crm-down');
  });
});
