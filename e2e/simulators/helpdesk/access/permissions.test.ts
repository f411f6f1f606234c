import { beforeEach, describe, expect, it } from 'vitest';
import type { Generation } from '#helpdesk/api.ts';
import { content, names, useSite } from '#helpdesk/testing/client.ts';
import { accounts, shop, ticket } from '#helpdesk/testing/replay-seed.ts';

const own = { owner: accounts.portal.name, raised_by: accounts.portal.name };
const foreign = { owner: 'Administrator', raised_by: 'boss@other.example', contact: null, customer: null };

describe.each<Generation>(['1.24', '1.28'])('who may do what in %s', (generation) => {
  const site = useSite(generation);
  const get = (as: keyof typeof accounts | null, name: string) =>
    site.get(as, `/api/method/frappe.client.get?doctype=HD%20Ticket&name=${name}`);
  const numbers = async (as: keyof typeof accounts) =>
    names(await site.list(as, 'HD Ticket', { filters: [['name', 'in', ['501', '502', '503']]] })).map(String);

  beforeEach(() => {
    site.simulator.settings.restrictTicketsByAgentGroup = false;
    site.simulator.settings.doNotRestrictTicketsWithoutAnAgentGroup = false;
    site.simulator.put('HD Ticket', ticket('501', { ...own, agent_group: 'Medium - Grow' }));
    site.simulator.put('HD Ticket', ticket('502', { ...foreign, agent_group: 'Medium - Scale' }));
    site.simulator.put('HD Ticket', ticket('503', { ...foreign, agent_group: null }));
  });

  it('agents read every ticket', async () => {
    expect(await numbers('agent.c')).toEqual(['501', '502', '503']);
    expect((await get('agent.c', '502')).status).toBe(200);
  });

  it('a portal customer reads and writes his own ticket and no other', async () => {
    expect(await numbers('portal')).toEqual(['501']);
    expect((await get('portal', '501')).status).toBe(200);
    expect((await get('portal', '502')).status).toBe(403);
    const put = (name: string) => site.send('portal', 'PUT', `/api/resource/HD Ticket/${name}`, { custom_orgid: '9' });
    expect(content(await put('501')).custom_orgid).toBe('9');
    expect((await put('502')).status).toBe(403);
  });

  it('System Manager alone sees no ticket, Guest nothing at all', async () => {
    expect(await numbers('sysonly')).toEqual([]);
    expect(await get('sysonly', '502')).toMatchObject({ status: 403, body: { exc_type: 'PermissionError' } });
    expect((await get(null, '502')).status).toBe(403);
    expect((await site.list(null, 'HD Ticket')).status).toBe(403);
  });

  it('a missing ticket is 404 for whoever may read tickets, and 403 for Guest', async () => {
    expect((await get('agent.a', '999999')).status).toBe(404);
    expect((await get('portal', '999999')).status).toBe(404);
    expect((await get(null, '999999')).status).toBe(403);
  });

  describe('with tickets kept apart by team', () => {
    beforeEach(() => {
      site.simulator.settings.restrictTicketsByAgentGroup = true;
    });

    it('an agent sees the tickets of his teams only', async () => {
      expect(await numbers('agent.a')).toEqual(['502']);
      expect(await numbers('agent.b')).toEqual(['501', '502']);
      expect((await get('agent.a', '501')).status).toBe(403);
    });

    it('tickets without a team are open where the site says so', async () => {
      site.simulator.settings.doNotRestrictTicketsWithoutAnAgentGroup = true;
      expect(await numbers('agent.a')).toEqual(['502', '503']);
    });

    it('an assigned agent sees the ticket whatever its team', async () => {
      const target = { doctype: 'HD Ticket', name: '501', assign_to: [accounts['agent.c'].name] };
      site.simulator.settings.restrictTicketsByAgentGroup = false;
      expect((await site.send('service', 'POST', '/api/method/frappe.desk.form.assign_to.add', target)).status).toBe(
        200,
      );
      site.simulator.settings.restrictTicketsByAgentGroup = true;
      expect(await numbers('agent.c')).toContain('501');
    });

    it('a member of a team with ignore_restrictions sees everything', async () => {
      expect(await numbers('service')).toEqual([]);
      const users = [{ user: accounts.service.name }];
      site.simulator.put('HD Team', { name: 'Everything', team_name: 'Everything', ignore_restrictions: 1, users });
      expect(await numbers('service')).toEqual(['501', '502', '503']);
    });
  });

  it('agents see only the ToDos that they have or gave, System Managers all', async () => {
    const todo = { status: 'Open', reference_type: 'HD Ticket', reference_name: '502', description: 'x' };
    site.simulator.put('ToDo', {
      name: 'for-a',
      allocated_to: accounts['agent.a'].name,
      assigned_by: accounts.service.name,
      ...todo,
    });
    site.simulator.put('ToDo', {
      name: 'by-b',
      allocated_to: accounts['agent.c'].name,
      assigned_by: accounts['agent.b'].name,
      ...todo,
    });
    const list = async (as: keyof typeof accounts) =>
      names(await site.list(as, 'ToDo', { filters: { reference_name: '502' } }));
    expect(await list('agent.a')).toEqual(['for-a']);
    expect(await list('agent.b')).toEqual(['by-b']);
    expect(await list('service')).toEqual(['by-b', 'for-a']);
  });

  it(`agents ${generation === '1.24' ? 'may' : 'may not'} create customers`, async () => {
    const answer = await site.send('agent.a', 'POST', '/api/resource/HD Customer', { customer_name: 'By an agent' });
    expect(answer.status).toBe(generation === '1.24' ? 200 : 403);
  });

  it(`tickets are for ${generation === '1.24' ? 'everybody' : 'whoever has a portal customer’s role'}`, async () => {
    const meta = await site.get('portal', '/api/method/frappe.desk.form.load.getdoctype?doctype=HD Ticket');
    const docs = meta.body.docs as { name: string; permissions: { role: string }[] }[];
    const roles = docs.find(({ name }) => name === 'HD Ticket')?.permissions.map(({ role }) => role) ?? [];
    const desk = ['System Manager', 'Agent Manager', 'Agent'];
    const portal = generation === '1.24' ? ['All'] : ['HD Customer', 'HD Customer Manager'];
    expect(roles.toSorted()).toEqual([...desk, ...portal].toSorted());
    const made = await site.send('portal', 'POST', '/api/resource/HD Ticket', { subject: 'x', description: 'x' });
    expect(made.status).toBe(200);
  });

  it('a portal customer reads no other contact, but may create one of his own', async () => {
    const contact = { first_name: 'Forged', links: [{ link_doctype: 'HD Customer', link_name: shop }] };
    site.simulator.put('HD Customer', { name: shop, customer_name: shop });
    const created = await site.send('portal', 'POST', '/api/resource/Contact', contact);
    expect(content(created)).toMatchObject({ name: `Forged-${shop}`, owner: accounts.portal.name });
    expect((await site.get('portal', '/api/resource/Contact/John Doe')).status).toBe(403);
    const own = `/api/resource/Contact/Forged-${shop}`;
    expect((await site.send('portal', 'PUT', own, { last_name: 'Again' })).status).toBe(200);
    expect((await site.send('agent.a', 'PUT', own, { last_name: 'By an agent' })).status).toBe(403);
    expect((await site.send('agent.a', 'POST', '/api/resource/Contact', { first_name: 'By an agent' })).status).toBe(
      200,
    );
  });

  it('whoever a contact is named like reads the tickets of the address in it, one that was without contact as well', async () => {
    const insert = { subject: 'x', description: 'x', raised_by: 'boss@mo.example' };
    const ticketOf = async () => content(await site.send('service', 'POST', '/api/resource/HD Ticket', insert));
    const readBy = async (name: unknown) => (await get('portal', String(name))).status;
    const early = await ticketOf();
    const email_ids = [{ email_id: insert.raised_by, is_primary: 1 }];
    await site.send('portal', 'POST', '/api/resource/Contact', { first_name: accounts.portal.name, email_ids });
    const late = await ticketOf();
    expect([late.contact, await readBy(late.name)]).toEqual([accounts.portal.name, 200]);
    expect(await readBy(early.name)).toBe(403);
    const written = await site.send('service', 'PUT', `/api/resource/HD Ticket/${early.name}`, { custom_orgid: '1' });
    expect([content(written).contact, await readBy(early.name)]).toEqual([accounts.portal.name, 200]);
  });

  it(`a sender ${generation === '1.24' ? 'may' : 'may not'} name another’s contact`, async () => {
    const email_ids = [{ email_id: 'other@mo.example', is_primary: 1 }];
    await site.send('service', 'POST', '/api/resource/Contact', { first_name: 'Other', email_ids });
    const answer = await site.send('portal', 'PUT', '/api/resource/HD Ticket/501', { contact: 'Other' });
    expect(answer.status).toBe(generation === '1.24' ? 200 : 403);
  });
});
