import { demo, type HelpdeskSeed } from '@deskside/simulators/seed/index';
import { describe, expect, it, test } from 'vitest';
import type { HelpdeskError } from './errors.ts';
import type { PermissionRow } from './frappe.ts';
import { websiteRolesThatSet } from './permissions.ts';
import type { Credential } from './site.ts';
import { as, generations, kind, signal, useSimulatedSite } from './testing/simulated-site.ts';

const rightOf = { r: 'read', w: 'write', c: 'create' } as const;
const row = (role: string, rights: string, permlevel = 0, if_owner = false): PermissionRow => ({
  ...{ role, permlevel, if_owner },
  rights: [...rights].map((one) => rightOf[one as keyof typeof rightOf]),
});
const staff = [row('System Manager', 'rwc'), row('Agent', 'rw'), row('System Manager', 'rw', 1)];

test.each<[string, PermissionRow[], number, string[]]>([
  ['where only staff may write', staff, 0, []],
  ['where they may read', [...staff, row('HD Customer', 'r')], 0, []],
  ['where they may write', [...staff, row('HD Customer Manager', 'rw')], 0, ['HD Customer Manager']],
  ['where they may create', [...staff, row('All', 'c')], 0, ['All']],
  ['where they may write their own', [...staff, row('All', 'rwc', 0, true)], 0, ['All']],
  ['where a guest may create', [...staff, row('Guest', 'c')], 0, ['Guest']],
  ['where a role of which nothing is known may write', [row('Reseller', 'w')], 0, ['Reseller']],
  ['by a level that they have not', [...staff, row('HD Customer Manager', 'rw')], 1, []],
  ['by a level that they may read', [row('Portal', 'rw'), row('Portal', 'r', 1)], 1, []],
  ['by a level that is theirs', [row('Portal', 'rw'), row('Portal', 'rw', 1)], 1, ['Portal']],
  ['by two roles of one user', [row('Portal', 'w'), row('All', 'w', 1)], 1, ['All']],
  ['by a level alone, without the document', [row('Portal', 'r'), row('Portal', 'rw', 1)], 1, []],
  ['by Administrator, who is no website user', [row('Administrator', 'rwc')], 0, []],
  ['where there are no rows', [], 0, []],
])('a field can be set by website users %s', (_what, rows, level, roles) => {
  expect(websiteRolesThatSet(rows, level, new Set(['System Manager', 'Agent', 'All']))).toEqual(roles);
});

const customer = 'Gốm Sứ Làng Mơ - 200000376001';
const ticket = demo.tickets.matched;

/** The service account may not see which roles there are. */
const withoutRoles = ({ users }: HelpdeskSeed) => {
  for (const user of users) if (user.name === demo.service.name) user.roles = ['Agent'];
};

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  const ofTicket = (caller: Parameters<typeof as>[0], name = ticket) =>
    site.helpdesk.rights.requireWrite('HD Ticket', name, as(caller), signal);
  const forbidden = (asked: Promise<unknown>) => expect(asked).rejects.toMatchObject(kind('forbidden'));
  const nobodys = (asked: Promise<unknown>) => expect(asked).rejects.toMatchObject(kind('unauthenticated'));

  const { matched, missingOrgId, restrictedTeam } = demo.tickets;
  it.each<[string, Credential, string, string | null, string | null]>([
    ['an agent outside of a restricted team', as(demo.otherAgent), restrictedTeam, 'forbidden', 'forbidden'],
    ['an agent inside', as(demo.agent), restrictedTeam, null, null],
    ['a System Manager who is no agent', as(demo.sysonly), matched, 'forbidden', 'forbidden'],
    ['nobody', { authorization: 'token wrong:wrong' }, matched, 'unauthenticated', 'unauthenticated'],
    ['one without a credential', { authorization: 'nonsense' }, matched, 'forbidden', 'forbidden'],
    // That they are not agents is judged elsewhere.
    ['who sent it', as(demo.portal), matched, generation === '1.24' ? 'forbidden' : null, null],
    ['another customer', as(demo.portal), missingOrgId, 'forbidden', 'forbidden'],
  ])('a ticket for %s: read %3$s, written %4$s', async (_, caller, name, read, write) => {
    site.simulator.settings.restrictTicketsByAgentGroup = true;
    const comesTo = (asked: Promise<unknown>) =>
      asked.then(
        () => null,
        (error: HelpdeskError) => error.kind,
      );
    expect(await comesTo(site.helpdesk.tickets.readAs(caller, name, signal))).toBe(read);
    expect(await comesTo(site.helpdesk.rights.requireWrite('HD Ticket', name, caller, signal))).toBe(write);
  });

  describe('writing a ticket', () => {
    it('is for agents, judged from their own credential in two requests at once', async () => {
      await ofTicket(demo.agent);
      expect(site.calls().sort()).toEqual([
        `GET /api/method/frappe.client.has_permission ${demo.agent.name} 200`,
        `GET /api/resource/HD Ticket ${demo.agent.name} 200`,
      ]);
      const asked = site.simulator.journal.find(({ path }) => path.includes('permission'));
      expect(asked?.query).toMatchObject({ perm_type: 'write' });
    });

    it('is forbidden to an agent who may only read', async () => {
      for (const role of ['Agent', 'All'])
        await site.upstream.request({
          ...{ method: 'POST', signal },
          path: '/api/method/frappe.core.page.permission_manager.permission_manager.update',
          headers: { ...as(demo.sysonly), 'content-type': 'application/json' },
          body: JSON.stringify({ doctype: 'HD Ticket', role, permlevel: 0, ptype: 'write', value: 0 }),
        });
      expect((await site.helpdesk.tickets.readAs(as(demo.agent), ticket, signal)).ticket.name).toBe(ticket);
      await forbidden(ofTicket(demo.agent));
    });
  });

  it('writing a customer is for the desk: in 1.28 agents may only read', async () => {
    const ask = (user: Parameters<typeof as>[0]) =>
      site.helpdesk.rights.requireWrite('HD Customer', customer, as(user), signal);
    if (generation === '1.24') await ask(demo.agent);
    else await forbidden(ask(demo.agent));
    await ask(demo.service);
    await forbidden(ask(demo.forger));
  });

  it('reading a customer is for agents, judged from their own credential in one request', async () => {
    await site.helpdesk.rights.requireCustomerRead(as(demo.agent), customer, signal);
    expect(site.calls()).toEqual([`GET /api/method/frappe.client.get ${demo.agent.name} 200`]);
    await forbidden(site.helpdesk.rights.requireCustomerRead(as(demo.portal), 'Khách lẻ', signal));
    await nobodys(site.helpdesk.rights.requireCustomerRead({ authorization: 'token wrong:wrong' }, customer, signal));
  });

  describe('the CRM id of a customer', () => {
    const isProtected = () => site.helpdesk.rights.crmIdIsProtected(signal);

    it('may in 1.28 be set by the managers of the customer, unless it is protected', async () => {
      expect(await isProtected()).toBe(true);
      site.seeded((seed) => {
        delete seed.protectedFields;
      });
      expect(await isProtected()).toBe(generation === '1.24');
    });

    it('is not protected where the service account may not read the roles, which is said and asked once in ten minutes', async () => {
      site.seeded(withoutRoles);
      expect([await isProtected(), await isProtected()]).toEqual([false, false]);
      expect([site.warnings.length, site.calls().length]).toEqual([1, 2]);
    });

    it('is asked about again where the helpdesk did not answer', async () => {
      site.simulator.fault = () => 503;
      expect(await isProtected()).toBe(false);
      site.simulator.fault = null;
      expect(await isProtected()).toBe(true);
    });
  });

  describe('only the desk may write a customer', () => {
    const name = 'Cà phê Sương Núi';
    /** Where no role of website users may write customers, whoever made or manages one does not matter. */
    const isClosed = generation === '1.24';
    type Member = { contact_name: string; is_manager: 0 | 1 };
    const member = (contact_name: string, is_manager: 0 | 1): Member => ({ contact_name, is_manager });
    const isDeskOnly = (asked = name) => site.helpdesk.rights.isDeskOnly(asked, signal);

    function put(owner: string, members: Member[] = []) {
      for (const name of ['Vy', 'Lan'])
        site.simulator.put('Contact', { name, owner: demo.agent.name, first_name: name, email_ids: [] });
      const contacts = isClosed ? {} : { contacts: members };
      site.simulator.put('HD Customer', { name, customer_name: name, owner, ...contacts });
    }

    it.each<[string, string, Member[], boolean]>([
      ['that an agent made, and nobody is of', demo.agent.name, [], true],
      ['that an agent made, and nobody manages', demo.agent.name, [member('Vy', 0), member('Lan', 0)], true],
      ['that the helpdesk’s own account made', 'Administrator', [], true],
      ['that this service made', demo.service.name, [member('Vy', 0)], true],
      ['not one that somebody manages', demo.agent.name, [member('Vy', 0), member('Lan', 1)], isClosed],
      ['not one that a website user made', demo.portal.name, [], isClosed],
      ['not one that somebody made whose account is gone', 'sly@else.example', [], isClosed],
      ['not one with more members than are read', demo.agent.name, Array(600).fill(member('Vy', 0)), isClosed],
    ])('%s', async (_, owner, members, expected) => {
      put(owner, members);
      expect(await isDeskOnly()).toBe(expected);
      // The database takes that for the same.
      if (!isClosed) expect(await isDeskOnly('Ca phe suong nui')).toBe(false);
    });

    it('not where it cannot be seen which roles website users have', async () => {
      site.seeded(withoutRoles);
      put(demo.portal.name);
      expect(await isDeskOnly()).toBe(false);
    });

    it('which takes one request once the roles are known, as the service account', async () => {
      put(demo.agent.name);
      await site.warmed();
      await site.helpdesk.people.serviceUser(signal);
      await isDeskOnly();
      site.simulator.clearJournal();
      await isDeskOnly();
      // Who is of the desk is asked of the accounts.
      const asked = ['HD Customer', 'User'].map((doctype) => `GET /api/resource/${doctype} ${demo.service.name} 200`);
      expect(site.calls()).toEqual(isClosed ? [] : asked);
    });
  });
});
