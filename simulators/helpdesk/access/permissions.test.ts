import { beforeEach, describe, expect, it } from 'vitest';
import type { Generation } from '#helpdesk/api.ts';
import { content, names, useSite } from '#helpdesk/testing/client.ts';
import { accounts, ticket } from '#helpdesk/testing/replay-seed.ts';

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

  it(`tickets are for ${is124 ? 'everybody' : 'whoever has a portal customer’s role'}`, async () => {
    const meta = await site.get('portal', '/api/method/frappe.desk.form.load.getdoctype?doctype=HD Ticket');
    const docs = meta.body.docs as { name: string; permissions: { role: string }[] }[];
    const roles = docs.find(({ name }) => name === 'HD Ticket')?.permissions.map(({ role }) => role) ?? [];
    const portal = is124 ? ['All'] : ['HD Customer', 'HD Customer Manager'];
    expect(roles.toSorted()).toEqual(['System Manager', 'Agent Manager', 'Agent', ...portal].toSorted());
    expect((await create('portal', 'HD Ticket', { subject: 'x', description: 'x' })).status).toBe(200);
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
