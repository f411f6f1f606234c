import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it, test } from 'vitest';
import { automationsOnTickets, HelpdeskAdmin, neededByCustomers } from './admin.ts';
import { kind, useSimulatedSite } from './testing/simulated-site.ts';

describe('the administrator of a helpdesk', () => {
  const site = useSimulatedSite();
  const admin = (key = 'office-sysonly:office-sysonly-secret') => new HelpdeskAdmin(site.upstream, key);
  const administrator = `${demo.administrator.apiKey}:${demo.administrator.apiSecret}`;

  test('knows who it is and which roles it has', async () => {
    const sysonly = await admin().caller();
    expect(sysonly.user).toBe('sysonly@support.example');
    expect(['System Manager', 'Script Manager'].map(sysonly.hasRole)).toEqual([true, false]);
    expect((await admin(administrator).caller()).hasRole('Script Manager')).toBe(true);
    const agent = await admin('agent-an:agent-an-secret').caller();
    expect(agent.hasRole('System Manager')).toBe(false);
  });

  test.each(['sysonly:wrong', 'nobody:secret', 'nonsense'])('the key %s is nobody’s', async (key) => {
    await expect(admin(key).caller()).rejects.toMatchObject(kind('unauthenticated'));
  });

  test('reads fields, levels and rows, and tells custom fields from standard ones; an agent is not told', async () => {
    const ticket = await admin().doctype('HD Ticket');
    const custom = { fieldtype: 'Data', permlevel: 0, customField: 'HD Ticket-custom_orgid' };
    expect(ticket?.fields.get('custom_orgid')).toMatchObject(custom);
    expect(ticket?.fields.get('subject')).toMatchObject({ fieldtype: 'Data', customField: null });
    const row = { role: 'Agent', permlevel: 0, if_owner: false };
    const rights = expect.arrayContaining(['read', 'write']);
    expect(ticket?.permissions).toContainEqual({ ...row, rights });
    expect(await admin().doctype('No Such Thing')).toBeNull();
    const customer = await admin('agent-an:agent-an-secret').doctype('HD Customer');
    expect(customer?.fields.get('custom_platform_orgid')).toMatchObject({ customField: null });
  });

  test('erases what the helpdesk keeps of a deleted document too; gone is harmless', async () => {
    const client = admin();
    const query = { fields: ['name'], filters: [['deleted_name', '=', 'Bí mật']] as const };
    const kept = async () => (await client.list('Deleted Document', query)).length;
    const create = () => client.create('HD Customer', { customer_name: 'Bí mật' });
    await create();
    for (const _ of [1, 2]) await client.remove('HD Customer', 'Bí mật');
    expect(await kept()).toBe(1);
    await create();
    for (const _ of [1, 2]) await client.erase('HD Customer', 'Bí mật');
    expect([await kept(), await client.get('HD Customer', 'Bí mật')]).toEqual([0, null]);
  });

  test('a document of another case is another document', async () => {
    const [first] = await admin().list('HD Customer', { fields: ['name'], filters: [] });
    const name = first?.name ?? '';
    expect(await admin().get('HD Customer', name)).toMatchObject({ name });
    expect(await admin().get('HD Customer', name.toUpperCase())).toBeNull();
  });

  test('sees enabled rules and scripts on tickets; that the site has no flows is no error', async () => {
    const { simulator } = site;
    const script = { script_type: 'DocType Event', reference_doctype: 'HD Ticket', doctype_event: 'Before Insert' };
    simulator.put('Server Script', { name: 'Sets', ...script, disabled: 0, script: 'doc.agent_group = "A"' });
    simulator.put('Server Script', { name: 'Off', ...script, disabled: 1, script: 'doc.agent_group = "A"' });
    simulator.put('Server Script', { name: 'Else', ...script, reference_doctype: 'Contact', disabled: 0, script: '' });
    simulator.put('Assignment Rule', { name: 'Mine', document_type: 'HD Ticket', disabled: 0 });
    const found = await automationsOnTickets(admin(administrator));
    expect(found).toContainEqual({ kind: 'Assignment Rule', name: 'Mine', routes: true });
    expect(found).toContainEqual({ kind: 'Server Script', name: 'Sets', routes: true });
    expect(found.filter(({ name }) => ['Off', 'Else'].includes(name))).toEqual([]);
  });
});

it('flows on tickets are listed as soon as a site has them', async () => {
  const rows = [
    { name: 'By plan', document_type: 'HD Ticket', enabled: 1, steps: '[{"SetFieldValue":"agent_group"}]' },
    { name: 'Closed', reference_doctype: 'HD Ticket', enabled: 0 },
    { name: 'Mail', reference_doctype: 'HD Ticket', enabled: 1 },
  ];
  const list = async (doctype: string) => (doctype === 'Automation Flow' ? rows : []);
  expect(await automationsOnTickets({ list })).toEqual([
    { kind: 'Automation Flow', name: 'By plan', routes: true },
    { kind: 'Automation Flow', name: 'Mail', routes: false },
  ]);
});

it('a customer needs what is mandatory, has no default and is not given by us', () => {
  const usual = { required: true, default: '' };
  const fields = [
    { ...usual, fieldname: 'customer_name', label: 'Name' },
    { ...usual, fieldname: 'industry', label: 'INDUSTRY' },
    { ...usual, fieldname: 'vat', label: '' },
    { ...usual, fieldname: 'kind', label: 'Kind', default: 'Shop' },
    { ...usual, fieldname: 'note', label: 'Note', required: false },
  ];
  expect(neededByCustomers(fields)).toEqual(['INDUSTRY', 'vat']);
});
