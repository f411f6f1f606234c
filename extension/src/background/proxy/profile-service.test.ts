import * as fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import type { ProfileResult } from '#messaging/protocol.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { createProfileService, type ProfileRequest } from './profile-service.ts';

const sample = sampleProfile();

interface Load {
  user: string;
  ticket: string;
  refresh: boolean;
  signal: AbortSignal;
  answer(result?: ProfileResult): void;
}

function setUp() {
  let clock = 1_000;
  const loads: Load[] = [];
  const service = createProfileService({
    now: () => clock,
    load({ user, ticket, refresh }, signal) {
      const { promise, resolve } = Promise.withResolvers<ProfileResult>();
      loads.push({ user, ticket, refresh, signal, answer: (result = profileOf(ticket, clock)) => resolve(result) });
      return promise;
    },
  });
  const get = (change: Partial<ProfileRequest> = {}) =>
    service.get({ tabId: 1, user: 'an', ticket: '2', call: 'a', refresh: false, maxAgeMs: 0, ...change });
  return {
    service,
    loads,
    get,
    later: (ms: number) => {
      clock += ms;
    },
  };
}
function profileOf(ticket: string, receivedAt: number): ProfileResult & { ok: true } {
  return { ok: true, profile: { ...sample, ticket: { ...sample.ticket, name: ticket }, pending: [] }, receivedAt };
}
afterEach(() => vi.useRealTimers());

const aborted = { ok: false, error: { code: 'aborted', requestId: null } };

test('equal requests from one tab share one call', async () => {
  const { loads, get } = setUp();
  const both = [get(), get({ call: 'b' })];
  expect(loads).toHaveLength(1);
  loads[0]?.answer();
  const [first, second] = await Promise.all(both);
  expect(first).toBe(second);
});

test('nobody is given what somebody else was answered, neither while it is on its way nor afterwards', async () => {
  const { loads, get } = setUp();
  const first = get({ maxAgeMs: 60_000 });
  void get({ user: 'binh', maxAgeMs: 60_000 });
  expect(loads.map(({ user }) => user)).toEqual(['an', 'binh']);
  loads[0]?.answer();
  await first;
  void get({ user: 'chi', maxAgeMs: 60_000 });
  void get({ maxAgeMs: 60_000 });
  expect(loads.map(({ user }) => user)).toEqual(['an', 'binh', 'chi']);
});

test('another tab and a refresh get their own call', () => {
  const { loads, get } = setUp();
  get();
  get({ tabId: 2, call: 'b' });
  get({ refresh: true, call: 'c' });
  expect(loads.map(({ refresh }) => refresh)).toEqual([false, false, true]);
});

test('cancelling aborts the request and answers immediately, unless another call shares it', async () => {
  const { service, loads, get } = setUp();
  const first = get();
  get({ call: 'b' });
  service.cancel(1, 'a');
  expect(loads[0]?.signal.aborted).toBe(false);
  service.cancel(1, 'b');
  expect(loads[0]?.signal.aborted).toBe(true);
  expect(await first).toEqual(aborted);
});

test('cancelling a call of another tab or an unknown call does nothing', () => {
  const { service, loads, get } = setUp();
  get();
  service.cancel(2, 'a');
  service.cancel(1, 'zzz');
  expect(loads[0]?.signal.aborted).toBe(false);
});

test('a newer ticket of the same tab aborts the older one, another tab does not', async () => {
  const { loads, get } = setUp();
  const left = get();
  get({ tabId: 2, ticket: '9', call: 'x' });
  expect(loads[0]?.signal.aborted).toBe(false);
  get({ ticket: '3', call: 'b' });
  expect(loads[0]?.signal.aborted).toBe(true);
  expect(await left).toEqual(aborted);
});

test('a tab that leaves the ticket or closes aborts it; one that stays does not', () => {
  const { service, loads, get } = setUp();
  get();
  service.leave(1, '2');
  expect(loads[0]?.signal.aborted).toBe(false);
  service.leave(2, null);
  expect(loads[0]?.signal.aborted).toBe(false);
  service.leave(1, null);
  expect(loads[0]?.signal.aborted).toBe(true);
});

test('an answer that arrives after an abort is neither returned nor cached', async () => {
  const { service, loads, get } = setUp();
  const left = get();
  service.leave(1, null);
  loads[0]?.answer();
  expect(await left).toEqual(aborted);
  get({ maxAgeMs: 60_000, call: 'b' });
  expect(loads).toHaveLength(2);
});

test('a cached answer is reused up to the age that the caller allows', async () => {
  const { loads, get, later } = setUp();
  const first = get();
  loads[0]?.answer();
  const answer = await first;
  later(20_000);
  expect(await get({ maxAgeMs: 30_000, tabId: 5 })).toBe(answer);
  get({ maxAgeMs: 10_000 });
  expect(loads).toHaveLength(2);
});

test('a refresh never uses the cache, and its answer replaces the cached one', async () => {
  const { loads, get, later } = setUp();
  const first = get();
  loads[0]?.answer();
  await first;
  later(5);
  const forced = get({ refresh: true, maxAgeMs: 60_000 });
  expect(loads).toHaveLength(2);
  loads[1]?.answer();
  const refreshed = await forced;
  expect(await get({ maxAgeMs: 60_000 })).toBe(refreshed);
});

test.each<[string, ProfileResult]>([
  ['an error', { ok: false, error: { code: 'timeout', requestId: 'r' } }],
  ['a profile with parts still to come', { ...profileOf('2', 1_000), profile: { ...sample, pending: ['haravan'] } }],
])('%s is returned but not cached', async (_, result) => {
  const { loads, get } = setUp();
  const first = get();
  loads[0]?.answer(result);
  expect(await first).toBe(result);
  get({ maxAgeMs: 60_000 });
  expect(loads).toHaveLength(2);
});

test('a profile with pending parts is requested again until it is complete, but only while the tab shows it', async () => {
  vi.useFakeTimers();
  const { service, loads } = setUp();
  const request = { tabId: 1, user: 'an', ticket: '2', call: 'a', refresh: false, maxAgeMs: 0 };
  const unfinished = { ...profileOf('2', 1_000), profile: { ...sample, pending: ['lookup_trust' as const] } };
  const settled = service.getSettled(request);
  loads[0]?.answer(unfinished);
  await vi.advanceTimersByTimeAsync(500);
  loads[1]?.answer();
  expect(await settled).toMatchObject({ ok: true, profile: { pending: [] } });

  const left = service.getSettled(request);
  loads[2]?.answer(unfinished);
  await vi.advanceTimersByTimeAsync(100);
  service.leave(1, '3');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await left).toEqual(aborted);
  expect(loads).toHaveLength(3);
});

test('after a change of person or address no earlier answer is returned', async () => {
  const { service, loads, get } = setUp();
  const first = get();
  loads[0]?.answer();
  await first;
  const running = get();
  service.clear();
  expect(await running).toEqual(aborted);
  get({ maxAgeMs: 60_000 });
  expect(loads).toHaveLength(3);
});

test('whatever a tab does, in whatever order answers come, it never gets the profile of another ticket', async () => {
  const step = fc.record({
    ticket: fc.constantFrom('1', '2', '3'),
    tabId: fc.constantFrom(1, 2),
    refresh: fc.boolean(),
    answerFirst: fc.nat(),
    afterwards: fc.constantFrom('nothing', 'cancel', 'leave'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const { service, loads, get } = setUp();
      const asked: Promise<void>[] = [];
      for (const [index, { ticket, tabId, refresh, answerFirst, afterwards }] of steps.entries()) {
        const call = `c${index}`;
        const result = get({ ticket, tabId, refresh, call, maxAgeMs: 60_000 });
        asked.push(result.then((answer) => expect(answer.ok ? answer.profile.ticket.name : ticket).toBe(ticket)));
        loads[answerFirst % (loads.length || 1)]?.answer();
        if (afterwards === 'cancel') service.cancel(tabId, call);
        if (afterwards === 'leave') service.leave(tabId, null);
      }
      for (const load of loads) load.answer();
      await Promise.all(asked);
    }),
  );
});

test('after a write to the ticket no earlier answer is reused, nor one that was still in flight', async () => {
  const { service, loads, get } = setUp();
  const before = get({ maxAgeMs: 60_000 });
  loads[0]?.answer();
  await before;
  const during = get({ call: 'b' });
  service.forget('2');
  get({ call: 'c', maxAgeMs: 60_000 });
  expect(loads).toHaveLength(3);
  loads[1]?.answer();
  expect(await during).toMatchObject({ ok: true });
  get({ tabId: 2, call: 'd', maxAgeMs: 60_000 });
  expect(loads).toHaveLength(4);
  service.leave(1, null);
  expect(loads[2]?.signal.aborted).toBe(true);
});

test('a write to one ticket leaves the cached answers of others alone', async () => {
  const { service, loads, get } = setUp();
  const first = get({ ticket: '3' });
  loads[0]?.answer();
  await first;
  service.forget('2');
  await get({ ticket: '3', call: 'b', maxAgeMs: 60_000 });
  expect(loads).toHaveLength(1);
});

test('after a sign-out no earlier answer is reused, and one on its way is for those who wait for it', async () => {
  const { service, loads, get } = setUp();
  const kept = get();
  loads[0]?.answer();
  await kept;
  const underway = get({ ticket: '3' });
  service.forget(null);
  loads[1]?.answer();
  expect((await underway).ok).toBe(true);
  void get({ maxAgeMs: 60_000 });
  void get({ ticket: '3', maxAgeMs: 60_000 });
  expect(loads.map(({ ticket }) => ticket)).toEqual(['2', '3', '2', '3']);
});
