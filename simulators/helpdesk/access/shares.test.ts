import { describe, expect, it } from 'vitest';
import { content, names, useSite } from '#helpdesk/testing/client.ts';
import { accounts, shop, shopContact, ticket } from '#helpdesk/testing/replay-seed.ts';

const method = '/api/method/frappe';
const others = { owner: 'Administrator', raised_by: 'boss@example.test', contact: null, customer: null };

describe.each(['1.24', '1.28'] as const)('shares, guests and versions on Helpdesk %s', (generation) => {
  const site = useSite(generation);
  const statusOf = async (name: string, as: keyof typeof accounts | null = 'portal') =>
    (await site.get(as, `/api/resource/HD Ticket/${name}`)).status;
  const share = (as: keyof typeof accounts, name: string, more = {}, doctype = 'HD Ticket') =>
    site.send(as, 'POST', `${method}.share.add`, { doctype, name, ...more });

  it('a share goes over every other right, and its holder keeps it whoever raised the ticket by then', async () => {
    site.simulator.put('HD Ticket', { ...ticket('701'), ...others, raised_by: accounts.portal.name });
    const shared = await share('portal', '701');
    expect([shared.status, content(shared)]).toMatchObject([200, { user: accounts.portal.name, read: 1, write: 0 }]);
    const put = await site.send('portal', 'PUT', '/api/resource/HD Ticket/701', { raised_by: others.raised_by });
    expect([put.status, await statusOf('701')]).toEqual([200, 200]);
    expect((await site.send('portal', 'PUT', '/api/resource/HD Ticket/701', { subject: 'x' })).status).toBe(403);
    const held = await site.get('agent.a', `${method}.share.get_users?doctype=HD Ticket&name=701`);
    expect(held.body.message).toMatchObject([{ user: accounts.portal.name, read: 1, write: 0, everyone: 0 }]);
    // Where the roles open the DocType as a whole, a list asks the helpdesk's own check alone.
    expect(names(await site.list('portal', 'HD Ticket', { filters: [['name', '=', '701']] }))).toEqual([]);
  });

  it('nobody shares what they do not read, and who it is shared with is told to its readers alone', async () => {
    site.simulator.put('HD Ticket', { ...ticket('702'), ...others });
    expect((await share('portal', '702')).status).toBe(403);
    await share('agent.a', '702', { everyone: 1, write: 1 });
    expect(await statusOf('702')).toBe(200);
    expect(await statusOf('702', null)).toBe(403);
    site.simulator.put('HD Ticket', { ...ticket('703'), ...others });
    const asked = await site.get('portal', `${method}.share.get_users?doctype=HD Ticket&name=703`);
    expect([asked.status, asked.body.message]).toEqual([200, []]);
  });

  it('without the right to share a sender goes on reading, and shares nothing', async () => {
    const role = generation === '1.24' ? 'All' : 'HD Customer';
    site.simulator.put('HD Ticket', { ...ticket('704'), ...others, raised_by: accounts.portal.name });
    const take = { doctype: 'HD Ticket', role, permlevel: 0, ptype: 'share', value: 0 };
    const manager = `${method}.core.page.permission_manager.permission_manager`;
    expect((await site.send('service', 'POST', `${manager}.update`, take)).status).toBe(200);
    expect([(await share('portal', '704')).status, await statusOf('704')]).toEqual([403, 200]);
    expect((await share('agent.a', '704')).status).toBe(200);
    await site.send('service', 'POST', `${manager}.update`, { ...take, value: 1 });
  });

  it('a reader gets the versions of a ticket, with what was cleared again', async () => {
    site.simulator.put('HD Ticket', { ...ticket('705'), ...others, raised_by: accounts.portal.name });
    await site.send('service', 'PUT', '/api/resource/HD Ticket/705', { subject: 'Gốm Làng Mơ' });
    await site.send('service', 'PUT', '/api/resource/HD Ticket/705', { subject: 'x' });
    const form = await site.get('portal', `${method}.desk.form.load.getdoc?doctype=HD Ticket&name=705`);
    expect(JSON.stringify(form.body.docinfo)).toContain('Gốm Làng Mơ');
    expect((await site.get('portal', '/api/resource/Version')).status).toBe(403);
  });

  it('while anybody may create tickets every visitor reads every guest ticket', async () => {
    const open = (value: number) =>
      site.send('service', 'PUT', '/api/resource/HD Settings/HD Settings', { allow_anyone_to_create_tickets: value });
    const post = () => site.send(null, 'POST', '/api/resource/HD Ticket', { subject: 'g', raised_by: 'a@b.example' });
    expect((await post()).status).toBe(403);
    expect((await open(1)).status).toBe(200);
    const made = await post();
    expect([made.status, content(made)]).toMatchObject([200, { owner: 'Guest', raised_by: 'a@b.example' }]);
    const name = String(content(made).name);
    expect(await statusOf(name, null)).toBe(200);
    expect(names(await site.list(null, 'HD Ticket')).map(String)).toContain(name);
    await open(0);
    expect(await statusOf(name, null)).toBe(403);
  });
});

describe('managers of a customer on Helpdesk 1.28', () => {
  const site = useSite('1.28');
  const customer = () => `/api/resource/HD Customer/${encodeURIComponent(shop)}`;

  it('write its members and their own mark, rename it, and keep what they shared with themselves', async () => {
    const member = (is_manager: number) => ({ contacts: [{ contact_name: shopContact, is_manager }] });
    expect((await site.send('portal', 'PUT', customer(), member(1))).status).toBe(403);
    await site.send('service', 'PUT', customer(), member(1));
    const share = { doctype: 'HD Customer', name: shop, write: 1 };
    expect((await site.send('portal', 'POST', `${method}.share.add`, share)).status).toBe(200);
    expect((await site.send('portal', 'PUT', customer(), member(0))).status).toBe(200);
    expect((await site.send('portal', 'PUT', customer(), member(1))).status).toBe(200);
    const to = 'Another Shop - 300000009';
    const renaming = { doctype: 'HD Customer', old_name: shop, new_name: to };
    expect((await site.send('portal', 'POST', `${method}.client.rename_doc`, renaming)).body.message).toBe(to);
    expect((await site.get('portal', customer())).status).toBe(404);
    expect(site.simulator.document('HD Ticket', '2')).toMatchObject({ customer: to });
    expect(site.simulator.documents('DocShare')).toMatchObject([{ share_name: to }]);
  });
});
