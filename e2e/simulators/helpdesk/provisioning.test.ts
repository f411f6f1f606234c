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
  const meta = async (doctype: string) => {
    const answer = await asAdmin('GET', `/api/method/frappe.desk.form.load.getdoctype?doctype=${doctype}`);
    const [doc] = answer.body.docs as { fields: Record<string, unknown>[]; permissions: Record<string, unknown>[] }[];
    return { fields: doc?.fields ?? [], permissions: doc?.permissions ?? [] };
  };
  const field = async (name: string) => (await meta('HD Ticket')).fields.find(({ fieldname }) => fieldname === name);

  it('a custom field can be made, changed and taken away, and counts at once', async () => {
    const made = {
      dt: 'HD Ticket',
      fieldname: 'custom_try',
      label: 'Try',
      fieldtype: 'Data',
      insert_after: 'customer',
    };
    expect(content(await asAdmin('POST', '/api/resource/Custom Field', made)).name).toBe('HD Ticket-custom_try');
    expect(await field('custom_try')).toMatchObject({ permlevel: 0, read_only: 0, is_custom_field: 1 });
    const changed = { permlevel: 1, read_only: 1, label: 'Tried', fieldtype: 'Select', options: '\na\nb' };
    await asAdmin('PUT', '/api/resource/Custom Field/HD Ticket-custom_try', changed);
    expect(await field('custom_try')).toMatchObject(changed);
    await asAdmin('DELETE', '/api/resource/Custom Field/HD Ticket-custom_try');
    expect(await field('custom_try')).toBeUndefined();
  });

  it('a field at level 1 is for the roles that have a row for it; the first row copies the standard ones', async () => {
    const list = `/api/resource/Custom DocPerm?filters=[["parent","=","HD Ticket"]]&fields=["role","permlevel","read","write"]&limit=0`;
    const standard = (await meta('HD Ticket')).permissions;
    // A fresh 1.28 brings rows of its own.
    expect((await asAdmin('GET', list)).body.data).toHaveLength(generation === '1.28' ? standard.length : 0);
    const made = { dt: 'HD Ticket', fieldname: 'custom_level', label: 'Level', fieldtype: 'Data', permlevel: 1 };
    await asAdmin('POST', '/api/resource/Custom Field', made);
    const ticket = `/api/resource/HD Ticket/${demo.tickets.matched}`;
    const write = (user: HelpdeskUserSeed, value: string) => send(user, 'PUT', ticket, { custom_level: value });
    const stored = () => simulator.document('HD Ticket', demo.tickets.matched)?.custom_level ?? null;

    await write(demo.service, 'too early');
    expect(stored()).toBeNull();
    for (const role of ['Agent', 'System Manager']) {
      await asAdmin('POST', `${manager}.add`, { parent: 'HD Ticket', role, permlevel: 1 });
      await asAdmin('POST', `${manager}.add`, { parent: 'HD Ticket', role, permlevel: 1 });
    }
    const row = { doctype: 'HD Ticket', role: 'Agent', permlevel: 1, ptype: 'write', value: 1, if_owner: 0 };
    await asAdmin('POST', `${manager}.update`, row);

    const rows = (await asAdmin('GET', list)).body.data as Record<string, unknown>[];
    expect(rows).toHaveLength(standard.length + 2);
    expect(rows.filter(({ permlevel }) => permlevel === 1)).toEqual(
      expect.arrayContaining([
        { role: 'Agent', permlevel: 1, read: 1, write: 1 },
        { role: 'System Manager', permlevel: 1, read: 1, write: 0 },
      ]),
    );
    expect((await meta('HD Ticket')).permissions).toHaveLength(rows.length);

    await write(demo.service, 'decided');
    expect(stored()).toBe('decided');
    await write(demo.portal, 'forged');
    expect(stored()).toBe('decided');
    const seen = await send(
      demo.portal,
      'GET',
      `/api/method/frappe.client.get?doctype=HD Ticket&name=${demo.tickets.matched}`,
    );
    expect(content(seen).custom_level).toBeNull();
    expect((await send(demo.service, 'POST', `${manager}.add`, { parent: 'HD Ticket', role: 'All' })).status).toBe(403);
  });

  it('without its Custom DocPerm rows a DocType has its standard ones again', async () => {
    const before = (await meta('HD Team')).permissions;
    await asAdmin('POST', `${manager}.add`, { parent: 'HD Team', role: 'Script Manager', permlevel: 0 });
    expect((await meta('HD Team')).permissions).toHaveLength(before.length + 1);
    const rows = await asAdmin('GET', '/api/resource/Custom DocPerm?filters=[["parent","=","HD Team"]]&limit=0');
    for (const name of names(rows)) await asAdmin('DELETE', `/api/resource/Custom DocPerm/${name}`);
    expect((await meta('HD Team')).permissions).toEqual(before);
  });

  it('HD Customer Data can be made and then written by the service account', async () => {
    expect((await send(demo.admin, 'GET', '/api/resource/HD Customer Data')).status).toBe(404);
    await asAdmin('POST', '/api/resource/DocType', {
      ...{ name: 'HD Customer Data', module: 'Helpdesk', custom: 1, autoname: 'hash' },
      fields: [
        { fieldname: 'hd_customer', label: 'HD Customer', fieldtype: 'Link', options: 'HD Customer', reqd: 1 },
        { fieldname: 'source', label: 'Source', fieldtype: 'Data', reqd: 1 },
        { fieldname: 'summary_json', label: 'Summary JSON', fieldtype: 'JSON' },
      ],
      permissions: [
        { role: 'System Manager', read: 1, write: 1, create: 1, delete: 1 },
        { role: 'Agent Manager', read: 1, write: 1, create: 1 },
        { role: 'Agent', read: 1 },
      ],
    });
    const [customer] = names(await asAdmin('GET', '/api/resource/HD Customer?limit=1'));
    const row = { hd_customer: customer, source: 'crm', summary_json: '{}' };
    expect((await send(demo.service, 'POST', '/api/resource/HD Customer Data', row)).status).toBe(200);
    expect((await send(demo.agent, 'POST', '/api/resource/HD Customer Data', row)).status).toBe(403);
    expect(names(await send(demo.agent, 'GET', '/api/resource/HD Customer Data'))).toHaveLength(1);
  });

  it('an OAuth client can be made and found again, and is for a System Manager to see', async () => {
    const client = {
      ...{ app_name: 'Deskside chrome', scopes: 'all openid', grant_type: 'Authorization Code' },
      ...{ redirect_uris: 'https://x.example/cb', default_redirect_uri: 'https://x.example/cb', skip_authorization: 1 },
      allowed_roles: [{ role: 'Agent' }],
    };
    const { name } = content(await asAdmin('POST', '/api/resource/OAuth Client', client));
    const query = 'filters=[["app_name","=","Deskside chrome"]]&fields=["name","client_id","redirect_uris"]';
    const found = await asAdmin('GET', `/api/resource/OAuth Client?${query}`);
    expect(found.body.data).toEqual([{ name, client_id: name, redirect_uris: 'https://x.example/cb' }]);
    expect((await send(demo.service, 'GET', '/api/resource/OAuth Client')).status).toBe(403);
  });

  it('a webhook can be changed, and its secret read back by a System Manager alone', async () => {
    const made = {
      ...{ name: 'Deskside: new', webhook_doctype: 'HD Ticket', webhook_docevent: 'after_insert', enabled: 0 },
      ...{ request_url: 'http://old.example', webhook_json: '{}', enable_security: 1, webhook_secret: 'first' },
    };
    await asAdmin('POST', '/api/resource/Webhook', made);
    const change = { request_url: 'http://new.example', webhook_secret: 'second' };
    await asAdmin('PUT', '/api/resource/Webhook/Deskside: new', change);
    const secret = '/api/method/frappe.client.get_password?doctype=Webhook&name=Deskside: new&fieldname=webhook_secret';
    expect((await asAdmin('GET', secret)).body.message).toBe('second');
    await asAdmin('PUT', '/api/resource/Webhook/Deskside: new', { webhook_secret: '******' });
    expect((await asAdmin('GET', secret)).body.message).toBe('second');
    expect((await send(demo.service, 'GET', secret)).status).toBe(403);
    expect((await send(demo.service, 'GET', '/api/resource/Webhook')).status).toBe(403);
  });

  it('a Server Script is for a Script Manager to save, and one that would not be run is refused', async () => {
    const script = {
      ...{ script_type: 'DocType Event', reference_doctype: 'HD Ticket', doctype_event: 'Before Insert', disabled: 1 },
      ...{ name: 'Deskside: before', script: 'r = frappe.make_post_request("http://127.0.0.1:9/x")' },
    };
    const post = (user: HelpdeskUserSeed, values = {}) =>
      send(user, 'POST', '/api/resource/Server Script', { ...script, ...values });
    for (const user of [demo.admin, demo.service, demo.sysonly]) expect((await post(user)).status).toBe(403);
    expect((await post(demo.scriptAdmin)).status).toBe(200);
    for (const values of [{ script: 'doc.subject = "x"' }, { doctype_event: 'After Insert' }]) {
      expect((await post(demo.scriptAdmin, { name: 'other', disabled: 0, ...values })).status).toBe(417);
    }
  });

  it('Website Settings say whether anybody may sign up, to System Managers alone', async () => {
    const get = '/api/method/frappe.client.get?doctype=Website Settings&name=Website Settings';
    const { status, text } = await send(demo.sysonly, 'GET', get);
    expect({ status, settings: JSON.parse(text).message }).toMatchObject({
      status: 200,
      settings: { name: 'Website Settings', disable_signup: 1 },
    });
    expect((await send(demo.service, 'GET', get)).status).toBe(403);
  });

  it('the service account has what it needs at run time, and no more', async () => {
    expect(demo.service.roles).toEqual(['Agent', 'Agent Manager']);
    const may: [string, string, object?][] = [
      ['POST', '/api/resource/HD Customer', { customer_name: 'Runtime - 1', custom_platform_orgid: '1' }],
      ['PUT', `/api/resource/HD Ticket/${demo.tickets.missingOrgId}`, { customer: 'Runtime - 1' }],
      ...['HD Team', 'HD Agent', 'Assignment Rule', 'HD Settings/HD Settings', 'User', 'Contact', 'ToDo'].map(
        (path): [string, string] => ['GET', `/api/resource/${path}`],
      ),
      ['GET', '/api/method/frappe.desk.form.load.getdoctype?doctype=HD Ticket'],
    ];
    for (const [method, path, body] of may) {
      const { status, text } = await send(demo.service, method, path, body);
      expect(status, `${path} ${text}`).toBe(200);
    }
    for (const doctype of ['Custom Field', 'Version', 'Webhook', 'Server Script', 'Custom DocPerm']) {
      expect((await send(demo.service, 'GET', `/api/resource/${doctype}`)).status, doctype).toBe(403);
    }
  });
});
