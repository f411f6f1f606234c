import { beforeEach, describe, expect, it } from 'vitest';
import type { Generation } from '#helpdesk/api.ts';
import { content, names, useSite } from '#helpdesk/testing/client.ts';
import { accounts, shop, ticket } from '#helpdesk/testing/replay-seed.ts';

const own = { owner: accounts.portal.name, raised_by: accounts.portal.name };
const foreign = { owner: 'Administrator', raised_by: 'boss@other.example', contact: null, customer: null };

describe.each<Generation>(['1.24', '1.28'])('who may do what in %s', (generation) => {
  const site = useSite(generation);
  const is124 = generation === '1.24';
  const get = async (as: keyof typeof accounts | null, name: unknown) =>
    (await site.get(as, `/api/method/frappe.client.get?doctype=HD%20Ticket&name=${name}`)).status;
  const numbers = async (as: keyof typeof accounts) =>
    names(await site.list(as, 'HD Ticket', { filters: [['name', 'in', ['501', '502', '503']]] })).map(String);
  const create = (as: keyof typeof accounts, doctype: string, values: object) =>
    site.send(as, 'POST', `/api/resource/${doctype}`, values);

  beforeEach(() => {
    site.simulator.settings.restrictTicketsByAgentGroup = false;
    site.simulator.put('HD Ticket', ticket('501', { ...own, agent_group: 'Medium - Grow' }));
    site.simulator.put('HD Ticket', ticket('502', { ...foreign, agent_group: 'Medium - Scale' }));
    site.simulator.put('HD Ticket', ticket('503', { ...foreign, agent_group: null }));
  });

  it('agents read every ticket, a portal customer his own, System Manager alone and Guest none', async () => {
    expect(await numbers('agent.c')).toEqual(['501', '502', '503']);
    expect(await numbers('portal')).toEqual(['501']);
    expect(await numbers('sysonly')).toEqual([]);
    expect([await get('agent.c', '502'), await get('portal', '501'), await get('portal', '502')]).toEqual([
      200, 200, 403,
    ]);
    expect((await site.list(null, 'HD Ticket')).status).toBe(403);
    expect(await get(null, '999999')).toBe(403);
    const put = (name: string) => site.send('portal', 'PUT', `/api/resource/HD Ticket/${name}`, { custom_orgid: '9' });
    expect(content(await put('501')).custom_orgid).toBe('9');
    expect((await put('502')).status).toBe(403);
  });

  it('tickets kept apart by team: those of one’s teams, those assigned, and all for a team without restrictions', async () => {
    const assignment = { doctype: 'HD Ticket', name: '501', assign_to: [accounts['agent.c'].name] };
    await site.send('service', 'POST', '/api/method/frappe.desk.form.assign_to.add', assignment);
    site.simulator.settings.restrictTicketsByAgentGroup = true;
    expect(await numbers('agent.a')).toEqual(['502']);
    expect(await numbers('agent.b')).toEqual(['501', '502']);
    expect(await get('agent.a', '501')).toBe(403);
    expect(await numbers('agent.c')).toContain('501');
    const users = [{ user: accounts.service.name }];
    site.simulator.put('HD Team', { name: 'Everything', team_name: 'Everything', ignore_restrictions: 1, users });
    expect(await numbers('service')).toEqual(['501', '502', '503']);
  });

  it('agents see only the ToDos that they have or gave, System Managers all', async () => {
    const todo = (name: string, allocated_to: string, assigned_by: string) => {
      const about = { status: 'Open', reference_type: 'HD Ticket', reference_name: '502', description: 'x' };
      site.simulator.put('ToDo', { name, allocated_to, assigned_by, ...about });
    };
    todo('for-a', accounts['agent.a'].name, accounts.service.name);
    todo('by-b', accounts['agent.c'].name, accounts['agent.b'].name);
    const list = async (as: keyof typeof accounts) =>
      names(await site.list(as, 'ToDo', { filters: { reference_name: '502' } }));
    expect([await list('agent.a'), await list('agent.b')]).toEqual([['for-a'], ['by-b']]);
    expect(await list('service')).toEqual(['by-b', 'for-a']);
  });

  it(`tickets are for ${is124 ? 'everybody' : 'whoever has a portal customer’s role'}`, async () => {
    const meta = await site.get('portal', '/api/method/frappe.desk.form.load.getdoctype?doctype=HD Ticket');
    const docs = meta.body.docs as { name: string; permissions: { role: string }[] }[];
    const roles = docs.find(({ name }) => name === 'HD Ticket')?.permissions.map(({ role }) => role) ?? [];
    const portal = is124 ? ['All'] : ['HD Customer', 'HD Customer Manager'];
    expect(roles.toSorted()).toEqual(['System Manager', 'Agent Manager', 'Agent', ...portal].toSorted());
    expect((await create('portal', 'HD Ticket', { subject: 'x', description: 'x' })).status).toBe(200);
  });

  it('a portal customer reads no other contact, but may create and change one of his own', async () => {
    site.simulator.put('HD Customer', { name: shop, customer_name: shop });
    const links = [{ link_doctype: 'HD Customer', link_name: shop }];
    const created = await create('portal', 'Contact', { first_name: 'Forged', links });
    expect(content(created)).toMatchObject({ name: `Forged-${shop}`, owner: accounts.portal.name });
    expect((await site.get('portal', '/api/resource/Contact/John Doe')).status).toBe(403);
    const put = async (as: keyof typeof accounts) =>
      (await site.send(as, 'PUT', `/api/resource/Contact/Forged-${shop}`, { last_name: 'Again' })).status;
    expect([await put('portal'), await put('agent.a')]).toEqual([200, 403]);
    expect((await create('agent.a', 'Contact', { first_name: 'By an agent' })).status).toBe(200);
  });

  it('whoever a contact is named like reads the tickets of the address in it, one that was without contact as well', async () => {
    const insert = { subject: 'x', description: 'x', raised_by: 'boss@mo.example' };
    const early = content(await create('service', 'HD Ticket', insert));
    const email_ids = [{ email_id: insert.raised_by, is_primary: 1 }];
    await create('portal', 'Contact', { first_name: accounts.portal.name, email_ids });
    const late = content(await create('service', 'HD Ticket', insert));
    expect([late.contact, await get('portal', late.name)]).toEqual([accounts.portal.name, 200]);
    expect(await get('portal', early.name)).toBe(403);
    const written = await site.send('service', 'PUT', `/api/resource/HD Ticket/${early.name}`, { custom_orgid: '1' });
    expect([content(written).contact, await get('portal', early.name)]).toEqual([accounts.portal.name, 200]);
  });

  it(`a sender ${is124 ? 'may' : 'may not'} name another’s contact`, async () => {
    const email_ids = [{ email_id: 'other@mo.example', is_primary: 1 }];
    await create('service', 'Contact', { first_name: 'Other', email_ids });
    const answer = await site.send('portal', 'PUT', '/api/resource/HD Ticket/501', { contact: 'Other' });
    expect(answer.status).toBe(is124 ? 200 : 403);
  });
});
