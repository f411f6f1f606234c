import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { AlertCause, AlertNews } from '#domain/alerts/alert-causes.ts';
import { createEgress } from '#net/egress.ts';
import { silent } from '#ports/testing/quiet.ts';
import { createAlertWebhook } from './alert-webhook.ts';

const path = '/services/T0/B0/c4n4ry?thread=7';
const noon = Date.UTC(2026, 10, 20, 12);
const news = (cause: AlertCause, changes: Partial<AlertNews> = {}): AlertNews => ({
  cause,
  kind: null,
  state: 'raised',
  since: noon,
  until: null,
  ...changes,
});

/** A receiver that answers with these statuses, then with 200, and a channel to it that does not wait between tries. */
async function receiver(...statuses: number[]) {
  const received: { url: string | undefined; type: string | undefined; body: Record<string, unknown> }[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    received.push({ url: request.url, type: request.headers['content-type'], body });
    response.writeHead(statuses.shift() ?? 200, { location: 'http://127.0.0.1:1/' }).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const egress = createEgress({ allowInsecure: true });
  const lines: string[] = [];
  const note = (fields: object, message: string) => void lines.push(JSON.stringify({ ...fields, message }));
  const pauses: number[] = [];
  const channel = createAlertWebhook({
    upstream: egress.upstream(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    path,
    installation: 'help.example',
    version: '1.2.3',
    logger: { ...silent, warn: note, error: note },
    sleep: async (ms) => void pauses.push(ms),
  });
  onTestFinished(async () => {
    channel.stop();
    await egress.close();
    server.closeAllConnections();
    server.close();
  });
  return { channel, received, lines, pauses };
}

test('an alert is posted as JSON with a text, and nothing but what is ours', async () => {
  const { channel, received } = await receiver();
  channel.send(news('crm_unauthorized', { kind: 'users', state: 'resolved', until: noon + 720_000 }));
  await channel.sent(10_000);
  const text = expect.stringContaining('resolved after 12 min');
  expect(received).toEqual([
    {
      url: path,
      type: 'application/json',
      body: {
        text,
        message: text,
        alert: 'crm_unauthorized',
        kind: 'users',
        state: 'resolved',
        minutes: 12,
        since: '2026-11-20T12:00:00.000Z',
        until: '2026-11-20T12:12:00.000Z',
        service: 'deskside',
        installation: 'help.example',
        version: '1.2.3',
      },
    },
  ]);
});

test('a receiver that fails is tried again, later and later, and the order is kept', async () => {
  const { channel, received, lines, pauses } = await receiver(500, 429, 302);
  channel.send(news('crm_timeout'));
  channel.send(news('crm_timeout', { state: 'resolved', until: noon }));
  await channel.sent(10_000);
  expect(received.map(({ body }) => body.state)).toEqual(['raised', 'raised', 'raised', 'raised', 'resolved']);
  expect(pauses).toEqual([1_000, 5_000, 30_000]);
  expect(lines).toEqual([expect.stringContaining('"problem":"status 500"')]);
});

test('what nobody accepts is given up after an hour, said in the log without the address, and the next one follows', async () => {
  const { channel, received, lines, pauses } = await receiver(...Array<number>(8).fill(404));
  channel.send(news('crm_timeout'));
  channel.send(news('crm_redirected'));
  await channel.sent(10_000);
  expect(received.map(({ body }) => body.alert)).toEqual([...Array(8).fill('crm_timeout'), 'crm_redirected']);
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(3_600_000);
  expect(lines.at(-1)).toContain('given up');
  expect(lines.join()).not.toContain('c4n4ry');
});
