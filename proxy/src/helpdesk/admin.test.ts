import { describe, expect, test } from 'vitest';
import { createAdminClient } from './admin.ts';
import { generations, kind, signal, useSimulatedSite } from './testing/simulated-site.ts';

describe.each(generations)('the administrator of Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  const admin = (key = 'office-sysonly:office-sysonly-secret') => createAdminClient(site.upstream, key);

  test('knows who it is and which roles it has', async () => {
    const sysonly = await admin().caller(signal);
    expect([sysonly.user, sysonly.hasRole('System Manager'), sysonly.hasRole('Script Manager')]).toEqual([
      'sysonly@support.example',
      true,
      false,
    ]);
    const all = await admin('administrator:administrator-secret').caller(signal);
    expect(all.hasRole('Script Manager')).toBe(true);
    const agent = await admin('agent-an:agent-an-secret').caller(signal);
    expect(agent.hasRole('System Manager')).toBe(false);
  });

  test.each(['sysonly:wrong', 'nobody:secret', 'nonsense'])('the key %s is nobody’s', async (key) => {
    await expect(admin(key).caller(signal)).rejects.toMatchObject(kind('unauthenticated'));
  });

  test('reads fields, levels and rows, and tells custom fields from standard ones', async () => {
    const ticket = await admin().doctype('HD Ticket', signal);
    expect(ticket?.fields.get('custom_orgid')).toMatchObject({
      fieldtype: 'Data',
      permlevel: 0,
      customField: 'HD Ticket-custom_orgid',
    });
    expect(ticket?.fields.get('subject')).toMatchObject({ fieldtype: 'Data', customField: null });
    expect(ticket?.permissions).toContainEqual(
      expect.objectContaining({ role: 'Agent', permlevel: 0, read: true, write: true }),
    );
    expect(await admin().doctype('No Such Thing', signal)).toBeNull();
  });

  test('an agent is told the fields, but not which are custom', async () => {
    const customer = await admin('agent-an:agent-an-secret').doctype('HD Customer', signal);
    expect(customer?.fields.get('custom_platform_orgid')).toMatchObject({ customField: null });
  });

  test('creates, compares, changes and deletes a document', async () => {
    const client = admin();
    const name = 'Thử: nghiệm / 1';
    const document = { name, __newname: name, webhook_doctype: 'HD Ticket', webhook_docevent: 'after_insert' };
    const request = { request_url: 'https://deskside.example/x', request_method: 'POST', enabled: 0 };
    expect(await client.get('Webhook', name, signal)).toBeNull();
    expect(await client.create('Webhook', { ...document, ...request }, signal)).toBe(name);
    expect(await client.password('Webhook', name, 'webhook_secret', signal)).toBeNull();
    await client.update('Webhook', name, { webhook_secret: 'a-secret-of-the-test' }, signal);
    expect(await client.password('Webhook', name, 'webhook_secret', signal)).toBe('a-secret-of-the-test');
    const shown = await client.get('Webhook', name, signal);
    expect(shown).toMatchObject({ request_url: 'https://deskside.example/x' });
    expect(JSON.stringify(shown)).not.toContain('a-secret-of-the-test');
    expect((await client.list('Webhook', { fields: ['name'], filters: [['name', '=', name]] }, signal)).length).toBe(1);
    await client.remove('Webhook', name, signal);
    await client.remove('Webhook', name, signal);
    expect(await client.get('Webhook', name, signal)).toBeNull();
  });

  test('erases what the helpdesk keeps of a deleted document too', async () => {
    const client = admin();
    const kept = async () =>
      (await client.list('Deleted Document', { fields: ['name'], filters: [['deleted_name', '=', 'Bí mật']] }, signal))
        .length;
    const create = () => client.create('HD Customer', { customer_name: 'Bí mật' }, signal);
    await create();
    await client.remove('HD Customer', 'Bí mật', signal);
    expect(await kept()).toBe(1);
    await create();
    await client.erase('HD Customer', 'Bí mật', signal);
    expect(await kept()).toBe(0);
    await client.erase('HD Customer', 'Bí mật', signal);
    expect(await client.get('HD Customer', 'Bí mật', signal)).toBeNull();
  });

  test('a document of another case is another document', async () => {
    const [first] = await admin().list('HD Customer', { fields: ['name'], filters: [] }, signal);
    const name = first?.name ?? '';
    expect(await admin().get('HD Customer', name, signal)).toMatchObject({ name });
    expect(await admin().get('HD Customer', name.toUpperCase(), signal)).toBeNull();
  });
});
