import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Generation } from '#helpdesk/api.ts';
import { content, useSite } from '#helpdesk/testing/client.ts';
import { type ReceivedRequest, type Receiver, startReceiver } from '#helpdesk/testing/receiver.ts';
import { shop } from '#helpdesk/testing/replay-seed.ts';

const newTicket = '/api/method/helpdesk.helpdesk.doctype.hd_ticket.api.new';
const template = '{"name":"{{ doc.name }}","customer":"{{ doc.customer or \'\' }}","modified":"{{ doc.modified }}"}';

const webhook = (name: string, url: string, values: Record<string, unknown> = {}) => ({
  ...{ name, webhook_doctype: 'HD Ticket', webhook_docevent: 'after_insert', enabled: 1, timeout: 5 },
  ...{ request_url: url, request_method: 'POST', request_structure: 'JSON', webhook_json: template },
  ...values,
});

describe.each<Generation>(['1.24', '1.28'])('webhooks of Helpdesk %s', (generation) => {
  const site = useSite(generation);
  let receiver: Receiver;
  let reply: Parameters<typeof startReceiver>[0];
  const log = async () => {
    const fields = ['webhook', 'reference_document', 'response', 'error', 'data'];
    const { body } = await site.list('service', 'Webhook Request Log', { fields, order_by: 'creation asc', limit: 0 });
    return body.data as Record<string, unknown>[];
  };
  const create = (values: Record<string, unknown>) => site.send('service', 'POST', '/api/resource/Webhook', values);
  const insert = (subject: string) => site.send('portal', 'POST', newTicket, { doc: { subject, description: 'x' } });

  beforeEach(async () => {
    reply = () => ({ status: 200, body: 'fine' });
    receiver = await startReceiver((request) => reply(request));
    site.simulator.settings.webhookPauseScale = 0.001;
    if (generation === '1.24') site.simulator.put('HD Customer', { name: shop, customer_name: shop });
  });
  afterEach(async () => {
    const { body } = await site.list('service', 'Webhook');
    for (const { name } of body.data as { name: string }[]) {
      await site.send('service', 'DELETE', `/api/resource/Webhook/${name}`, {});
    }
    await site.simulator.webhooks.idle();
    await receiver.close();
  });

  it('go out signed after the insert, with what was recorded of headers and the stamps of the insert', async () => {
    const secret = 'đ-secret';
    const made = webhook('one', `${receiver.url}/hook?x=1`, { enable_security: 1, webhook_secret: secret });
    expect(content(await create(made))).toMatchObject({ webhook_secret: '********' });
    const { name, modified } = content(await insert('Mất đơn'));
    expect(receiver.received).toEqual([]);
    await site.simulator.webhooks.idle();
    const [request] = receiver.received as [ReceivedRequest];
    expect(request).toMatchObject({ method: 'POST', path: '/hook?x=1' });
    expect(JSON.parse(request.body)).toMatchObject({ name: String(name), modified });
    expect(request.headers).toEqual({
      'user-agent': 'python-requests/2.32.5',
      'accept-encoding': 'gzip, deflate, br',
      accept: '*/*',
      connection: 'keep-alive',
      host: receiver.url.replace('http://', ''),
      'content-length': String(Buffer.byteLength(request.body)),
      'x-frappe-webhook-signature': createHmac('sha256', secret).update(request.body).digest('base64'),
    });
    expect((await log()).at(-1)).toEqual({
      ...{ webhook: 'one', reference_document: String(name), response: 'fine', error: '', data: request.body },
    });
  });

  it('are sent for enabled ones only, and for inserts only', async () => {
    await create(webhook('off', `${receiver.url}/off`, { enabled: 0 }));
    await create(webhook('other', `${receiver.url}/other`, { webhook_doctype: 'HD Customer' }));
    await create(webhook('update', `${receiver.url}/update`, { webhook_docevent: 'on_update' }));
    const { name } = content(await insert('Quiet'));
    await site.send('service', 'PUT', `/api/resource/HD Ticket/${name}`, { subject: 'Changed' });
    await site.simulator.webhooks.idle();
    expect(receiver.received).toEqual([]);
    await site.send('service', 'PUT', '/api/resource/Webhook/off', { enabled: 1, request_url: `${receiver.url}/on` });
    await insert('Heard');
    await site.simulator.webhooks.idle();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/on']);
  });

  it.each([
    ['always fails', [500, 500, 500]],
    ['fails once', [404, 204]],
  ])('are tried again, three times at most and with the same body, when a receiver %s', async (_what, statuses) => {
    reply = () => ({ status: statuses[receiver.received.length - 1] ?? 200 });
    await create(webhook('stubborn', receiver.url));
    const before = (await log()).length;
    await insert('Retry');
    await site.simulator.webhooks.idle();
    expect(receiver.received).toHaveLength(statuses.length);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    const rows = (await log()).slice(before);
    expect(rows.map(({ error }) => error === '')).toEqual(statuses.map((status) => status < 400));
  });

  it('say in the log who did not answer, and where nobody listens', async () => {
    reply = () => 'hang';
    site.simulator.put('Webhook', webhook('hang', receiver.url, { timeout: 0.02 }));
    await create(webhook('gone', 'http://127.0.0.1:9'));
    const before = (await log()).length;
    await insert('Nobody');
    await site.simulator.webhooks.idle();
    const errors = (await log()).slice(before).map(({ webhook: name, error }) => `${name} ${error}`);
    const exceptions = 'requests.exceptions.';
    expect(new Set(errors)).toEqual(new Set([`gone ${exceptions}ConnectionError`, `hang ${exceptions}ReadTimeout`]));
  });

  it('go out one after the other: what hangs delays all others', async () => {
    const letGo: (() => void)[] = [];
    reply = ({ path }) =>
      path === '/slow' ? new Promise((resolve) => letGo.push(() => resolve({ status: 200 }))) : { status: 200 };
    await create(webhook('quick', `${receiver.url}/quick`));
    await create(webhook('slow', `${receiver.url}/slow`));
    await insert('First');
    await insert('Second');
    for (let round = 1; round <= 2; round += 1) {
      await expect.poll(() => letGo.length).toBe(1);
      expect(receiver.received).toHaveLength(2 * round - 1);
      letGo.pop()?.();
    }
    await site.simulator.webhooks.idle();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/slow', '/quick', '/slow', '/quick']);
    expect(receiver.maxAtOnce).toBe(1);
  });
});
