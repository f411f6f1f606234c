import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demo, sharedSeed } from '#seed/index.ts';
import type { HelpdeskUserSeed } from '#seed/types.ts';
import type { Generation, HelpdeskSimulator } from './api.ts';
import { startHelpdesk } from './server.ts';
import { type Answer, content, key, names, read } from './testing/client.ts';

const manager = '/api/method/frappe.core.page.permission_manager.permission_manager';

describe.each<Generation>(['1.24', '1.28'])('what provisioning does in Helpdesk %s', (generation) => {
  let simulator: HelpdeskSimulator;
  beforeAll(async () => {
    simulator = await startHelpdesk({ seed: sharedSeed().helpdesk, generation });
  });
  afterAll(() => simulator.close());

  const send = async (user: HelpdeskUserSeed, method: string, path: string, body?: object): Promise<Answer> => {
    const headers = { Authorization: key(user), 'Content-Type': 'application/json' };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    return read(await fetch(simulator.url + path, { method, headers, ...text }));
  };
  const asAdmin = async (method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await send(demo.admin, method, path, body);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer;
  };
  const rowsOf = async (doctype: string) =>
    names(await asAdmin('GET', `/api/resource/Custom DocPerm?filters=[["parent","=","${doctype}"]]&limit=0`));
  const permissionsOf = async (doctype: string) => {
    const answer = await asAdmin('GET', `/api/method/frappe.desk.form.load.getdoctype?doctype=${doctype}`);
    return (answer.body.docs as { permissions: unknown[] }[])[0]?.permissions ?? [];
  };

  it('a field at level 1 is for the roles that have a row for it; the first row copies the standard ones', async () => {
    const standard = await permissionsOf('HD Ticket');
    // A fresh 1.28 brings rows of its own.
    expect(await rowsOf('HD Ticket')).toHaveLength(generation === '1.28' ? standard.length : 0);
    const made = { dt: 'HD Ticket', fieldname: 'custom_level', label: 'Level', fieldtype: 'Data', permlevel: 1 };
    await asAdmin('POST', '/api/resource/Custom Field', made);
    const ticket = `/api/resource/HD Ticket/${demo.tickets.matched}`;
    const write = async (user: HelpdeskUserSeed, custom_level: string) => {
      await send(user, 'PUT', ticket, { custom_level });
      return simulator.document('HD Ticket', demo.tickets.matched)?.custom_level ?? null;
    };
    expect(await write(demo.service, 'too early')).toBeNull();
    for (const role of ['Agent', 'Agent', 'System Manager'])
      await asAdmin('POST', `${manager}.add`, { parent: 'HD Ticket', role, permlevel: 1 });
    const row = { doctype: 'HD Ticket', role: 'Agent', permlevel: 1, ptype: 'write', value: 1, if_owner: 0 };
    await asAdmin('POST', `${manager}.update`, row);
    expect(await rowsOf('HD Ticket')).toHaveLength(standard.length + 2);
    expect(await write(demo.service, 'decided')).toBe('decided');
    expect(await write(demo.portal, 'forged')).toBe('decided');
    expect((await send(demo.service, 'POST', `${manager}.add`, { parent: 'HD Ticket', role: 'All' })).status).toBe(403);
  });

  it('without its Custom DocPerm rows a DocType has its standard ones again', async () => {
    const before = await permissionsOf('HD Team');
    await asAdmin('POST', `${manager}.add`, { parent: 'HD Team', role: 'Script Manager', permlevel: 0 });
    expect(await permissionsOf('HD Team')).toHaveLength(before.length + 1);
    for (const name of await rowsOf('HD Team')) await asAdmin('DELETE', `/api/resource/Custom DocPerm/${name}`);
    expect(await permissionsOf('HD Team')).toEqual(before);
  });

  it('a custom field and a webhook can be changed; a secret is read back as it is, and not overwritten by its mask', async () => {
    const made = { dt: 'HD Ticket', fieldname: 'custom_try', label: 'Try', fieldtype: 'Data' };
    const { name } = content(await asAdmin('POST', '/api/resource/Custom Field', made));
    const changed = { label: 'Tried', fieldtype: 'Select', options: '\na\nb' };
    expect(content(await asAdmin('PUT', `/api/resource/Custom Field/${name}`, changed))).toMatchObject(changed);
    await asAdmin('DELETE', `/api/resource/Custom Field/${name}`);
    await asAdmin('POST', '/api/resource/Webhook', {
      ...{ name: 'w', webhook_doctype: 'HD Ticket', webhook_docevent: 'after_insert', enabled: 0 },
      ...{ request_url: 'http://old.example', webhook_json: '{}', enable_security: 1, webhook_secret: 'first' },
    });
    for (const webhook_secret of ['second', '******'])
      await asAdmin('PUT', '/api/resource/Webhook/w', { request_url: 'http://new.example', webhook_secret });
    const secret = '/api/method/frappe.client.get_password?doctype=Webhook&name=w&fieldname=webhook_secret';
    expect((await asAdmin('GET', secret)).body.message).toBe('second');
  });

  it('a Server Script is for a Script Manager to save, and one that would not be run is refused', async () => {
    const script = {
      ...{ script_type: 'DocType Event', reference_doctype: 'HD Ticket', doctype_event: 'Before Insert', disabled: 1 },
      ...{ name: 'Deskside: before', script: 'r = frappe.make_post_request("http://127.0.0.1:9/x")' },
    };
    const post = async (user: HelpdeskUserSeed, values = {}) =>
      (await send(user, 'POST', '/api/resource/Server Script', { ...script, ...values })).status;
    for (const user of [demo.admin, demo.service, demo.sysonly]) expect(await post(user)).toBe(403);
    expect(await post(demo.scriptAdmin)).toBe(200);
    for (const values of [{ script: 'doc.subject = "x"' }, { doctype_event: 'After Insert' }])
      expect(await post(demo.scriptAdmin, { name: 'other', disabled: 0, ...values })).toBe(417);
  });

  it('the service account has what it needs at run time, and no more', async () => {
    const reads = ['HD Team', 'HD Agent', 'Assignment Rule', 'HD Settings/HD Settings', 'User', 'Contact', 'ToDo'];
    for (const path of reads) expect((await send(demo.service, 'GET', `/api/resource/${path}`)).status, path).toBe(200);
    const closed = ['Custom Field', 'Version', 'Webhook', 'Server Script', 'Custom DocPerm', 'OAuth Client'];
    for (const path of closed)
      expect((await send(demo.service, 'GET', `/api/resource/${path}`)).status, path).toBe(403);
    const created = { customer_name: 'Runtime - 1', custom_platform_orgid: '1' };
    expect((await send(demo.service, 'POST', '/api/resource/HD Customer', created)).status).toBe(200);
  });
});
