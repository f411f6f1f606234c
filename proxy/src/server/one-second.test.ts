import { setTimeout as wait } from 'node:timers/promises';
import { contract } from '@deskside/shared/contract';
import type { ProfileData } from '@deskside/shared/profile';
import { expect, test } from 'vitest';
import { AppError } from '#runtime/app-error.ts';
import { memoryBy } from '#runtime/memory.ts';
import { fakeClock, silent } from '#testing/quiet.ts';
import { countWrites } from './middleware.ts';
import { testApp } from './testing/test-app.ts';

const at = `${contract.customerProfile.path}?ticket=1`;
const authorization = 'token key:secret';
const trust = { level: 'likely', evidence: [] };
const file = { status: 'cached', stale: false, error: null, company: {} };
const whole = { pending: [], bitrix: { ...file, lookup_trust: trust, also_named: [] } };
const named = { file, trust };

function setUp(profile: object = whole) {
  const clock = fakeClock();
  const writes = countWrites();
  const lines: object[] = [];
  const counted: object[] = [];
  const state = { asked: 0, profile, meanwhile: async () => {} };
  const app = testApp({
    writes,
    ctx: {
      memory: memoryBy(clock),
      logger: { ...silent, info: (fields: object) => void lines.push(fields) },
    },
    metrics: { requestAnswered: (request: object) => void counted.push(request) } as never,
    verbs: {
      async customerProfile({ caller }) {
        state.asked += 1;
        const asked = state.asked;
        await state.meanwhile();
        if (caller.authorization !== authorization) throw new AppError('unauthenticated');
        return { ...state.profile, asked } as unknown as ProfileData;
      },
      enrichCompany: async () => ({ status: 'matched' }),
    },
  });
  const get = async (path = at, headers: Record<string, string> = {}) =>
    app.request(path, { headers: { authorization, ...headers } });
  return { app, clock, writes, lines, counted, state, get };
}

test('who asks again within a second gets the same answer, logged and counted like any other', async () => {
  const { clock, lines, counted, state, get } = setUp();
  const first = await get();
  clock.advance(999);
  const second = await get(at, { 'x-request-id': 'given-by-the-client' });
  expect(state.asked).toBe(1);
  expect(await second.text()).toBe(await first.text());
  const headers = ({ headers: all }: Response) => Object.fromEntries(all);
  expect(headers(second)).toEqual({ ...headers(first), 'x-request-id': 'given-by-the-client' });
  expect(lines[1]).toEqual({ ...lines[0], request_id: 'given-by-the-client', ms: expect.any(Number) });
  expect(counted[1]).toEqual({ ...counted[0], seconds: expect.any(Number) });
  clock.advance(1);
  await get();
  expect(state.asked).toBe(2);
});

test('another credential, another ticket and one that refreshes are other requests; a refusal is given once', async () => {
  const { state, get } = setUp();
  await get();
  await get(`${contract.customerProfile.path}?ticket=2`);
  for (let times = 0; times < 2; times += 1) await get(`${at}&refresh=1`);
  for (let times = 0; times < 2; times += 1)
    expect((await get(at, { authorization: 'token key:others' })).status).toBe(401);
  expect(state.asked).toBe(6);
});

test.each([
  ['a part is pending', { ...whole, pending: ['haravan'] }],
  ['the company is old', { ...whole, bitrix: { ...whole.bitrix, stale: true } }],
  ['the CRM failed', { ...whole, bitrix: { ...whole.bitrix, error: { code: 'timeout' } } }],
  ['nobody could be asked who vouches', { ...whole, bitrix: { ...whole.bitrix, lookup_trust: null } }],
  [
    'another company that is named is old',
    { ...whole, bitrix: { ...whole.bitrix, also_named: [named, { ...named, file: { ...file, stale: true } }] } },
  ],
  [
    'another company that is named was not judged',
    { ...whole, bitrix: { ...whole.bitrix, also_named: [{ ...named, trust: null }] } },
  ],
])('an answer is given once where %s', async (_, profile) => {
  const { state, get } = setUp(profile);
  for (let times = 0; times < 2; times += 1) await get();
  expect(state.asked).toBe(2);
});

test('after a write nothing from before is given, nor what was begun before it and ends later', async () => {
  const { writes, state, get } = setUp();
  await get();
  writes.note();
  const { promise: written, resolve: write } = Promise.withResolvers<void>();
  state.meanwhile = () => written;
  const begun = get();
  await wait();
  writes.note();
  write();
  await begun;
  await get();
  expect(state.asked).toBe(3);
  await get();
  expect(state.asked).toBe(3);
});

test('a request that may have written is a write, whatever came of it', async () => {
  const { app, state, get } = setUp();
  for (const body of ['{"orgid":"1"}', 'broken']) {
    const before = state.asked;
    await get();
    await get();
    expect(state.asked).toBe(before + 1);
    const headers = { authorization, 'content-type': 'application/json' };
    await app.request(contract.enrichCompany.path, { method: 'POST', body, headers });
  }
  await get();
  expect(state.asked).toBe(3);
});
