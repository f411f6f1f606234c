import type { AddressInfo } from 'node:net';
import { revisionHeader } from '@deskside/shared/compat';
import { contract } from '@deskside/shared/contract';
import type { ProfileData } from '@deskside/shared/profile';
import { expect, onTestFinished, test } from 'vitest';
import { lruMemory } from '#adapters/memory-lru/memory.ts';
import { AppError } from '#app/runtime/app-error.ts';
import { silent } from '#app/testing/fakes.ts';
import { createApp } from './app.ts';
import { createRepeats } from './repeats.ts';
import { createHttpServer, usualLimits } from './server/server.ts';
import { httpDeps } from './testing/http-deps.ts';
import { answerIn, rawConnection, requestText } from './testing/raw-http.ts';

const at = `${contract.customerProfile.path}?ticket=1`;
const authorization = 'token key:secret';
const profile = { bitrix: { lookup_trust: null } } as ProfileData;

/** A server whose profiles are remembered for one credential, with what its log and metrics were told. */
async function listen({ unknownRequests = 1_000 } = {}) {
  const lines: Record<string, unknown>[] = [];
  const counted: Record<string, unknown>[] = [];
  const clients: (string | undefined)[] = [];
  const names: string[] = [];
  const state = { asked: 0, remembered: profile as ProfileData | undefined };
  const shared = {
    memory: lruMemory,
    logger: { ...silent, info: (fields: object) => void lines.push({ ...fields }) },
    metrics: { requestAnswered: (request: object) => void counted.push({ ...request }) },
    inRequest<T>(id: string, work: () => T): T {
      names.push(id);
      return work();
    },
  };
  const repeats = createRepeats(shared);
  const app = createApp(
    httpDeps({
      ...shared,
      repeats,
      async getTicketProfile({ caller }) {
        state.asked += 1;
        if (caller.authorization !== authorization) throw new AppError('unauthenticated');
        return profile;
      },
      rememberedProfile(caller) {
        clients.push(caller.client);
        return state.remembered;
      },
    }),
  );
  const server = createHttpServer({
    ...{ fetch: app.fetch, answerAgain: repeats.answer, ...shared },
    trustedProxies: ['127.0.0.1'],
    limits: { ...usualLimits, unknownRequests },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = async (headers: Record<string, string> = {}, start = `GET ${at}`, body = '') =>
    answerIn(await rawConnection(url, requestText(start, { headers: { authorization, ...headers }, body })).closed);
  return { url, lines, counted, clients, names, state, ask };
}

const withoutChance = (headers: string) => headers.replace(/^(date|x-request-id): .*$/gim, '$1');

test('the very same request is answered as before, at once, and logged and counted like any other', async () => {
  const { lines, counted, names, state, ask } = await listen();
  const first = await ask();
  const second = await ask({ 'x-request-id': 'given-by-the-client' });
  expect(state.asked).toBe(1);
  expect(second.data).toEqual(first.data);
  const sorted = ({ headers }: typeof first) => withoutChance(headers.toLowerCase()).split('\r\n').toSorted();
  expect(sorted(second)).toEqual(sorted(first));
  expect(second.headers).toContain('x-request-id: given-by-the-client');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toEqual({ ...lines[0], request_id: 'given-by-the-client', ms: expect.any(Number) });
  expect(counted[1]).toEqual({ ...counted[0], seconds: expect.any(Number) });
  expect(names.at(-1)).toBe('given-by-the-client');
});

test.each<[what: string, headers: Record<string, string>, start?: string, body?: string]>([
  ['another credential', { authorization: 'token key:others' }],
  ['another revision of the contract', { [revisionHeader]: '1' }],
  ['another ticket', {}, `GET ${contract.customerProfile.path}?ticket=2`],
  ['one that refreshes', {}, `GET ${at}&refresh=1`],
  ['another method', {}, `HEAD ${at}`],
  ['one with a body', {}, `GET ${at}`, '{}'],
])('it is another request: %s', async (_, headers, start, body) => {
  const { state, ask } = await listen();
  await ask();
  const before = state.asked;
  await ask(headers, start, body);
  expect(state.asked).toBe(before + 1);
});

test('what has changed, and what was refused, is asked for again', async () => {
  const { state, ask } = await listen();
  await ask();
  state.remembered = undefined;
  await ask();
  expect(state.asked).toBe(2);
  const others = { authorization: 'token key:others' };
  expect([(await ask(others)).status, (await ask(others)).status]).toEqual([401, 401]);
  expect(state.asked).toBe(4);
});

test('a request that refreshes is never answered with what is remembered', async () => {
  const { state, ask } = await listen();
  for (let times = 0; times < 2; times += 1) await ask({}, `GET ${at}&refresh=1`);
  expect(state.asked).toBe(2);
});

test('the client that asks is the one that asks now', async () => {
  const { clients, ask } = await listen();
  for (const client of ['203.0.113.1', '203.0.113.2']) await ask({ 'x-forwarded-for': client });
  expect(clients).toEqual(['203.0.113.2']);
});

test('a connection that sends it is no stranger’s', async () => {
  const { url, ask } = await listen({ unknownRequests: 2 });
  await ask();
  const one = requestText(`GET ${at}`, { headers: { authorization }, close: false });
  const connection = rawConnection(url, one);
  for (let times = 1; times < 5; times += 1) {
    await connection.until(new RegExp(`(?:HTTP/1.1 200.*){${times}}`, 's'));
    connection.socket.write(one);
  }
  await connection.until(/(?:HTTP\/1.1 200.*){5}/s);
  expect(connection.received()).not.toMatch(/^connection: close/im);
  connection.socket.destroy();
});
