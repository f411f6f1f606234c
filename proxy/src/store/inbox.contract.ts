import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as decisions from './decisions.ts';
import { longestLeaseMs } from './leases.ts';
import * as notes from './notes.ts';
import type { StateDb } from './schema.ts';
import { draftOf } from './testing/decision-draft.ts';
import { insertedTicket } from './testing/inserted.ts';
import * as tickets from './tickets.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const leaseMs = 60_000;

/** Tests of the inbox's contract for any store. `which`: 0 or 1, two connections to the same store. */
export function describeInbox(dbOf: (which: number) => StateDb): void {
  let creation: string;
  const keyOf = (name: string) => ({ name, creation });
  const hear = (db: StateDb, name: string, at = noon, created = creation) =>
    tickets.accept(db, name, insertedTicket({ creation: created }), at);
  const sweep = (db: StateDb, names: readonly string[], dueAt: number, now: number) =>
    tickets.enqueue(db, names.map(keyOf), { dueAt, now });
  const claim = (owner: string, now = noon, limit = 1_000) =>
    tickets.claim(dbOf(owner === 'b' ? 1 : 0), owner, { limit, now, leaseMs });
  const claimOne = async (owner: string, now = noon) => {
    const [work, ...others] = await claim(owner, now);
    expect(others).toEqual([]);
    if (work === undefined) throw new Error('Nothing is due');
    return work;
  };
  const names = (work: { name: string }[]) => work.map(({ name }) => name);

  describe('the tickets to work on', () => {
    beforeEach(async () => {
      creation = randomUUID();
      const db = dbOf(0);
      const left = await tickets.claim(db, 'cleaner', { limit: 5_000, now: 10 * noon, leaseMs });
      for (const work of left) await tickets.finish(db, [work], 'cleaner');
      expect(await tickets.waiting(db)).toBe(0);
    });

    it('has the ticket of an accepted event due at once', async () => {
      expect(await hear(dbOf(0), 'T1')).toBe('accepted');
      expect(await claim('a', noon - 1)).toEqual([]);
      const work = { name: 'T1', creation, foundBy: 'webhook', since: noon, attempts: 0 };
      expect(await claim('a')).toEqual([{ ...work, revision: expect.any(Number) }]);
      expect(await claim('b')).toEqual([]);
    });

    it('knows a ticket again, however often and in whatever order it is told of, and another of its name', async () => {
      const another = randomUUID();
      const deliveries = Array.from({ length: 40 }, (_, i) =>
        hear(dbOf(i % 2), 'T1', noon, i % 3 ? creation : another),
      );
      expect((await Promise.all(deliveries)).filter((outcome) => outcome === 'accepted')).toHaveLength(2);
      const both = await claim('a');
      expect(both.map((work) => work.creation).toSorted()).toEqual([creation, another].toSorted());
      await tickets.finish(dbOf(0), both, 'a');
      expect(await hear(dbOf(1), 'T1', noon + 2)).toBe('known');
      expect(await claim('a', noon + 3)).toEqual([]);
    });

    it('looks once more at a ticket that the sweep had found before its webhook came', async () => {
      await sweep(dbOf(0), ['T1'], noon, noon);
      await tickets.finish(dbOf(0), [await claimOne('a')], 'a');
      expect(await hear(dbOf(1), 'T1', noon + 1)).toBe('accepted');
      const work = await claimOne('a', noon + 1);
      expect(work).toMatchObject({ foundBy: 'webhook', since: noon + 1, attempts: 0 });
      await tickets.finish(dbOf(0), [work], 'a');
      expect(await hear(dbOf(1), 'T1', noon + 2)).toBe('known');
    });

    it('begins anew with a ticket that was finished', async () => {
      await sweep(dbOf(0), ['T1'], noon, noon);
      await tickets.postpone(dbOf(0), await claimOne('a'), 'a', noon + 10);
      await tickets.finish(dbOf(0), [await claimOne('a', noon + 10)], 'a');
      await sweep(dbOf(0), ['T1'], noon + 40, noon + 30);
      expect(await claim('a', noon + 39)).toEqual([]);
      expect(await claimOne('a', noon + 40)).toMatchObject({ foundBy: 'sweep', since: noon + 30, attempts: 0 });
    });

    it('makes a ticket that waits due earlier, never later, and keeps since when and why it waits', async () => {
      await sweep(dbOf(0), ['T1'], noon + 100, noon);
      await sweep(dbOf(0), ['T1'], noon + 200, noon + 1);
      expect(await claim('a', noon + 99)).toEqual([]);
      await sweep(dbOf(0), ['T1'], noon + 50, noon + 2);
      await hear(dbOf(0), 'T1', noon + 60);
      expect(await claimOne('a', noon + 50)).toMatchObject({ foundBy: 'sweep', since: noon });
    });

    it('takes any number of tickets at once, one that is named twice once', async () => {
      const many = Array.from({ length: 1_201 }, (_, i) => `T${i}`);
      await Promise.all([
        sweep(dbOf(0), [...many, ...many], noon, noon),
        sweep(dbOf(1), many.toReversed(), noon, noon),
        sweep(dbOf(0), [], noon, noon),
      ]);
      expect(await tickets.waiting(dbOf(1))).toBe(1_201);
      expect(names(await claim('a', noon, 2_000)).sort()).toEqual(many.toSorted());
    });

    it('gives what was due first, of these what waits longest, and no more than asked for', async () => {
      await sweep(dbOf(0), ['third'], noon + 2, noon);
      await sweep(dbOf(0), ['second'], noon + 1, noon + 1);
      await sweep(dbOf(0), ['first'], noon + 1, noon);
      await sweep(dbOf(0), ['fourth'], noon + 3, noon);
      expect(names(await claim('a', noon + 9, 3))).toEqual(['first', 'second', 'third']);
      expect(names(await claim('a', noon + 9, 3))).toEqual(['fourth']);
    });

    it('never gives a ticket to two of many who claim at once, and leaves none out', async () => {
      const many = Array.from({ length: 400 }, (_, i) => `T${i}`);
      await sweep(dbOf(0), many, noon, noon);
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
      await hear(dbOf(0), 'T1');
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
      await sweep(dbOf(0), ['T1'], noon - 24 * 3_600_000, noon - 24 * 3_600_000);
      await claimOne('a');
      expect(names(await claim('b', noon - longestLeaseMs))).toEqual(['T1']);
      await tickets.claim(dbOf(0), 'a', { limit: 1, now: noon + longestLeaseMs, leaseMs: 2 * longestLeaseMs });
      expect(await claim('b', noon + 2 * longestLeaseMs - 1)).toEqual([]);
      expect(names(await claim('b', noon + 2 * longestLeaseMs))).toEqual(['T1']);
    });

    it('looks again where something came in during the work, at once', async () => {
      const comeIn = (db: StateDb) => sweep(db, ['T1'], noon + 5, noon + 5);
      await hear(dbOf(0), 'T1');
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
      await hear(dbOf(0), 'T1');
      await tickets.postpone(dbOf(0), await claimOne('a'), 'a', noon + 100);
      expect(await claim('a', noon + 99)).toEqual([]);
      await tickets.postpone(dbOf(0), await claimOne('a', noon + 100), 'a', noon + 200);
      expect(await tickets.waiting(dbOf(0))).toBe(1);
      expect(await claimOne('b', noon + 200)).toMatchObject({ since: noon, attempts: 2 });
    });

    it('ends many claims at once: as done, but for what came in meanwhile, or not begun', async () => {
      const many = Array.from({ length: 250 }, (_, n) => `T${n}`);
      await sweep(dbOf(0), many, noon, noon);
      const all = await claim('a');
      await sweep(dbOf(1), ['T7'], noon, noon);
      await tickets.finish(
        dbOf(0),
        all.filter(({ name }) => name !== 'T9'),
        'a',
      );
      expect(names(await claim('b'))).toEqual(['T7']);
      await tickets.giveBack(dbOf(1), all, 'b');
      const [T7, T9] = [await claimOne('b'), all.filter(({ name }) => name === 'T9')];
      expect(T7).toMatchObject({ name: 'T7', attempts: 0 });
      await tickets.giveBack(dbOf(0), T9, 'a');
      expect(await claimOne('b')).toMatchObject({ name: 'T9', attempts: 0, revision: T9[0]?.revision });
    });

    it('tells which of many are neither decided nor waiting, apart from those whose decisions were deleted', async () => {
      const decide = (name: string) => decisions.add(dbOf(0), decided(name, creation), 0, null);
      await sweep(dbOf(0), ['T1'], noon, noon);
      await tickets.finish(dbOf(0), [await claimOne('a', noon)], 'a');
      await sweep(dbOf(0), ['T2', 'T3'], noon, noon);
      await claim('a', noon);
      await decide('T4');
      await decide('T5');
      await tickets.forget(dbOf(0), keyOf('T5'), Number.MAX_SAFE_INTEGER);
      const strangers = Array.from({ length: 1_200 }, (_, n) => keyOf(`stranger ${n}`));
      const others = ['T1', 'T2', 'T3', 'T4', 'T5'].map(keyOf);
      const ofSameName = { name: 'T4', creation: randomUUID() };
      const found = await tickets.undecidedAmong(dbOf(1), [...strangers, ...others, ofSameName]);
      expect(found).toEqual([...strangers, keyOf('T1'), ofSameName]);
      expect(await tickets.undecidedAmong(dbOf(1), [])).toEqual([]);
    });

    it('is due again by its name, whichever had it', async () => {
      await hear(dbOf(0), 'T1');
      await tickets.finish(dbOf(0), [await claimOne('a')], 'a');
      await tickets.enqueueNamed(dbOf(1), 'T1', noon);
      expect(names(await claim('a')).includes('T1')).toBe(true);
      await tickets.enqueueNamed(dbOf(1), 'nobody', noon);
    });

    it('tells when the last webhook of all came', async () => {
      const later = (await tickets.lastToldAt(dbOf(0))) ?? noon;
      await hear(dbOf(0), randomUUID(), later + 7);
      await hear(dbOf(0), randomUUID(), later + 5);
      expect(await tickets.lastToldAt(dbOf(1))).toBe(later + 7);
    });
  });
}

const decided = (name: string, creation: string) => {
  const draft = draftOf(name);
  return { ...draft, inputs: { ...draft.inputs, ticket_creation: creation } };
};

/** Tests of the sweep mark's contract. Call it once on a new store. */
export function describeSweepMark(dbOf: () => StateDb): void {
  it('the mark of the sweep is absent at first; later its end moves, its beginning stays', async () => {
    const [first, later] = ['2026-11-20 12:00:00.000001', '2026-11-20 13:00:00'];
    expect(await notes.swept(dbOf())).toBeNull();
    await notes.noteInstalled(dbOf(), first, 1);
    await notes.noteSwept(dbOf(), later, 2);
    expect(await notes.swept(dbOf())).toEqual({ from: first, until: later });
    await notes.noteInstalled(dbOf(), later, 3);
    expect((await notes.swept(dbOf()))?.from).toBe(first);
  });
}
