import type { ProfileData } from '@deskside/shared/profile';
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type PanelErrorCode, panelErrorCodes, type Result } from '#messaging/protocol.ts';
import { keepRequests, noAnswer, of } from '#testing/mocked-send.ts';
import { type ProfileChange, sampleProfile } from '#testing/sample-profile.ts';
import { until } from '#testing/until.ts';
import {
  createQueryClient,
  isDueInFront,
  keepOnly,
  profileQuery,
  refetchDelayMs,
  refreshProfile,
} from './profile-query.ts';
import { panelState } from './use-profile.ts';

vi.mock('#messaging/send.ts', () => import('#testing/mocked-send.ts'));

const gets = () => of('profile.get');
const ok = (change: ProfileChange = {}): Result<ProfileData> => ({ ok: true, data: sampleProfile(change) });
const no = (code: PanelErrorCode): Result<ProfileData> => ({ ok: false, error: { code } });
const loaded = { profile: sampleProfile(), followUps: 0 };
const { queryKey } = profileQuery('61307');
const state = () => client.getQueryState(queryKey) as Parameters<typeof refetchDelayMs>[0];
const isWithin = (ms: number | false, least: number, most: number) => {
  expect(ms).toBeGreaterThanOrEqual(least);
  expect(ms).toBeLessThanOrEqual(most);
};

let client: ReturnType<typeof createQueryClient>;
/** What the background knows from before. */
let last: object | null;
const ask = (ticket = '61307') => client.fetchQuery({ ...profileQuery(ticket), staleTime: 0 });
/** Asks, and gives what is kept once that is answered. */
async function load(change: ProfileChange) {
  const result = ask();
  gets().at(-1)?.answer(ok(change));
  return result;
}

beforeEach(() => {
  last = null;
  client = createQueryClient();
  keepRequests((verb) => (verb === 'profile.last' ? last : undefined));
});
afterEach(() => vi.useRealTimers());

test('an answer about another ticket is an error, never a profile, and data about another one count as none', async () => {
  const result = ask('2');
  gets()[0]?.answer(ok({ ticket: { name: '61307' } }));
  await expect(result).rejects.toMatchObject({ code: 'bad_answer' });
  expect(client.getQueryData(profileQuery('2').queryKey)).toBeUndefined();
  const error = { code: 'timeout' } as const;
  expect(panelState({ ticket: '2', loaded, error, online: true })).toEqual({ kind: 'failure', error });
});

test('leaving a ticket cancels its request in the background and drops what arrives late, and what was there; no timer holds it', async () => {
  vi.useFakeTimers();
  client.setQueryData(profileQuery('1').queryKey, loaded);
  client.setQueryData(profileQuery('2').queryKey, loaded);
  const left = ask().catch(() => {});
  keepOnly(client, '2');
  expect(gets()[0]?.signal?.aborted).toBe(true);
  gets()[0]?.answer(ok());
  await left;
  expect(
    client
      .getQueryCache()
      .getAll()
      .map((query) => query.queryKey[1]),
  ).toEqual(['2']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(vi.getTimerCount()).toBe(0);
});

test('a refresh bypasses every cache, keeps the old data meanwhile, and its answer is known as one', async () => {
  await load({ company: { membership: 'VIP' } });
  const refreshed = refreshProfile(client, '61307');
  await until(() => expect(gets()).toHaveLength(2));
  expect(gets()[1]?.input).toMatchObject({ refresh: true, maxAgeMs: 0 });
  expect(client.getQueryData(queryKey)?.profile.bitrix.company?.membership).toBe('VIP');
  gets()[1]?.answer(ok());
  await refreshed;
  expect(client.getQueryData(queryKey)?.profile.bitrix.company?.membership).toBe('Member');
  // One that fails keeps the data, too.
  const failing = refreshProfile(client, '61307');
  await until(() => expect(gets()).toHaveLength(3));
  gets()[2]?.answer(no('unreachable'));
  await failing;
  expect(client.getQueryState(queryKey)).toMatchObject({ data: expect.anything(), error: { code: 'unreachable' } });
});

test('a refresh while the panel opens makes one request, and a second refresh meanwhile none', async () => {
  const refreshed = refreshProfile(client, '61307');
  const stop = new QueryObserver(client, profileQuery('61307')).subscribe(() => {});
  void refreshProfile(client, '61307');
  gets()[0]?.answer(ok());
  await refreshed;
  expect(gets().map(({ input }) => input.refresh)).toEqual([true]);
  stop();
});

test('a refresh replaces a running ordinary request', async () => {
  const stop = new QueryObserver(client, profileQuery('61307')).subscribe(() => {});
  const refreshed = refreshProfile(client, '61307');
  await until(() => expect(gets()).toHaveLength(2));
  expect(gets().map(({ signal }) => signal?.aborted)).toEqual([true, false]);
  gets()[1]?.answer(ok());
  await refreshed;
  expect(client.getQueryData(queryKey)).toBeDefined();
  stop();
});

test.each(['extension_updated', 'internal'] as const)('no answer at all is said to be %s', async (code) => {
  noAnswer.mockReturnValueOnce(code);
  const result = ask();
  gets()[0]?.answer(undefined);
  await expect(result).rejects.toMatchObject({ code });
});

test('the first request accepts a recent answer, later ones one of this moment, and pending parts are requested three times at most', async () => {
  const delays = [];
  for (let left = 4; left > 0; left -= 1) {
    await load({ pending: ['lookup_trust'] });
    delays.push(refetchDelayMs(state()));
  }
  expect(gets().map(({ input }) => input.maxAgeMs)).toEqual([60_000, 5_000, 5_000, 5_000]);
  expect(delays).toEqual([400, 400, 400, false]);
  expect(client.getQueryData(queryKey)?.profile.pending).toEqual([]);
});

test.each(['timeout', 'unauthorized'] as const)(
  'a CRM that fails (%s) is asked again within ten seconds, until it answers',
  async (code) => {
    const failing = { bitrix: { status: 'error', error: { code, request_id: 'r' } } } as const;
    for (const [least, most] of [
      [1_800, 2_200],
      [4_500, 5_500],
      [8_100, 9_900],
      [8_100, 9_900],
    ] as const) {
      await load(failing);
      isWithin(refetchDelayMs(state()), least, most);
    }
    await load({});
    expect(refetchDelayMs(state())).toBe(false);
  },
);

test('a proxy that is away is asked again within ten seconds; a person’s problem is not', async () => {
  const after = async (code: PanelErrorCode) => {
    const result = ask();
    gets().at(-1)?.answer(no(code));
    await result.catch(() => {});
    return refetchDelayMs(state());
  };
  for (const most of [2_200, 5_500, 9_900, 9_900]) isWithin(await after('unreachable'), 1_800, most);
  for (const code of ['signed_out', 'not_an_agent', 'ticket_not_found', 'other_user', 'offline'] as const)
    expect(await after(code)).toBe(false);
});

test('a page that comes to the front asks again for what failed at once, and for what is older than a moment', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const query = () => client.getQueryCache().find({ queryKey }) as Parameters<typeof isDueInFront>[0];
  await load({});
  expect(isDueInFront(query())).toBe(false);
  vi.setSystemTime(Date.now() + 5_000);
  expect(isDueInFront(query())).toBe(true);
  await load({ bitrix: { status: 'error' } });
  expect(isDueInFront(query())).toBe(true);
  const result = ask();
  expect(isDueInFront(query())).toBe(false);
  gets().at(-1)?.answer(no('signed_out'));
  await result.catch(() => {});
  expect(isDueInFront(query())).toBe(true);
});

test('what was seen the last time stays on screen beside a failure, however fast that comes, and nothing of another ticket does', async () => {
  last = { profile: sampleProfile(), receivedAt: 5 };
  const [own, other] = [ask(), ask('2').catch(() => {})];
  for (const get of gets()) get.answer(no('unreachable'));
  await expect(own).rejects.toMatchObject({ code: 'unreachable' });
  await other;
  expect(client.getQueryState(queryKey)).toMatchObject({ status: 'error', data: { isMeanwhile: true } });
  expect(client.getQueryData(profileQuery('2').queryKey)).toBeUndefined();
});

test('a failure of the CRM that was seen the last time is not shown again while the answer is on its way', async () => {
  last = { profile: sampleProfile({ bitrix: { status: 'error', stale: true } }), receivedAt: 5 };
  const result = ask();
  await new Promise(setImmediate);
  expect(client.getQueryData(queryKey)).toBeUndefined();
  gets()[0]?.answer(ok());
  await result;
});

test('while the CRM is slow, what is known without it is put on screen, and goes with the answer', async () => {
  vi.useFakeTimers();
  const result = ask();
  await vi.advanceTimersByTimeAsync(500);
  expect(of('profile.known')).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(of('profile.known')[0]?.input).toEqual({ ticket: '61307' });
  of('profile.known')[0]?.answer(ok({ pending: ['crm'], bitrix: { company: null } }));
  await vi.advanceTimersByTimeAsync(0);
  expect(client.getQueryData(queryKey)).toMatchObject({ isMeanwhile: true, profile: { pending: ['crm'] } });
  gets()[0]?.answer(ok());
  await result;
  expect(client.getQueryData(queryKey)?.isMeanwhile).toBeUndefined();
});

test('an answer that comes soon asks for nothing more; what was seen before needs nothing else', async () => {
  vi.useFakeTimers();
  await load({});
  last = { profile: sampleProfile({ ticket: { name: '2' } }), receivedAt: 5 };
  void ask('2').catch(() => {});
  await vi.advanceTimersByTimeAsync(1_000);
  expect(of('profile.known')).toEqual([]);
});

test('a failure that ends the permission removes the data, any other keeps it with a warning; without a network it is offline', () => {
  const view = (code: PanelErrorCode, online = true) =>
    panelState({ ticket: '61307', loaded, error: { code }, online });
  expect(panelErrorCodes.filter((code) => view(code).kind === 'failure')).toEqual([
    ...['unauthenticated', 'not_an_agent', 'not_a_manager', 'ticket_not_readable', 'ticket_not_found', 'signed_out'],
    ...['not_configured', 'other_user', 'extension_updated', 'access_withheld'],
  ]);
  expect(view('unreachable', false)).toMatchObject({ kind: 'profile', failure: { code: 'offline' } });
  expect(view('signed_out', false)).toMatchObject({ error: { code: 'signed_out' } });
});
