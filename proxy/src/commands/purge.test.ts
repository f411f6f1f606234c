import { OrgId } from '@deskside/shared/orgid';
import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Clinic, clinic } from '#setup/testing/doctor-kit.ts';
import { openStore } from '#store/database.ts';
import * as decisions from '#store/decisions.ts';
import * as syncs from '#store/syncs.ts';
import { draftOf } from '#store/testing/decision-draft.ts';
import { purgeCommand } from './store.ts';

const orgId = OrgId.parse('200000376001');
const quoted = { ticket: demo.tickets.claimed, quote: 'Tôi là Minh' };

const synced = { name: 'S1', creation: draftOf('').inputs.ticket_creation };

/** What is left of one ticket of a person that their own words alone could betray, and of one that was synced to a company. */
async function filled({ environment }: Clinic) {
  const store = await openStore(environment.DATABASE_URL ?? '');
  onTestFinished(() => store.close());
  const draft = draftOf(quoted.ticket);
  const findings = draft.inputs.findings.map((finding) => ({ ...finding, quote: quoted.quote }));
  await decisions.add(store.db, { ...draft, inputs: { ...draft.inputs, findings } }, 0, null);
  const sync = { agent: 'an@desk.example', orgId, crmCompanyId: '7', customer: 'c', previousCustomer: null, at: 1 };
  await syncs.record(store.db, { ...sync, ticket: synced });
  return async () => [
    (await decisions.list(store.db, { name: quoted.ticket, creation: synced.creation })).length,
    (await syncs.latest(store.db, synced)) === null ? 0 : 1,
  ];
}

describe('the command purge', () => {
  test('first says what would go, and with --yes deletes it, with the tickets that the helpdesk names', async () => {
    const world = await clinic();
    const left = await filled(world);
    const sender = String(world.helpdesk.document('HD Ticket', quoted.ticket)?.raised_by);
    const dry = await world.run(purgeCommand(), '--email', sender);
    expect(dry).toMatch(/Would be deleted .+\n {2}decisions {8} +1\n {2}tickets +1\n/);
    expect(dry).toContain(quoted.ticket);
    expect(dry).toContain('Nothing has been deleted. --yes does it.');
    expect(await left()).toEqual([1, 1]);
    const done = await world.run(purgeCommand(), '--email', sender, '--yes', '--json');
    expect(JSON.parse(done)).toMatchObject({ done: true, deleted: { decisions: 1, tickets: 1 } });
    expect(done + dry).not.toContain(sender);
    expect(await left()).toEqual([0, 1]);
    await world.run(purgeCommand(), '--org-id', orgId, '--yes');
    expect(await left()).toEqual([0, 0]);
  });

  test.each<[string, (world: Clinic) => unknown, string]>([
    [
      'of other teams',
      ({ helpdesk }) => (helpdesk.settings.restrictTicketsByAgentGroup = true),
      'Tickets are restricted to their teams',
    ],
    [
      'that a User Permission hides',
      ({ helpdesk }) => {
        const only = { 'HD Team': [{ doc: 'CS 60p', applicable_for: null }] };
        helpdesk.settings.userPermissions = { [demo.service.name]: only };
      },
      'has User Permissions for HD Team',
    ],
    [
      'at all, for want of its roles,',
      ({ environment }) => {
        const { apiKey, apiSecret } = demo.portal;
        Object.assign(environment, { HELPDESK_API_KEY: apiKey, HELPDESK_API_SECRET: apiSecret });
      },
      'is not an agent, so the helpdesk shows it no tickets',
    ],
  ])('names and deletes nothing where the account may not see tickets %s', async (_, narrow, why) => {
    const world = await clinic();
    const left = await filled(world);
    narrow(world);
    for (const subject of [
      ['--email', 'lan@shop.example'],
      ['--org-id', orgId],
    ])
      await expect(world.run(purgeCommand(), ...subject, '--yes')).rejects.toThrow(why);
    expect(await left()).toEqual([1, 1]);
  });

  test('a User Permission for what no ticket links to hides none', async () => {
    const world = await clinic();
    await filled(world);
    const only = {
      Company: [{ doc: 'A', applicable_for: null }],
      'HD Team': [{ doc: 'A', applicable_for: 'HD Agent' }],
    };
    world.helpdesk.settings.userPermissions = { [demo.service.name]: only };
    expect(await world.run(purgeCommand(), '--email', 'lan@shop.example')).toContain('Would be deleted');
  });

  test('is refused with wrong options, of a ticket names nothing else, and without the helpdesk deletes nothing', async () => {
    const world = await clinic();
    const left = await filled(world);
    for (const [options, message] of [
      [[], 'give one of --email, --org-id and --ticket'],
      [['--email', 'lan'], 'Expected an email address.'],
      [['--email', 'a@b.example', '--ticket', '1'], 'cannot be used with'],
    ] as const) {
      await expect(world.run(purgeCommand(), ...options, '--yes')).rejects.toThrow(message);
    }
    world.helpdesk.fault = () => 500;
    const searched: Error = await world.run(purgeCommand(), '--org-id', orgId, '--yes').then(
      () => expect.unreachable(),
      (reason) => reason,
    );
    expect(searched.message).toMatch(/^The helpdesk cannot be searched, so nothing was done \(.+\)$/);
    expect(searched.message).not.toContain(demo.service.apiSecret);
    expect(await left()).toEqual([1, 1]);
    const done = await world.run(purgeCommand(), '--ticket', quoted.ticket, '--yes');
    expect(done).toMatch(/^Deleted /);
    expect(done).not.toContain('CRM');
    expect(await left()).toEqual([0, 1]);
  });
});
