import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { longestLeaseMs } from './longest-lease.ts';
import * as notes from './notes.ts';
import type { StateDb } from './schema.ts';
import * as tickets from './tickets.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const leaseMs = 60_000;

/** Tests of the inbox's contract for any store. `which`: 0 or 1, two connections to the same store. */
export function describeInbox(dbOf: (which: number) => StateDb): void {
  const event = (ticket: string, at = noon) => ({ digest: randomUUID(), ticket, at });
  const claim = (owner: string, now = noon, limit = 1_000) =>
    tickets.claim(dbOf(owner === 'b' ? 1 : 0), owner, { limit, now, leaseMs });
  const claimOne = async (owner: string, now = noon) => {
    const [work, ...others] = await claim(owner, now);
    expect(others).toEqual([]);
    if (work === undefined) throw new Error('Nothing is due');
    return work;
  };
  const names = (work: { ticket: string }[]) => work.map(({ ticket }) => ticket);

  describe('the inbox', () => {
    beforeEach(async () => {
      const db = dbOf(0);
      const left = await tickets.claim(db, 'cleaner', { limit: 5_000, now: 10 * noon, leaseMs });
      for (const work of left) await tickets.finish(db, [work], 'cleaner');
      expect(await tickets.waiting(db)).toBe(0);
    });

    it('has the ticket of an accepted event due at once', async () => {
      expect(await tickets.accept(dbOf(0), event('T1'))).toBe('accepted');
      expect(await claim('a', noon - 1)).toEqual([]);
      const work = { ticket: 'T1', cause: 'webhook', since: noon, attempts: 0 };
      expect(await claim('a')).toEqual([{ ...work, revision: expect.any(Number) }]);
      expect(await claim('b')).toEqual([]);
    });

    it('knows an event again, however often and in whatever order it comes', async () => {
      const [first, second] = [event('T1'), event('T1', noon + 1)];
      const deliveries = Array.from({ length: 40 }, (_, i) => tickets.accept(dbOf(i % 2), i % 3 ? first : second));
      const outcomes = await Promise.all(deliveries);
      expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(2);
      await tickets.finish(dbOf(0), [await claimOne('a', noon + 1)], 'a');
      expect(await tickets.accept(dbOf(1), { ...first, at: noon + 2 })).toBe('known');
      expect(await claim('a', noon + 3)).toEqual([]);
    });

    it('begins anew with a ticket that was finished, after another event or by the sweep', async () => {
      await tickets.enqueue(dbOf(0), ['T1'], noon, noon);
      await tickets.postpone(dbOf(0), await claimOne('a'), 'a', noon + 10);
      await tickets.finish(dbOf(0), [await claimOne('a', noon + 10)], 'a');
      await tickets.accept(dbOf(0), event('T1', noon + 20));
      const again = await claimOne('a', noon + 20);
      expect(again).toMatchObject({ cause: 'webhook', since: noon + 20, attempts: 0 });
      await tickets.finish(dbOf(0), [again], 'a');
      await tickets.enqueue(dbOf(0), ['T1'], noon + 40, noon + 30);
      expect(await claim('a', noon + 39)).toEqual([]);
      expect(await claimOne('a', noon + 40)).toMatchObject({ cause: 'sweep', since: noon + 30, attempts: 0 });
    });

    it('makes a ticket that waits due earlier, never later, and keeps since when and why it waits', async () => {
      await tickets.enqueue(dbOf(0), ['T1'], noon + 100, noon);
      await tickets.enqueue(dbOf(0), ['T1'], noon + 200, noon + 1);
      expect(await claim('a', noon + 99)).toEqual([]);
      await tickets.enqueue(dbOf(0), ['T1'], noon + 50, noon + 2);
      await tickets.accept(dbOf(0), event('T1', noon + 60));
      expect(await claimOne('a', noon + 50)).toMatchObject({ cause: 'sweep', since: noon });
    });

    it('takes an event as a reason to look again at once, also at a ticket that was put off', async () => {
      await tickets.accept(dbOf(0), event('T1'));
      await tickets.postpone(dbOf(0), await claimOne('a'), 'a', noon + 10_000);
      await tickets.accept(dbOf(0), event('T1', noon + 1));
      expect(await claimOne('a', noon + 1)).toMatchObject({ since: noon, attempts: 1 });
    });

    it('takes any number of tickets at once, one that is named twice once', async () => {
      const many = Array.from({ length: 1_201 }, (_, i) => `T${i}`);
      await Promise.all([
        tickets.enqueue(dbOf(0), [...many, ...many], noon, noon),
        tickets.enqueue(dbOf(1), many.toReversed(), noon, noon),
        tickets.enqueue(dbOf(0), [], noon, noon),
      ]);
      expect(await tickets.waiting(dbOf(1))).toBe(1_201);
      expect(names(await claim('a', noon, 2_000)).sort()).toEqual(many.toSorted());
    });

    it('gives what was due first, of these what waits longest, and no more than asked for', async () => {
      await tickets.enqueue(dbOf(0), ['third'], noon + 2, noon);
      await tickets.enqueue(dbOf(0), ['second'], noon + 1, noon + 1);
      await tickets.enqueue(dbOf(0), ['first'], noon + 1, noon);
      await tickets.enqueue(dbOf(0), ['fourth'], noon + 3, noon);
      expect(names(await claim('a', noon + 9, 3))).toEqual(['first', 'second', 'third']);
      expect(names(await claim('a', noon + 9, 3))).toEqual(['fourth']);
    });

    it('never gives a ticket to two of many who claim at once, and leaves none out', async () => {
      const many = Array.from({ length: 400 }, (_, i) => `T${i}`);
      await tickets.enqueue(dbOf(0), many, noon, noon);
      const claimers = Array.from({ length: 8 }, async (_, i) => {
        const own: string[] = [];
        for (;;) {
          const claimed = await tickets.claim(dbOf(i % 2), `owner ${i}`, { limit: 7, now: noon, leaseMs });
          if (claimed.length === 0) return own;
          own.push(...names(claimed));
        }
      });
      expect((await Promise.all(claimers)).flat().sort()).toEqual(many.toSorted());
    });

    it('frees the ticket of a process that died when its claim ends, and then hears it no more', async () => {
      await tickets.accept(dbOf(0), event('T1'));
      const lost = await claimOne('a');
      expect(await claim('b', noon + leaseMs - 1)).toEqual([]);
      const taken = await claimOne('b', noon + leaseMs);
      expect(taken).toMatchObject({ since: noon, attempts: 0 });
      await tickets.finish(dbOf(0), [lost], 'a');
      await tickets.postpone(dbOf(0), lost, 'a', noon + 9_000_000);
      expect(await tickets.waiting(dbOf(0))).toBe(1);
      await tickets.finish(dbOf(1), [taken], 'b');
      expect(await tickets.waiting(dbOf(0))).toBe(0);
    });

    it('lets no claim last because the clock was put back, or because it was asked for', async () => {
      await tickets.enqueue(dbOf(0), ['T1'], noon - 24 * 3_600_000, noon - 24 * 3_600_000);
      await claimOne('a');
      expect(names(await claim('b', noon - longestLeaseMs))).toEqual(['T1']);
      await tickets.claim(dbOf(0), 'a', { limit: 1, now: noon + longestLeaseMs, leaseMs: 2 * longestLeaseMs });
      expect(await claim('b', noon + 2 * longestLeaseMs - 1)).toEqual([]);
      expect(names(await claim('b', noon + 2 * longestLeaseMs))).toEqual(['T1']);
    });

    it.each([
      ['an event', (db: StateDb) => tickets.accept(db, event('T1', noon + 5))],
      ['the sweep', (db: StateDb) => tickets.enqueue(db, ['T1'], noon + 5, noon + 5)],
    ])('looks again where %s came in during the work, at once', async (_, comeIn) => {
      await tickets.accept(dbOf(0), event('T1'));
      const first = await claimOne('a');
      await comeIn(dbOf(1));
      expect(await claim('b', noon + 5)).toEqual([]);
      await tickets.finish(dbOf(0), [first], 'a');
      const second = await claimOne('b', noon + 5);
      await comeIn(dbOf(0));
      await tickets.postpone(dbOf(1), second, 'b', noon + 9_000);
      const third = await claimOne('a', noon + 5);
      expect(third).toMatchObject({ since: noon, attempts: 1 });
      await tickets.finish(dbOf(0), [third], 'a');
      expect(await claim('a', 2 * noon)).toEqual([]);
    });

    it('puts work off to the given moment and counts how often', async () => {
      await tickets.accept(dbOf(0), event('T1'));
      await tickets.postpone(dbOf(0), await claimOne('a'), 'a', noon + 100);
      expect(await claim('a', noon + 99)).toEqual([]);
      await tickets.postpone(dbOf(0), await claimOne('a', noon + 100), 'a', noon + 200);
      expect(await tickets.waiting(dbOf(0))).toBe(1);
      expect(await claimOne('b', noon + 200)).toMatchObject({ since: noon, attempts: 2 });
    });

    it('ends many claims at once: as done, but for what came in meanwhile, or not begun', async () => {
      const many = Array.from({ length: 250 }, (_, n) => `T${n}`);
      await tickets.enqueue(dbOf(0), many, noon, noon);
      const all = await claim('a');
      await tickets.accept(dbOf(1), event('T7'));
      await tickets.finish(
        dbOf(0),
        all.filter(({ ticket }) => ticket !== 'T9'),
        'a',
      );
      expect(names(await claim('b'))).toEqual(['T7']);
      await tickets.giveBack(dbOf(1), all, 'b');
      const [T7, T9] = [await claimOne('b'), all.filter(({ ticket }) => ticket === 'T9')];
      expect(T7).toMatchObject({ ticket: 'T7', attempts: 0 });
      await tickets.giveBack(dbOf(0), T9, 'a');
      expect(await claimOne('b')).toMatchObject({ ticket: 'T9', attempts: 0, revision: T9[0]?.revision });
    });

    it('tells which of many tickets wait or are being worked on', async () => {
      await tickets.enqueue(dbOf(0), ['T1'], noon, noon);
      await tickets.finish(dbOf(0), [await claimOne('a', noon)], 'a');
      await tickets.enqueue(dbOf(0), ['T2', 'T3'], noon, noon);
      await claim('a', noon);
      const strangers = Array.from({ length: 1_200 }, (_, n) => `stranger ${n}`);
      expect(await tickets.waitingAmong(dbOf(0), [...strangers, 'T1', 'T2', 'T3'])).toEqual(new Set(['T2', 'T3']));
      expect(await tickets.waitingAmong(dbOf(0), [])).toEqual(new Set());
    });

    it('tells when the last event about a ticket came in', async () => {
      const ticket = randomUUID();
      await tickets.accept(dbOf(0), event(ticket, noon + 1));
      await tickets.accept(dbOf(0), event(ticket, noon));
      await tickets.enqueue(dbOf(0), [`${ticket} of the sweep`], noon, noon);
      expect(await tickets.lastEventAt(dbOf(1), ticket)).toBe(noon + 1);
      expect(await tickets.lastEventAt(dbOf(1), `${ticket} of the sweep`)).toBeNull();
    });

    it('forgets tickets that were finished long ago, and no others', async () => {
      await tickets.enqueue(dbOf(0), ['F1', 'F2', 'F3'], 1_000, 1_000);
      const [first, second] = (await claim('a', 1_000)).toSorted((a, b) => (a.ticket < b.ticket ? -1 : 1));
      for (const work of [first, second]) if (work) await tickets.finish(dbOf(0), [work], 'a');
      await tickets.deleteFinishedBefore(dbOf(0), 1_000, 10_000);
      expect(await tickets.deleteFinishedBefore(dbOf(0), 1_001, 1)).toBe(1);
      expect(await tickets.deleteFinishedBefore(dbOf(0), 1_001, 10)).toBe(1);
      expect(await tickets.deleteFinishedBefore(dbOf(0), 1_001, 10)).toBe(0);
      expect(await tickets.waitingAmong(dbOf(0), ['F1', 'F2', 'F3'])).toEqual(new Set(['F3']));
    });

    it('forgets old events, and takes one of them as new then', async () => {
      const [old, recent] = [event('T1', 1_000), event('T2', 2_000)];
      await tickets.accept(dbOf(0), old);
      await tickets.accept(dbOf(0), recent);
      await tickets.accept(dbOf(0), event('T1', 1_001));
      expect(await tickets.deleteEventsBefore(dbOf(0), 2_000, 1)).toBe(1);
      expect(await tickets.deleteEventsBefore(dbOf(0), 2_000, 10)).toBe(1);
      expect(await tickets.deleteEventsBefore(dbOf(0), 2_000, 10)).toBe(0);
      expect(await tickets.accept(dbOf(0), recent)).toBe('known');
      expect(await tickets.accept(dbOf(0), old)).toBe('accepted');
    });
  });
}

/** Tests of the sweep mark's contract. Call it once on a new store. */
export function describeSweepMark(dbOf: () => StateDb): void {
  it('the mark of the sweep is absent at first; later its end moves, its beginning stays', async () => {
    expect(await notes.sweepMark(dbOf())).toBeNull();
    await notes.writeSweepMark(dbOf(), { from: '2026-11-20 12:00:00.000001', until: '2026-11-20 12:00:00.000001' });
    await notes.writeSweepMark(dbOf(), { from: '2026-11-20 13:00:00', until: '2026-11-20 13:00:00' });
    expect(await notes.sweepMark(dbOf())).toEqual({ from: '2026-11-20 12:00:00.000001', until: '2026-11-20 13:00:00' });
  });
}
