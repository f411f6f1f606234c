import type { ProfileData } from '@deskside/shared/profile';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import type { Result } from '#messaging/protocol.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { until } from '#testing/until.ts';
import { Profiles } from './profiles.ts';

const sample = sampleProfile();
const never = new AbortController().signal;

interface Load {
  user: string;
  ticket: string;
  refresh: boolean;
  signal: AbortSignal;
  answer(result?: Result<ProfileData>): void;
}
type ProfileQuery = { user?: string; ticket?: string; refresh?: boolean; maxAgeMs?: number };

const { session } = fakeBrowser.storage;
const stored = async () => (await session.get('lastProfiles')).lastProfiles ?? null;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000 });
});
afterEach(() => vi.useRealTimers());

function setUp() {
  const loads: Load[] = [];
  const profiles = new Profiles(({ user, ticket, refresh }, signal) => {
    const { promise, resolve } = Promise.withResolvers<Result<ProfileData>>();
    loads.push({ user, ticket, refresh, signal, answer: (result = profileOf(ticket)) => resolve(result) });
    return promise;
  });
  const get = (change: ProfileQuery = {}, signal = never) =>
    profiles.get({ user: 'an', ticket: '2', refresh: false, maxAgeMs: 0, ...change }, signal);
  const loaded = (count: number) => until(() => expect(loads).toHaveLength(count));
  return {
    ...{ profiles, loads, get, loaded },
    /** Asks for a profile that is answered at once. */
    async see(profile: ProfileData, user = 'an') {
      const result = get({ user, ticket: profile.ticket.name });
      await loaded(loads.length + 1);
      loads.at(-1)?.answer({ ok: true, data: profile });
      await result;
    },
  };
}
function profileOf(ticket: string): Result<ProfileData> & { ok: true } {
  return { ok: true, data: { ...sample, ticket: { ...sample.ticket, name: ticket }, pending: [] } };
}
const seen = (ticket: string) => profileOf(ticket).data;
const crmFailed = (ticket: string): ProfileData => ({ ...seen(ticket), bitrix: { ...sample.bitrix, status: 'error' } });

const aborted = { ok: false, error: { code: 'aborted' } };

test('equal requests share one call; a refresh has its own, uses nothing that is kept, and its answer replaces that', async () => {
  const { loads, get, see, loaded } = setUp();
  await see(seen('2'));
  const both = [get(), get()];
  const forced = get({ refresh: true, maxAgeMs: 60_000 });
  await loaded(3);
  expect(loads.map(({ refresh }) => refresh)).toEqual([false, false, true]);
  loads[1]?.answer();
  const [first, second] = await Promise.all(both);
  expect(first).toBe(second);
  loads[2]?.answer({ ok: true, data: { ...seen('2'), haravan: [] } });
  expect(await get({ maxAgeMs: 60_000 })).toEqual(await forced);
});

test('nobody is given what somebody else was answered, neither while it is on its way nor afterwards', async () => {
  const { loads, get, loaded } = setUp();
  const first = get({ maxAgeMs: 60_000 });
  await loaded(1);
  void get({ user: 'binh', maxAgeMs: 60_000 });
  await loaded(2);
  expect(loads.map(({ user }) => user)).toEqual(['an', 'binh']);
  loads[0]?.answer();
  expect((await first).ok).toBe(true);
  void get({ user: 'chi', maxAgeMs: 60_000 });
  await loaded(3);
  void get({ maxAgeMs: 60_000 });
  await loaded(4);
  expect(loads.map(({ user }) => user)).toEqual(['an', 'binh', 'chi', 'an']);
});

test('of two who ask while what is stored is being read, each gets their own', async () => {
  const { profiles, loads, get, loaded } = setUp();
  const both = [get(), get({ user: 'binh' })];
  await loaded(2);
  const named = ({ user }: { user: string }) => ({ ...seen('2'), names: { user } });
  for (const load of loads) load.answer({ ok: true, data: named(load) });
  expect(await Promise.all(both)).toMatchObject([{ data: named({ user: 'an' }) }, { data: named({ user: 'binh' }) }]);
  expect((await profiles.last('binh', '2'))?.profile).toEqual(named({ user: 'binh' }));
});

test('who gives up is answered at once, and the request is aborted once nobody waits for it', async () => {
  const { profiles, loads, get, loaded } = setUp();
  const [one, other] = [new AbortController(), new AbortController()];
  const results = [get({}, one.signal), get({}, other.signal)];
  await loaded(1);
  one.abort();
  expect(await results[0]).toEqual(aborted);
  expect(loads[0]?.signal.aborted).toBe(false);
  other.abort();
  expect(await results[1]).toEqual(aborted);
  expect(loads[0]?.signal.aborted).toBe(true);
  expect(await get({}, one.signal)).toEqual(aborted);
  // Nor is an answer that comes then kept.
  loads[0]?.answer();
  expect(await profiles.last('an', '2')).toBeNull();
  expect(loads).toHaveLength(1);
});

test('a kept answer is reused up to the age that the caller allows, and shown whatever its age, also after the background was suspended', async () => {
  const { loads, get, see, loaded } = setUp();
  await see(seen('2'));
  vi.setSystemTime(21_000);
  expect(await get({ maxAgeMs: 30_000 })).toEqual(profileOf('2'));
  void get({ maxAgeMs: 10_000 });
  await loaded(2);
  const woken = setUp();
  expect(await woken.get({ maxAgeMs: 30_000 })).toEqual(profileOf('2'));
  expect([loads.length, woken.loads.length]).toEqual([2, 0]);
  const last = await woken.profiles.last('an', '2');
  expect(last?.profile).toEqual(seen('2'));
  expect(last?.receivedAt).toBeLessThan(2_000);
  expect(await woken.profiles.last('an', '3')).toBeNull();
});

test.each<[string, Result<ProfileData>]>([
  ['an error', { ok: false, error: { code: 'timeout' } }],
  ['a profile for which the CRM has failed', { ok: true, data: crmFailed('2') }],
  ['a profile with parts still to come', { ok: true, data: { ...seen('2'), pending: ['haravan'] } }],
])(
  '%s is returned but not reused, nor what was answered before it, of which the last stays to be shown',
  async (_, result) => {
    const { profiles, loads, get, see, loaded } = setUp();
    await see(seen('2'));
    const next = get();
    await loaded(2);
    loads[1]?.answer(result);
    expect(await next).toBe(result);
    expect((await profiles.last('an', '2'))?.profile).toEqual(result.ok ? result.data : seen('2'));
    void get({ maxAgeMs: 60_000 });
    await loaded(3);
    const first = get({ ticket: '3' });
    await loaded(4);
    loads[3]?.answer({ ok: false, error: { code: 'timeout' } });
    await first;
    expect(await profiles.last('an', '3')).toBeNull();
  },
);

test('a profile with pending parts is requested again until it is complete, but only while somebody waits', async () => {
  vi.useFakeTimers();
  const { profiles, loads } = setUp();
  const request = { user: 'an', ticket: '2', refresh: false, maxAgeMs: 0 };
  const unfinished: Result<ProfileData> = { ok: true, data: { ...seen('2'), pending: ['lookup_trust'] } };
  const settled = profiles.getSettled(request, never);
  await vi.advanceTimersByTimeAsync(0);
  loads[0]?.answer(unfinished);
  await vi.advanceTimersByTimeAsync(500);
  loads[1]?.answer();
  expect(await settled).toMatchObject({ ok: true, data: { pending: [] } });

  const abort = new AbortController();
  const left = profiles.getSettled(request, abort.signal);
  await vi.advanceTimersByTimeAsync(0);
  loads[2]?.answer(unfinished);
  await vi.advanceTimersByTimeAsync(100);
  abort.abort();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await left).toEqual(aborted);
  expect(loads).toHaveLength(3);
});

test('whatever a tab does, in whatever order answers come, it never gets the profile of another ticket', async () => {
  const step = fc.record({
    ticket: fc.constantFrom('1', '2', '3'),
    user: fc.constantFrom('an', 'binh'),
    refresh: fc.boolean(),
    answerFirst: fc.nat(),
    givesUp: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const { loads, get } = setUp();
      const asked: Promise<void>[] = [];
      for (const { ticket, user, refresh, answerFirst, givesUp } of steps) {
        const abort = new AbortController();
        const result = get({ ticket, user, refresh, maxAgeMs: 60_000 }, abort.signal);
        asked.push(result.then((answer) => expect(answer.ok ? answer.data.ticket.name : ticket).toBe(ticket)));
        await Promise.resolve();
        loads[answerFirst % (loads.length || 1)]?.answer();
        if (givesUp) abort.abort();
      }
      await new Promise((started) => setTimeout(started));
      for (const load of loads) load.answer();
      await Promise.all(asked);
    }),
  );
});

test('after a write to the ticket no earlier answer is reused, nor one that was still in flight', async () => {
  const { profiles, loads, get, see, loaded } = setUp();
  await see(seen('2'));
  const [left, after] = [new AbortController(), new AbortController()];
  const during = [get(), get({ refresh: true })];
  void get({ ticket: '3' }, left.signal);
  await loaded(4);
  for (const ticket of ['2', '3']) await profiles.forget(ticket);
  void get({ maxAgeMs: 60_000 }, after.signal);
  void get({ ticket: '3' });
  await loaded(6);
  for (const at of [1, 2]) loads[at]?.answer();
  expect(await Promise.all(during)).toMatchObject([{ ok: true }, { ok: true }]);
  expect(await profiles.last('an', '2')).toBeNull();
  after.abort();
  expect(loads[4]?.signal.aborted).toBe(true);
  // Who gives up what was asked before ends nothing that was asked since.
  left.abort();
  const shared = get({ ticket: '3' });
  loads[5]?.answer();
  expect(await shared).toMatchObject({ ok: true });
  expect([loads[3]?.signal.aborted, loads.length]).toEqual([true, 6]);
});

test('a write to one ticket leaves the others alone; thirty are kept, those that were seen last', async () => {
  const { profiles, see } = setUp();
  for (const nth of [0, 1, 2, 0]) await see(seen(`${nth}`));
  for (let nth = 3; nth < 32; nth += 1) await see(seen(`${nth}`));
  await profiles.forget('5');
  const kept = await Promise.all(['0', '1', '2', '3', '5', '31'].map((ticket) => profiles.last('an', ticket)));
  expect(kept.map((one) => one !== null)).toEqual([true, false, false, true, false, true]);
});

test('a sign-out clears everything, also what was stored before a suspension; what is on its way is for those who wait', async () => {
  const before = setUp();
  await before.see(seen('1'));
  const { profiles, loads, get, loaded } = setUp();
  const reading = profiles.last('an', '1');
  const underway = get({ ticket: '3' });
  await loaded(1);
  await profiles.clear();
  await reading;
  loads[0]?.answer();
  expect((await underway).ok).toBe(true);
  expect([await profiles.last('an', '1'), await profiles.last('an', '3'), await stored()]).toEqual([null, null, null]);
});

test("somebody else's page clears everything, here and in the browser's storage", async () => {
  const { profiles, loads, get, see, loaded } = setUp();
  await see(seen('1'));
  const late = get({ ticket: '2' });
  await loaded(2);
  await profiles.keepOnly('binh');
  expect(await stored()).toBeNull();
  loads[1]?.answer();
  await late;
  expect([await profiles.last('an', '1'), await profiles.last('an', '2'), await stored()]).toEqual([null, null, null]);
});

test('what is cleared while it is read from the browser’s storage does not come back', async () => {
  await setUp().see(seen('2'));
  await until(async () => expect(await stored()).not.toBeNull());
  const { profiles } = setUp();
  // Begins to read, and somebody signs out.
  const last = profiles.last('an', '2');
  await profiles.clear();
  expect(await last).toBeNull();
  expect(await profiles.last('an', '2')).toBeNull();
});

test('what does not fit into the storage is kept for the time being, and hides no error from the next', async () => {
  vi.spyOn(session, 'set').mockRejectedValue(new Error('QUOTA_BYTES'));
  const { profiles, see } = setUp();
  await see(seen('1'));
  expect((await profiles.last('an', '1'))?.profile).toEqual(seen('1'));
});
