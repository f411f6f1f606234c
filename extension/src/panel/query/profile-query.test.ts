import type { ProfileData } from '@deskside/shared/profile';
import { QueryObserver } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import type { PanelErrorCode, Result } from '#messaging/protocol.ts';
import { noAnswer, send } from '#messaging/send.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { until } from '#testing/until.ts';
import {
  createQueryClient,
  keepOnly,
  type LoadedProfile,
  profileQuery,
  refetchDelayMs,
  refreshProfile,
  retryDelayMs,
} from './profile-query.ts';

vi.mock('#messaging/send.ts', () => import('#testing/mocked-send.ts'));

interface Asked {
  verb: string;
  input: { ticket?: string; refresh?: boolean; maxAgeMs?: number };
  signal: AbortSignal | undefined;
  answer: (result: Result<ProfileData> | undefined) => void;
}
const asked: Asked[] = [];
const gets = () => asked.filter(({ verb }) => verb === 'profile.get');
const ok = (change: Parameters<typeof sampleProfile>[0] = {}): Result<ProfileData> => ({
  ok: true,
  data: sampleProfile(change),
});
const ticketNamed = (name: string) => ({ ticket: { ...sampleProfile().ticket, name } });

/** What the background knows from before. */
let last: object | null;

beforeEach(() => {
  asked.length = 0;
  last = null;
  vi.mocked(send).mockImplementation((verb, input, signal) => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    asked.push({ verb, input: input as Asked['input'], signal, answer: resolve });
    if (verb === 'profile.last') resolve(last);
    return promise as never;
  });
});

test('an answer about another ticket is an error, never a profile', async () => {
  const client = createQueryClient();
  const result = client.fetchQuery(profileQuery('2'));
  gets()[0]?.answer(ok(ticketNamed('61307')));
  await expect(result).rejects.toMatchObject({ code: 'bad_answer' });
  expect(client.getQueryData(profileQuery('2').queryKey)).toBeUndefined();
});

test('leaving a ticket cancels its request in the background and drops what arrives late', async () => {
  const client = createQueryClient();
  const left = client.fetchQuery(profileQuery('61307')).catch(() => {});
  keepOnly(client, '2');
  expect(gets()[0]?.signal?.aborted).toBe(true);
  gets()[0]?.answer(ok());
  await left;
  expect(client.getQueryCache().getAll()).toEqual([]);
});

test("the data of other tickets is dropped immediately, the current one's stays", async () => {
  const client = createQueryClient();
  client.setQueryData(profileQuery('1').queryKey, {
    profile: sampleProfile(),
    isRefreshed: false,
    followUps: 0,
    crmFailures: 0,
  });
  client.setQueryData(profileQuery('2').queryKey, {
    profile: sampleProfile(),
    isRefreshed: false,
    followUps: 0,
    crmFailures: 0,
  });
  keepOnly(client, '2');
  expect(client.getQueryData(profileQuery('1').queryKey)).toBeUndefined();
  expect(client.getQueryData(profileQuery('2').queryKey)).toBeDefined();
});

test('a refresh bypasses every cache, keeps the old data meanwhile, and its answer is known as one', async () => {
  const client = createQueryClient();
  const { queryKey } = profileQuery('61307');
  const first = client.fetchQuery(profileQuery('61307'));
  gets()[0]?.answer(ok({ company: { membership: 'VIP' } }));
  await first;
  const refreshed = refreshProfile(client, '61307');
  await until(() => expect(gets()).toHaveLength(2));
  expect(gets()[1]?.input).toMatchObject({ refresh: true, maxAgeMs: 0 });
  expect(client.getQueryData(queryKey)?.profile.bitrix.company?.membership).toBe('VIP');
  gets()[1]?.answer(ok());
  await refreshed;
  const { profile, isRefreshed } = client.getQueryData(queryKey) ?? {};
  expect([profile?.bitrix.company?.membership, isRefreshed]).toEqual(['Member', true]);
});

test('a refresh while the panel opens makes one request, and a second refresh meanwhile none', async () => {
  const client = createQueryClient();
  const refreshed = refreshProfile(client, '61307');
  const stop = new QueryObserver(client, profileQuery('61307')).subscribe(() => {});
  void refreshProfile(client, '61307');
  expect(gets().map(({ input }) => input.refresh)).toEqual([true]);
  gets()[0]?.answer(ok());
  await refreshed;
  expect(gets()).toHaveLength(1);
  stop();
});

test('a refresh replaces a running ordinary request', async () => {
  const client = createQueryClient();
  const stop = new QueryObserver(client, profileQuery('61307')).subscribe(() => {});
  const refreshed = refreshProfile(client, '61307');
  await until(() => expect(gets()).toHaveLength(2));
  expect(gets().map(({ signal }) => signal?.aborted)).toEqual([true, false]);
  gets()[1]?.answer(ok());
  await refreshed;
  expect(client.getQueryData(profileQuery('61307').queryKey)).toBeDefined();
  stop();
});

test('a failed refresh keeps the data and reports the failure', async () => {
  const client = createQueryClient();
  client.setQueryData(profileQuery('61307').queryKey, {
    profile: sampleProfile(),
    isRefreshed: false,
    followUps: 0,
    crmFailures: 0,
  });
  const refreshed = refreshProfile(client, '61307');
  gets()[0]?.answer({ ok: false, error: { code: 'unreachable' } });
  await refreshed;
  const state = client.getQueryState(profileQuery('61307').queryKey);
  expect(state?.data).toBeDefined();
  expect(state?.error).toMatchObject({ code: 'unreachable' });
});

test('a script orphaned by an update says so, a dropped message is an internal error', async () => {
  for (const code of ['extension_updated', 'internal'] as const) {
    vi.mocked(noAnswer).mockReturnValueOnce(code);
    const client = createQueryClient();
    const result = client.fetchQuery(profileQuery('61307'));
    gets().at(-1)?.answer(undefined);
    await expect(result).rejects.toMatchObject({ code });
  }
});

test('the first request accepts a recent answer, later ones do not, and pending parts are requested three times at most', async () => {
  const client = createQueryClient();
  const pauses: (number | false)[] = [];
  let latest: LoadedProfile | undefined;
  for (let turn = 0; turn < 4; turn++) {
    const result = client.fetchQuery({ ...profileQuery('61307'), staleTime: 0 });
    gets()
      .at(-1)
      ?.answer(ok({ pending: ['lookup_trust'] }));
    latest = await result;
    pauses.push(refetchDelayMs(latest));
  }
  expect(gets().map(({ input }) => input.maxAgeMs)).toEqual([60_000, 0, 0, 0]);
  expect(pauses).toEqual([400, 400, 400, false]);
  expect(latest?.profile.pending).toEqual([]);
});

test('a failing CRM is retried after 15 s and then every 60 s, until it answers', async () => {
  const client = createQueryClient();
  const pauses: (number | false)[] = [];
  const failing = { bitrix: { status: 'error', error: { code: 'timeout', request_id: 'r' } } } as const;
  for (const change of [failing, failing, failing, {}]) {
    const result = client.fetchQuery({ ...profileQuery('61307'), staleTime: 0 });
    gets().at(-1)?.answer(ok(change));
    pauses.push(refetchDelayMs(await result));
  }
  expect(pauses).toEqual([15_000, 60_000, 60_000, false]);
});

test('an error that only an administrator can fix is looked at again every minute, so that it goes once it is mended', async () => {
  const client = createQueryClient();
  const result = client.fetchQuery(profileQuery('61307'));
  gets()[0]?.answer(ok({ bitrix: { status: 'error', error: { code: 'unauthorized', request_id: 'r' } } }));
  expect(refetchDelayMs(await result)).toBe(60_000);
});

test('a proxy that is away is asked again with growing pauses; a person’s problem is not', () => {
  const delays = (code: PanelErrorCode) => [1, 2, 3, 4, 5, 9].map((nth) => retryDelayMs({ code }, nth));
  expect(delays('unreachable')).toEqual([2_000, 5_000, 15_000, 30_000, 60_000, 60_000]);
  for (const code of ['signed_out', 'not_an_agent', 'ticket_not_found', 'other_user', 'offline'] as const)
    expect(delays(code)).toEqual([false, false, false, false, false, false]);
});

test('what was seen the last time stays on screen beside a failure, however fast that comes', async () => {
  last = { profile: sampleProfile(), receivedAt: 5 };
  const client = createQueryClient();
  const result = client.fetchQuery(profileQuery('61307'));
  gets()[0]?.answer({ ok: false, error: { code: 'unreachable' } });
  await expect(result).rejects.toMatchObject({ code: 'unreachable' });
  const state = client.getQueryState(profileQuery('61307').queryKey);
  expect([state?.status, state?.data?.isMeanwhile]).toEqual(['error', true]);
});

test('while the CRM is slow, what is known without it is put on screen, and goes with the answer', async () => {
  vi.useFakeTimers();
  const client = createQueryClient();
  const result = client.fetchQuery(profileQuery('61307'));
  const { queryKey } = profileQuery('61307');
  const known = () => asked.filter(({ verb }) => verb === 'profile.known');
  await vi.advanceTimersByTimeAsync(500);
  expect(known()).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(known()[0]?.input).toEqual({ ticket: '61307' });
  known()[0]?.answer(ok({ pending: ['crm'], bitrix: { company: null } }));
  await vi.advanceTimersByTimeAsync(0);
  expect(client.getQueryData(queryKey)).toMatchObject({ isMeanwhile: true, profile: { pending: ['crm'] } });
  gets()[0]?.answer(ok());
  await result;
  expect(client.getQueryData(queryKey)?.isMeanwhile).toBeUndefined();
  vi.useRealTimers();
});

test('an answer that comes soon asks for nothing more; what was seen before needs nothing else', async () => {
  vi.useFakeTimers();
  const client = createQueryClient();
  const fast = client.fetchQuery(profileQuery('61307'));
  gets()[0]?.answer(ok());
  await fast;
  last = { profile: sampleProfile(ticketNamed('2')), receivedAt: 5 };
  void client.fetchQuery(profileQuery('2')).catch(() => {});
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked.filter(({ verb }) => verb === 'profile.known')).toEqual([]);
  vi.useRealTimers();
});
