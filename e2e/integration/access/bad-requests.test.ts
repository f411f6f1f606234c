import { createHmac } from 'node:crypto';
import { answerIn, rawConnection, requestText } from '@deskside/proxy/testing/raw-http';
import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/server';
import { demo, keyOf } from '@deskside/simulators/seed/index';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { scriptSecret, startCanaryWorld, webhookSecret } from '../canary.ts';

const authorization = keyOf(demo.agent);
const method = '/api/method/platform_crm';
const json = { 'content-type': 'application/json' };
const signed = (body: string) => ({
  'x-frappe-webhook-signature': createHmac('sha256', webhookSecret).update(body).digest('base64'),
});
const nulName = '{"name":"61307\\u0000"}';
const nulKey = '{"key":"f406078a-e7ad-40ae\\u0000"}';
const longContact = JSON.stringify({ hd_customer: 'Gốm Sứ Làng Mơ - 200000376001', contact: 'x'.repeat(20_000) });
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  requestText(`POST ${path}`, { body, headers: { ...json, ...headers } });

let world: Awaited<ReturnType<typeof startCanaryWorld>>;
let end = async () => {};
beforeAll(async () => {
  world = await startCanaryWorld((stop) => {
    end = stop;
  });
});
afterAll(() => end());
afterEach(() => {
  world.helpdesk.fault = null;
  world.helpdesk.clearJournal();
});

describe('what no honest client sends is a 400 that says what is wrong, and one line in the log', () => {
  test.for<[string, string, number, string]>([
    [
      'a NUL in sync_id',
      post(`${method}_sync_ticket_customer`, '{"ticket":"61307","action":"undo","sync_id":"a\\u0000b"}', {
        authorization,
      }),
      400,
      'sync_id',
    ],
    [
      'half a character in a ticket',
      post(`${method}_sync_ticket_customer`, '{"ticket":"\\ud800"}', { authorization }),
      400,
      'ticket',
    ],
    ['a NUL in a signed name', post('/webhooks/helpdesk/ticket/after-insert', nulName, signed(nulName)), 400, 'name'],
    [
      'a NUL in a Before Insert key',
      post('/webhooks/helpdesk/ticket/before-insert', nulKey, { 'x-deskside-secret': scriptSecret }),
      400,
      'key',
    ],
    [
      'a contact of 20,000 characters',
      post('/api/method/login_with_platform.customer_profile.refresh_customer_profile', longContact, { authorization }),
      400,
      'contact',
    ],
  ])('%s', async ([, text, status, field]) => {
    const answer = answerIn(await rawConnection(world.url, text).closed);
    expect(answer).toMatchObject({ status, data: { code: 'bad_input', issues: [{ field }] } });
    expect(answer.headers).toMatch(/x-request-id: /i);
    const line = { request_id: answer.data.request_id, status, code: 'bad_input' };
    await expect.poll(world.lines).toContainEqual(expect.objectContaining(line));
    expect(world.lines().filter(({ msg }) => msg === 'Unexpected error')).toEqual([]);
  });

  test.for<[string, string, number]>([
    ['a target that is no address', requestText('GET http://[/livez'), 400],
    ['a malformed Host', requestText('GET /livez', { headers: { host: 'a b/../@c' } }), 400],
    ['no Host', 'GET /livez HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    ['no HTTP at all', 'HELO proxy.example\r\n\r\n', 400],
    ['a header of 20,000 characters', requestText('GET /livez', { headers: { x: 'x'.repeat(20_000) } }), 431],
    ['two lengths', post('/livez', 'x', { 'Content-Length': '2' }), 400],
  ])('%s never reaches a route', async ([, text, status]) => {
    expect(answerIn(await rawConnection(world.url, text).closed).status).toBe(status);
    expect(world.lines().filter(({ msg }) => msg === 'Unexpected error')).toEqual([]);
  });

  test('an absolute target without user info is an ordinary one', async () => {
    expect(answerIn(await rawConnection(world.url, requestText('GET http://proxy.example/livez')).closed).status).toBe(
      200,
    );
  });
});

/** Whether the helpdesk was asked who somebody is, and has answered with this status. */
const askedWho = ({ helpdesk }: { helpdesk: HelpdeskSimulator }, status: number) =>
  helpdesk.journal.some((entry) => entry.path.endsWith('get_user') && entry.status === status);

describe('a client that leaves', () => {
  test('in the middle of its body has one line in the log, which is no error of ours', async () => {
    const head = requestText(`POST ${method}_sync_ticket_customer`, {
      headers: { ...json, authorization: keyOf(demo.otherAgent), 'content-length': '1000' },
    });
    const { socket } = rawConnection(world.url, `${head}{"ticket":`);
    // Once the helpdesk has said who this is, the body is being read.
    await expect.poll(() => askedWho(world, 200)).toBe(true);
    socket.destroy();
    const line = { route: `${method}_sync_ticket_customer`, code: 'client_left', status: 499, level: 30 };
    await expect.poll(world.lines).toContainEqual(expect.objectContaining(line));
    expect(world.lines().filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test('before its answer is ready has its line too', async () => {
    world.helpdesk.fault = () => 'hang';
    const { socket } = rawConnection(
      world.url,
      requestText('GET /api/whoami', { headers: { authorization: keyOf(demo.portal) } }),
    );
    await expect.poll(() => askedWho(world, 0)).toBe(true);
    socket.destroy();
    const line = { route: '/api/whoami', code: 'client_left', status: 499 };
    await expect.poll(world.lines).toContainEqual(expect.objectContaining(line));
  });
});
