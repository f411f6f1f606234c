import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/api';
import { demo, type HelpdeskSeed, type HelpdeskUserSeed } from '@deskside/simulators/seed/index';
import { beforeEach, describe, expect, test } from 'vitest';
import { HelpdeskAdmin } from '#helpdesk/admin.ts';
import { as, generations, signal, useSimulatedSite } from '#helpdesk/testing/simulated-site.ts';
import type { Upstream } from '#net/egress.ts';
import { bare, callAs, keys, listAll, run } from '#setup/testing/run-provision.ts';
import { rowsHiddenByOwn } from './rights.ts';

const open = (seed: HelpdeskSeed) => {
  delete seed.closedContacts;
};
const everybody = { portal: demo.portal, agent: demo.agent, manager: demo.service, system: demo.sysonly };

describe('provision and who may change Contacts', () => {
  const site = useSimulatedSite('1.28');
  let simulator: HelpdeskSimulator;
  beforeEach(async () => {
    ({ simulator } = await site.another(open));
  });
  const provision = (more = {}) => run(simulator, more);
  const remove = () => provision({ remove: true });

  const call = (user: HelpdeskUserSeed, method: string, at: string, body?: object) =>
    callAs(user, simulator, method, at, body);

  /** Their statuses: create a Contact, then read, edit and delete one of their own, then read and edit another's. */
  async function statusesOf(user: HelpdeskUserSeed): Promise<string> {
    simulator.put('Contact', { name: 'Own', first_name: 'Own', owner: user.name });
    simulator.put('Contact', { name: 'Other', first_name: 'Other', owner: 'Administrator' });
    const name = `New ${Math.random()}`;
    const statuses = [
      await call(user, 'POST', 'resource/Contact', { first_name: name }),
      await call(user, 'GET', 'resource/Contact/Own'),
      await call(user, 'PUT', 'resource/Contact/Own', { last_name: 'Edited' }),
      await call(user, 'DELETE', 'resource/Contact/Own'),
      await call(user, 'GET', 'resource/Contact/Other'),
      await call(user, 'PUT', 'resource/Contact/Other', { last_name: 'Edited' }),
    ].map(({ status }) => status);
    return statuses.join(' ');
  }
  async function everybodysStatuses(): Promise<Record<string, string>> {
    const statuses: Record<string, string> = {};
    for (const [who, user] of Object.entries(everybody)) statuses[who] = await statusesOf(user);
    return statuses;
  }

  async function rows(): Promise<Record<string, unknown>[]> {
    const all = await listAll(simulator, 'Custom DocPerm', [['parent', '=', 'Contact']]);
    return all.map(({ modified: _, modified_by: __, ...row }) => row);
  }
  const rightsOf = async (role: string) =>
    (await rows())
      .filter((row) => row.role === role)
      .map((row) => `${['read', 'create', 'write', 'delete'].filter((right) => row[right] === 1)} ${row.if_owner}`);

  test('website users lose them, everybody of the desk keeps them, and --remove gives them back', async () => {
    const all = '200 200 200 202 200 200';
    const desk = { agent: '200 200 200 202 200 403', manager: all, system: all };
    const stock = { ...desk, portal: '200 200 200 202 403 403' };
    expect(await everybodysStatuses()).toEqual(stock);
    const before = await rows();

    const first = await provision();
    expect(first.code).toBe(0);
    expect(first.out).toMatch(/will be created +Contact for Desk User +no row becomes read, write, create, delete/);
    expect(first.out).toMatch(
      /will be changed +Contact for All +read, write, create, delete \(own documents only\) becomes read/,
    );
    expect(await everybodysStatuses()).toEqual({ ...desk, portal: '403 200 403 403 403 403' });

    const second = await provision();
    expect(second).toMatchObject({ code: 0, writes: [], out: expect.stringContaining('Nothing to do.') });

    const removed = await remove();
    expect(removed.code).toBe(0);
    expect(removed.out).toMatch(/will be changed +Contact for All +back to read, write, create, delete/);
    expect(await rows()).toEqual(before);
    expect(await everybodysStatuses()).toEqual(stock);
    expect((await remove()).out).not.toContain('Contact');
  });

  test('any other role of website users loses them too; what somebody changes later stays', async () => {
    const guest = { name: 'guest', parent: 'Contact', role: 'Guest', permlevel: 0, if_owner: 0, read: 0, create: 1 };
    const portal = { ...guest, name: 'portal', role: 'Reseller', read: 1, write: 1 };
    simulator.put('Custom DocPerm', guest);
    simulator.put('Custom DocPerm', portal);
    await provision();
    expect([await rightsOf('Guest'), await rightsOf('Reseller')]).toEqual([[], ['read 0']]);
    simulator.put('Custom DocPerm', { ...portal, write: 0, create: 0, delete: 1 });
    const { out } = await remove();
    expect(out).toMatch(/CONFLICT +Contact for Reseller +is read, delete, .* kept; it was read, write, create/);
    expect([await rightsOf('Guest'), await rightsOf('Reseller')]).toEqual([['create 0'], ['read,delete 0']]);
    expect(await rightsOf('All')).toEqual(['read,create,write,delete 1']);
  });

  test('what an earlier version took less of is given back as it was before that one', async () => {
    const row = { role: 'All', permlevel: 0, if_owner: true };
    const given = ['read', 'write', 'create'];
    const change = { before: { ...row, rights: [...given, 'delete'] }, after: { ...row, rights: given } };
    const noted = { had_own_rows: true, rows: [change], fields: [], levels: [] };
    const about = { reference_doctype: 'DocType', reference_name: 'Contact', subject: 'Deskside: what was changed' };
    simulator.put('Comment', { name: 'n', ...about, content: JSON.stringify(noted) });
    const [own] = await listAll(simulator, 'Custom DocPerm', [
      ['parent', '=', 'Contact'],
      ['role', '=', 'All'],
    ]);
    simulator.put('Custom DocPerm', { ...own, name: String(own?.name), delete: 0 });
    await provision();
    expect(await rightsOf('All')).toEqual(['read 1']);
    await remove();
    expect(await rightsOf('All')).toEqual(['read,create,write,delete 1']);
  });

  test('without the role Desk User the agents get them', async () => {
    simulator.put('Role', { name: 'Desk User', role_name: 'Desk User', desk_access: 0 });
    const before = await rows();
    await provision();
    const own = 'read,create,write,delete 1';
    expect(await rightsOf('Agent')).toEqual(expect.arrayContaining(['read 0', own]));
    expect(await rightsOf('Agent Manager')).toContain(own);
    expect(await rightsOf('Desk User')).toEqual([]);
    expect(await statusesOf(demo.agent)).toBe('200 200 200 202 200 403');
    await remove();
    expect(await rows()).toEqual(before);
  });

  test('no row is changed while the note cannot be written, and a run that was cut off is completed', async () => {
    const refuse = (refused: string, at: string) => {
      simulator.fault = ({ method, path }) => (method === refused && path.startsWith(at) ? 500 : null);
    };
    const before = await rows();
    refuse('POST', '/api/resource/Comment');
    const failed = await provision();
    expect(failed.code).toBe(1);
    expect(failed.out).toMatch(/FAILED +Contact for All: not tried: how it was could not be noted/);
    expect(await rows()).toEqual(before);

    refuse('PUT', '/api/resource/Custom DocPerm');
    await provision();
    for (const role of ['Desk User', 'All']) expect(await rightsOf(role)).toEqual(['read,create,write,delete 1']);
    simulator.fault = null;
    await provision();
    expect(await rightsOf('All')).toEqual(['read 1']);

    refuse('PUT', '/api/resource/Custom DocPerm');
    expect((await remove()).code).toBe(1);
    simulator.fault = null;
    await remove();
    expect(await rows()).toEqual(before);
  });

  test('a site whose Contact has the standard rows alone is given rows of its own, and none in the end', async () => {
    for (const { name } of await rows()) await call(demo.administrator, 'DELETE', `resource/Custom DocPerm/${name}`);
    expect(await rows()).toEqual([]);
    expect((await provision()).out).toContain('This gives Contact role permissions of its own (Custom DocPerm)');
    expect(await rightsOf('All')).toEqual(['read 1']);
    expect(await statusesOf(demo.portal)).toBe('403 200 403 403 403 403');
    await remove();
    expect(await rows()).toEqual([]);
    expect(await statusesOf(demo.portal)).toBe('200 200 200 202 403 403');
  });

  test('a note that somebody has changed is said, and nothing is put back by guess', async () => {
    await provision();
    const [note] = await listAll(simulator, 'Comment', [['reference_name', '=', 'Contact']]);
    await call(demo.administrator, 'PUT', `resource/Comment/${note?.name}`, { content: 'gone' });
    expect((await remove()).out).toMatch(/CONFLICT +Note of what was changed at Contact +cannot be read/);
    expect(await rightsOf('All')).toEqual(['read 1']);
  });
});

describe.each(generations)('provision and who may share on Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  let simulator: HelpdeskSimulator;
  let upstream: Upstream;
  beforeEach(async () => {
    ({ simulator, upstream } = await site.another((seed) => {
      delete seed.closedShares;
    }));
  });
  const ticket = demo.tickets.matched;
  const share = async (user: HelpdeskUserSeed, doctype: string, name: string) =>
    (await callAs(user, simulator, 'POST', 'method/frappe.share.add', { doctype, name })).status;
  const mail = {
    doctype: 'HD Ticket',
    name: ticket,
    recipients: 'x@y.example',
    send_email: 1,
    print_format: 'Standard',
  };
  const mails = async (user: HelpdeskUserSeed) =>
    (await callAs(user, simulator, 'POST', 'method/frappe.core.doctype.communication.email.make', mail)).status;
  const allShare = async () => ({
    portal: await share(demo.portal, 'HD Ticket', ticket),
    agent: await share(demo.agent, 'HD Ticket', ticket),
    manager: await share(demo.service, 'HD Ticket', ticket),
    ofCustomer: await share(demo.portal, 'HD Customer', customer),
    mailed: [await mails(demo.portal), await mails(demo.agent), await mails(demo.service)],
  });
  const rows = async () => {
    const all = await listAll(simulator, 'Custom DocPerm', [['parent', 'in', 'HD Ticket,HD Customer']]);
    return all.map(({ modified: _, modified_by: __, ...row }) => row);
  };
  const reads = async () => (await callAs(demo.portal, simulator, 'GET', `resource/HD Ticket/${ticket}`)).status;

  test('website users may no more, and read what is theirs; the desk does; --remove gives it back', async () => {
    const stock = {
      portal: 200,
      agent: 200,
      manager: 200,
      ofCustomer: generation === '1.24' ? 403 : 200,
      mailed: [200, 200, 200],
    };
    expect(await allShare()).toEqual(stock);
    const before = await rows();
    const first = await run(simulator);
    expect(first.code).toBe(0);
    expect(first.out).toContain(
      `may share any ${generation === '1.24' ? 'HD Ticket' : 'HD Customer'} that they read, or mail it: whoever has the share`,
    );
    const line = { '1.24': 'HD Ticket for All', '1.28': 'HD Customer for HD Customer' }[generation];
    expect(first.out).toMatch(new RegExp(`will be changed +${line} +.*share.* becomes (?!.*share)`));
    expect(await allShare()).toEqual({ ...stock, portal: 403, ofCustomer: 403, mailed: [403, 200, 200] });
    expect(await reads()).toBe(200);
    expect(await run(simulator)).toMatchObject({ code: 0, writes: [] });
    expect((await run(simulator, { remove: true })).code).toBe(0);
    expect(await rows()).toEqual(before);
    expect(await allShare()).toEqual(stock);
  });

  test('what a release changes of the rows that ours hide is named, until the site’s own follow it', async () => {
    await run(simulator);
    const admin = new HelpdeskAdmin(upstream, keys.Administrator);
    expect(await rowsHiddenByOwn(admin)).toEqual([]);
    const added = { role: 'HD Partner', permlevel: 0, if_owner: false, rights: ['read', 'create', 'share'] as const };
    const updated = Object.assign(new HelpdeskAdmin(upstream, keys.Administrator), {
      async roleRows(doctype: string) {
        const { standard, ...rows } = await admin.roleRows(doctype);
        if (doctype !== 'HD Ticket') return { ...rows, standard };
        return {
          ...rows,
          standard: [...standard.filter(({ role }) => role !== 'Agent'), { ...added, rights: [...added.rights] }],
        };
      },
    });
    const named = () => rowsHiddenByOwn(updated);
    const ofAgent = 'HD Ticket for Agent: read, write, create, delete, share, email became no row';
    expect(await named()).toEqual(['HD Ticket for HD Partner: no row became read, create, share', ofAgent]);
    const row = { parent: 'HD Ticket', role: 'HD Partner', permlevel: 0, if_owner: 0, read: 1, create: 1, share: 0 };
    await callAs(demo.administrator, simulator, 'POST', 'resource/Custom DocPerm', row);
    expect(await named()).toEqual([ofAgent]);
  });
});

const customer = 'Gốm Sứ Làng Mơ - 200000376001';
const unprotected = (seed: HelpdeskSeed) => {
  delete seed.protectedFields;
};
const orgIdField = 'HD Customer-custom_platform_orgid';

describe.each(generations)('provision and the org id of customers on Helpdesk %s', (generation) => {
  const isOpen = generation === '1.28';
  const site = useSimulatedSite(generation);
  let simulator: HelpdeskSimulator;
  let upstream: Upstream;
  beforeEach(async () => {
    ({ simulator, upstream } = await site.another(unprotected));
  });
  const provision = () => run(simulator);
  const levelOf = (name: string) => simulator.document('Custom Field', name)?.permlevel ?? 0;
  const managers = (writes: string[]) => writes.filter((write) => /permission_manager|Custom DocPerm/.test(write));

  const stored = () => simulator.document('HD Customer', customer)?.custom_platform_orgid;

  test('portal customers can no longer change it, the desk and the service still write and read it', async () => {
    const first = await provision();
    expect(first.code).toBe(0);
    expect(first.out.includes('Warning: Portal customers with the role HD Customer Manager may change')).toBe(isOpen);
    expect(managers(first.writes).length > 0).toBe(isOpen);
    expect([levelOf(orgIdField), levelOf('HD Customer-custom_crm_company_id')]).toEqual(isOpen ? [1, 1] : [0, 0]);
    expect(levelOf('HD Customer-custom_customer_segment')).toBe(0);

    const changes = { custom_platform_orgid: '299999999' };
    const { status } = await callAs(demo.portal, simulator, 'PUT', `resource/HD Customer/${customer}`, changes);
    expect(status).toBe(isOpen ? 200 : 403);
    expect(stored()).toBe('200000376001');
    const helpdesk = site.adapter({ upstream });
    expect(await helpdesk.rights.crmIdIsProtected(signal)).toBe(true);
    const record = await helpdesk.customers.read(customer, signal);
    if (record === null) throw new Error('the service account cannot read the customer');
    expect(record.orgId).toBe('200000376001');
    expect(await helpdesk.customers.update(record, { crmCompanyId: '7' }, signal)).toHaveLength(1);
    const file = await helpdesk.tickets.readAs(as(demo.agent), demo.tickets.matched, signal);
    expect(file.customer?.custom_platform_orgid).toBe('200000376001');

    const second = await provision();
    expect(second).toMatchObject({ code: 0, writes: [] });
    expect(second.out).not.toMatch(/Warning: (?!Intake by)/);
  });

  test('new fields are made at that level', async () => {
    simulator = (await site.another(bare)).simulator;
    await provision();
    expect(simulator.document('Custom Field', orgIdField)).toMatchObject({ permlevel: isOpen ? 1 : 0, read_only: 0 });
  });

  if (isOpen) {
    test('the field stays open to the desk while a row is missing; the next run completes it', async () => {
      let rows = 0;
      simulator.fault = ({ method, path }) =>
        method === 'POST' && path === '/api/resource/Custom DocPerm' && ++rows === 2 ? 500 : null;
      const { code, out } = await provision();
      expect(code).toBe(1);
      expect(out).toMatch(/FAILED +HD Customer.custom_platform_orgid: not tried/);
      expect(out).toMatch(/done +Webhook/);
      expect(levelOf(orgIdField)).toBe(0);
      simulator.fault = null;
      expect((await provision()).code).toBe(0);
      expect(levelOf(orgIdField)).toBe(1);
    });
  }
});
