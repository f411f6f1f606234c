import type { AddressInfo } from 'node:net';
import { contract } from '@deskside/shared/contract';
import { expect, onTestFinished, test } from 'vitest';
import { AppError } from '#runtime/app-error.ts';
import { lruMemory } from '#runtime/lru-memory.ts';
import { silent } from '#testing/quiet.ts';
import type { AgentGate } from './agent-gate.ts';
import { createHttpServer, type ServerLimits, usualLimits } from './server.ts';
import { answerIn, rawConnection, requestText } from './testing/raw-http.ts';
import { testApp } from './testing/test-app.ts';

const authorization = 'token key:secret';
const { path: posted } = contract.enrichCompany;
const livez = requestText('GET /livez', { close: false });
const answers = (text: string) => text.match(/HTTP\/1\.1 \d{3}/g) ?? [];

/** A server with the given limits; `hold` keeps every profile from being answered. */
async function listen(limits: Partial<ServerLimits> = {}, trustedProxies: string[] = []) {
  const asked: string[] = [];
  const lines: Record<string, unknown>[] = [];
  const held = Promise.withResolvers<void>();
  const keep = (fields: object) => lines.push({ ...fields });
  const logger = { ...silent, info: keep, warn: keep, error: keep };
  const requireAgent: AgentGate['requireAgent'] = async ({ authorization: given }) => {
    if (given !== authorization) throw new AppError('unauthenticated');
    return { id: 'an', fullName: null, language: null, isAgent: true };
  };
  const app = testApp({
    ctx: { gate: { requireAgent } as AgentGate, logger },
    verbs: {
      customerProfile: async ({ ticket }) => {
        asked.push(ticket);
        await held.promise;
        throw new AppError('ticket_not_found');
      },
      whoami: async () => {
        const user = { user: 'an', full_name: null, language: null, is_agent: true };
        return { ...user, proxy_version: '1', helpdesk_url: 'https://h.example', missing: [] };
      },
      enrichCompany: async () => ({ status: 'matched' }),
    },
  });
  const server = createHttpServer({
    current: { now: { app } },
    trustedProxies,
    memory: lruMemory,
    logger,
    limits: { ...usualLimits, unknownRequests: 1_000, ...limits },
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    held.resolve();
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    lines,
    release: held.resolve,
    count: () => new Promise<number>((r) => server.getConnections((_, n) => r(n))),
  };
}

const post = (headers: Record<string, string>, body = '') =>
  requestText(`POST ${posted}`, { headers: { 'content-type': 'application/json', ...headers }, body, close: false });

test('requests on one connection that nobody has answered yet are few, or the connection ends', async () => {
  const { url, asked, lines } = await listen({ pipelined: 8 });
  const one = requestText(`GET ${contract.customerProfile.path}?ticket=1`, {
    headers: { authorization },
    close: false,
  });
  await rawConnection(url, one.repeat(500)).closed;
  expect(asked.length).toBeLessThanOrEqual(8);
  expect(lines).toContainEqual(expect.objectContaining({ fault: 'too_many_pipelined', closed: 1 }));
});

test('a few at once are answered in their order', async () => {
  const { url } = await listen({ pipelined: 8 });
  const connection = rawConnection(url, livez.repeat(7) + requestText('GET /livez'));
  expect(answers(await connection.closed)).toEqual(Array.from({ length: 8 }, () => 'HTTP/1.1 200'));
});

test('a connection takes so many requests and no more', async () => {
  const { url } = await listen({ requestsPerConnection: 3 });
  const connection = rawConnection(url);
  for (let i = 1; i <= 3; i += 1) {
    connection.socket.write(livez);
    await connection.until(new RegExp(`(HTTP/1\\.1 200[^]*){${i}}`));
  }
  // An honest client goes now.
  expect(connection.received().match(/connection: close/gi)).toHaveLength(1);
  connection.socket.write(livez);
  await connection.until(/HTTP\/1\.1 503/);
});

test('a stranger’s connection takes few requests, a good credential’s many', async () => {
  const { url } = await listen({ unknownRequests: 3 });
  const stranger = rawConnection(url, livez.repeat(3));
  expect(answers(await stranger.closed)).toHaveLength(3);
  const whoami = requestText('GET /api/whoami', { headers: { authorization }, close: false });
  const agent = rawConnection(url);
  for (let i = 1; i <= 5; i += 1) {
    agent.socket.write(whoami);
    await agent.until(new RegExp(`(HTTP/1\\.1 200[^]*){${i}}`));
  }
});

test('whoever opens one connection after the other is slowed down, unless they turn out to be an agent’s', async () => {
  const { url } = await listen({ unknownPerAddress: 5, newPerSecond: 0.001 });
  const ask = (text: string) => rawConnection(url, text).closed.then((got) => answers(got).length);
  const whoami = requestText('GET /api/whoami', { headers: { authorization } });
  for (let i = 0; i < 20; i += 1) expect(await ask(whoami)).toBe(1);
  const served: number[] = [];
  for (let i = 0; i < 20; i += 1) served.push(await ask(requestText('GET /livez')));
  expect(served.filter((count) => count === 1)).toHaveLength(5);
  expect(await rawConnection(url, requestText('GET /livez'), '127.0.0.2').closed).toMatch(/HTTP\/1\.1 200/);
});

test('a stranger who holds too many connections loses the oldest idle ones, and nobody else does', async () => {
  const { url, lines, count } = await listen({ unknownPerAddress: 10, newPerSecond: 10_000 });
  const agent = rawConnection(url, requestText('GET /api/whoami', { headers: { authorization }, close: false }));
  await agent.until(/HTTP\/1\.1 200/);
  const neighbour = rawConnection(url, livez, '127.0.0.2');
  await neighbour.until(/HTTP\/1\.1 200/);
  const idle = Array.from({ length: 30 }, () => rawConnection(url, 'GET /livez HTTP/1.1\r\n'));
  await Promise.all(idle.slice(0, 15).map(({ closed }) => closed));
  await expect.poll(count).toBe(12);
  expect(lines.filter(({ fault }) => fault === 'too_many_connections')).toEqual([
    expect.objectContaining({ address: '127.0.0.1' }),
  ]);
  // The newest is the one that is somebody's turn.
  expect(answers(await rawConnection(url, requestText('GET /livez')).closed)).toEqual(['HTTP/1.1 200']);
  for (const held of [agent, neighbour]) {
    held.socket.write(requestText('GET /livez'));
    expect(answers(await held.closed)).toHaveLength(2);
  }
});

test('a connection on which a whole request waits is not the one to go', async () => {
  const { url, release, asked } = await listen({ unknownPerAddress: 3, newPerSecond: 10_000 });
  const profile = requestText(`GET ${contract.customerProfile.path}?ticket=7`, { headers: { authorization } });
  const waiting = [rawConnection(url, profile), rawConnection(url, profile)];
  await expect.poll(() => asked.length).toBe(2);
  const idle = Array.from({ length: 10 }, () => rawConnection(url, 'GET'));
  await Promise.all(idle.slice(0, 9).map(({ closed }) => closed));
  release();
  for (const { closed } of waiting) expect(answers(await closed)).toEqual(['HTTP/1.1 404']);
});

test('the connections of a trusted reverse proxy are not counted', async () => {
  const { url, count } = await listen({ unknownPerAddress: 3 }, ['127.0.0.1']);
  const held = Array.from({ length: 10 }, () => rawConnection(url, livez));
  await Promise.all(held.map((connection) => connection.until(/HTTP\/1\.1 200/)));
  expect(await count()).toBe(10);
});

test.each([
  ['nothing at all', ''],
  ['half a head', 'GET /livez HTTP/1.1\r\nhost: a\r\n'],
  [
    'a head and half a body',
    post({ authorization, 'content-length': '100' }, '{"orgid":').replace('content-length: 9\r\n', ''),
  ],
])('whoever sends %s is let go with 408', async (_, bytes) => {
  const { url } = await listen({ headersMs: 200, requestMs: 300 });
  const answer = answerIn(await rawConnection(url, bytes).closed);
  expect(answer).toMatchObject({ status: 408, data: { code: 'bad_input', issues: [{ field: 'request' }] } });
});

test.each([
  ['without a credential', {}, 401],
  ['with one that is nobody’s', { authorization: 'token nobody:nothing' }, 401],
  ['and is too large', { authorization }, 413],
])(
  'a body that comes %s is not read: the answer closes the connection, which nobody else may use',
  async (_, headers, status) => {
    const { url } = await listen();
    const head = post({ ...headers, 'content-length': String(2 * 1024 * 1024) });
    const connection = rawConnection(url, head);
    const answer = answerIn(await connection.until(/\r\n\r\n\{.*\}$/s));
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatch(/connection: close/i);
    // What an honest client goes on sending is not taken for a request, and 64 kB later there is nobody to send it to.
    for (let i = 0; i < 20; i += 1) connection.socket.write(livez.repeat(100));
    expect(answers(await connection.closed)).toHaveLength(1);
  },
);

test('a client that has sent a body nobody wanted still reads its answer, and is not waited for', async () => {
  const { url } = await listen();
  const connection = rawConnection(url, post({ 'content-length': '30000' }) + 'x'.repeat(20_000));
  expect(answerIn(await connection.closed).status).toBe(401);
});

test('a small body that has already arrived costs nobody the connection', async () => {
  const { url } = await listen();
  const connection = rawConnection(url, post({}, '{}') + requestText('GET /livez'));
  expect(answers(await connection.closed)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
});

test('no path but those that take one reads a body', async () => {
  const { url } = await listen();
  for (const target of ['GET /livez', 'POST /api/nothing', `PUT ${posted}`, `GET ${contract.whoami.path}`]) {
    const text = requestText(target, { headers: { authorization, 'content-length': '5000000' }, close: false });
    expect(answerIn(await rawConnection(url, text).until(/\r\n\r\n\{/)).headers).toMatch(/connection: close/i);
  }
});
