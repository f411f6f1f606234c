import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Generation } from '#helpdesk/api.ts';
import { content, useSite } from '#helpdesk/testing/client.ts';
import { type ReceivedRequest, type Receiver, startReceiver } from '#helpdesk/testing/receiver.ts';
import { accounts, type Exchange, recordedExchanges } from '#helpdesk/testing/replay-seed.ts';

const newTicket = '/api/method/helpdesk.helpdesk.doctype.hd_ticket.api.new';
const beforeInsert = { script_type: 'DocType Event', reference_doctype: 'HD Ticket', doctype_event: 'Before Insert' };

const indented = (lines: string[]): string => lines.map((line) => `    ${line}`).join('\n');
const body = (url: string): string[] => [
  `answer = frappe.make_post_request("${url}", headers={"X-Deskside-Secret": "hush"}, json={"key": str(doc.key),`,
  ' "name": doc.name, "owner": doc.owner, "raised_by": doc.raised_by, "customer": doc.customer})',
  'for field in ["agent_group", "custom_orgid", "custom_secret_note"]:',
  '    doc.set(field, answer["data"]["fields"].get(field))',
];
const catching = (url: string): string =>
  `if not doc.agent_group:\n  try:\n${indented(body(url))}\n  except Exception:\n    frappe.log_error("x", "y")`;
const careless = (url: string): string => body(url).join('\n');

describe.each<Generation>(['1.24', '1.28'])('Before Insert scripts of Helpdesk %s', (generation) => {
  const site = useSite(generation);
  let receiver: Receiver;
  let reply: Parameters<typeof startReceiver>[0];
  const answering = (fields: Record<string, unknown>): void => {
    reply = () => ({ status: 200, body: JSON.stringify({ success: true, data: { fields }, message: '' }) });
  };
  const put = (script: string, values: Record<string, unknown> = {}) =>
    site.simulator.put('Server Script', { name: 'Deskside', ...beforeInsert, disabled: 0, script, ...values });
  const insert = (doc: Record<string, unknown> = {}) =>
    site.send('portal', 'POST', newTicket, { doc: { subject: 'Lỗi', description: 'x', ...doc } });

  beforeEach(async () => {
    answering({});
    receiver = await startReceiver((request) => reply(request));
    site.simulator.settings.serverScriptEnabled = true;
  });
  afterEach(async () => {
    put('', { disabled: 1 });
    await receiver.close();
  });

  it('see the key and who writes, but no name, contact, customer or sender, and are not asked where there is a team', async () => {
    answering({ agent_group: 'CS 60p', custom_orgid: '', priority: 'High' });
    put(catching(receiver.url));
    const ticket = content(await insert({ custom_orgid: '12' }));
    expect(ticket).toMatchObject({ agent_group: 'CS 60p', custom_orgid: '12', priority: 'Medium' });
    const [request] = receiver.received as [ReceivedRequest];
    const blank = '"raised_by": null, "customer": null}';
    expect(request.body).toBe(`{"key": "${ticket.key}", "name": null, "owner": "${accounts.portal.name}", ${blank}`);
    expect(request.headers).toMatchObject({ 'x-deskside-secret': 'hush', 'content-type': 'application/json' });
    expect(content(await insert({ agent_group: 'CS 60p' })).agent_group).toBe('CS 60p');
    expect(receiver.received).toHaveLength(1);
  });

  it('send what was recorded, byte for byte', async () => {
    const file = new URL('../../recordings/helpdesk-1.24/webhooks.json', import.meta.url);
    const [, recorded] = JSON.parse(readFileSync(file, 'utf8')) as { headers: Record<string, string>; body: string }[];
    const script = recordedExchanges('1.24').find((exchange) => exchange.name === 'server-script-create') as Exchange;
    const { script: text } = script.request.json as { script: string };
    put(text.replace('http://127.0.0.1:8099', receiver.url));
    await insert({ subject: 'Before insert', custom_orgid: '200000001' });
    expect(receiver.received[0]?.body).toBe(recorded?.body);
    const headers = Object.entries(recorded?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
    expect(receiver.received[0]?.headers).toMatchObject(Object.fromEntries(headers));
  });

  it.each<[string, Parameters<typeof startReceiver>[0]]>([
    ['an error', () => ({ status: 500 })],
    ['no JSON', () => ({ status: 200, body: '<html>' })],
    ['no fields', () => ({ status: 200, body: '{"success":false}' })],
  ])('that are answered with %s let the ticket be saved if they catch it, else not', async (_what, failing) => {
    reply = failing;
    put(catching(receiver.url));
    expect(content(await insert())).not.toHaveProperty('agent_group');
    put(careless(receiver.url));
    expect(await insert()).toMatchObject({ status: 417, body: { exc_type: 'ValidationError' } });
    expect(receiver.received).toHaveLength(2);
  });

  it('leave the framework’s Error Log with every variable where the call itself fails, even of a ticket that is not saved', async () => {
    const logs = async () => {
      const { body } = await site.list('sysonly', 'Error Log', { fields: ['name', 'method', 'error'] });
      return body.data as { name: string; method: string; error: string }[];
    };
    const before = new Set((await logs()).map(({ name }) => name));
    reply = () => ({ status: 500 });
    put(careless(receiver.url));
    expect((await insert()).status).toBe(417);
    const [log, ...others] = (await logs()).filter(({ name }) => !before.has(name));
    expect(others).toEqual([]);
    expect(log).toMatchObject({ method: 'Error', error: expect.stringContaining('hush') });
  });

  it('have no time-out: a receiver that hangs holds the insert, and no other', async () => {
    let answer: (() => void) | undefined;
    reply = () =>
      new Promise((resolve) => {
        answer = () => resolve({ status: 200, body: '{"data":{"fields":{"agent_group":"CS 60p"}}}' });
      });
    put(catching(receiver.url));
    const held = insert();
    await expect.poll(() => answer).toBeDefined();
    const other = content(await insert({ agent_group: 'CS 60p' }));
    answer?.();
    expect(Number(content(await held).name)).toBe(Number(other.name) + 1);
  });

  it('cannot set what the creator may not write', async () => {
    const field = { dt: 'HD Ticket', fieldname: 'custom_secret_note', label: 'Note', fieldtype: 'Data', permlevel: 1 };
    expect((await site.send('service', 'POST', '/api/resource/Custom Field', field)).status).toBe(200);
    answering({ custom_secret_note: 'seen', agent_group: 'CS 60p' });
    put(catching(receiver.url));
    const { name } = content(await insert());
    const ticket = site.simulator.document('HD Ticket', String(name));
    expect([ticket?.custom_secret_note ?? null, ticket?.agent_group]).toEqual([null, 'CS 60p']);
  });

  it('block every ticket while the site does not allow scripts, unless they are disabled', async () => {
    site.simulator.settings.serverScriptEnabled = false;
    put(catching(receiver.url));
    expect(await insert()).toMatchObject({ status: 403, body: { exc_type: 'ServerScriptNotEnabled' } });
    const mail = { from: 'a@b.example', subject: 'x', text: 'y' };
    await expect(site.simulator.receiveMail(mail)).rejects.toMatchObject({
      details: { excType: 'ServerScriptNotEnabled' },
    });
    put(catching(receiver.url), { disabled: 1 });
    expect((await insert()).status).toBe(200);
    expect(receiver.received).toEqual([]);
  });
});

const apiSite = useSite('1.28');

it('an API script answers what failed, and tells when scripts are not allowed', async () => {
  const call = () => apiSite.get('agent.a', '/api/method/deskside_try');
  expect((await call()).status).toBe(417);
  const script = { script_type: 'API', api_method: 'deskside_try', script: catching('http://127.0.0.1:1/') };
  apiSite.simulator.put('Server Script', { name: 'Try', disabled: 0, ...script });
  expect((await call()).body).toEqual({ message: { failure: 'ConnectionError', group: null } });
  expect((await apiSite.get(null, '/api/method/deskside_try')).status).toBe(403);
  apiSite.simulator.settings.serverScriptEnabled = false;
  expect(await call()).toMatchObject({ status: 403, body: { exc_type: 'ServerScriptNotEnabled' } });
});
