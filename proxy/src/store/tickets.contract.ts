import { randomUUID } from 'node:crypto';
import { OrgId } from '@deskside/shared/orgid';
import { afterAll, beforeEach, describe, expect, it, test } from 'vitest';
import { lastToldAt } from './backlog.ts';
import * as decisions from './decisions.ts';
import { longestLeaseMs } from './leases.ts';
import * as retention from './retention.ts';
import type { StateDb } from './schema.ts';
import * as syncs from './syncs.ts';
import { draftOf } from './testing/decision-draft.ts';
import { insertedTicket, waitingIn } from './testing/inserted.ts';
import * as tickets from './tickets.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const leaseMs = 60_000;

/** Tests of the inbox's contract for any store. `which`: 0 or 1, two connections to the same store. */
export function describeInbox(dbOf: (which: number) => StateDb): void {
  let creation: string;
  const keyOf = (name: string) => ({ name, creation });
  const hear = (name: string, at = noon, created = creation, db = dbOf(0)) =>
    tickets.accept(db, name, insertedTicket({ creation: created }), at);
  const sweep = (names: readonly string[], dueAt = noon, now = noon, db = dbOf(0)) =>
    tickets.enqueue(db, names.map(keyOf), { dueAt, now });
  const dbFor = (owner: string) => dbOf(owner === 'b' ? 1 : 0);
  const take = (owner: string, now = noon, limit = 1_000) => tickets.take(dbFor(owner), owner, { limit, now, leaseMs });
  const finish = (owner: string, work: tickets.TicketWork) => tickets.finish(dbFor(owner), work, owner);
  const postpone = (owner: string, work: tickets.TicketWork, dueAt: number) =>
    tickets.postpone(dbFor(owner), work, owner, dueAt);
  const takeOne = async (owner: string, now = noon) => {
    const [work, ...others] = await take(owner, now);
    expect(others).toEqual([]);
    if (work === undefined) throw new Error('Nothing is due');
    return work;
  };
  const names = (work: { name: string }[]) => work.map(({ name }) => name);

  describe('the tickets to work on', () => {
    beforeEach(async () => {
      creation = randomUUID();
      for (const work of await take('cleaner', 10 * noon, 5_000)) await finish('cleaner', work);
      expect(await waitingIn(dbOf(0))).toBe(0);
    });

    it('has the ticket of an accepted event due at once, and again when it was put off, which is counted', async () => {
      expect(await hear('T1')).toBe('accepted');
      expect(await take('a', noon - 1)).toEqual([]);
      const work = await takeOne('a');
      const known = { name: 'T1', creation, foundBy: 'webhook', since: noon };
      expect(work).toEqual({ ...known, attempts: 0, revision: expect.any(Number) });
      expect(await take('b')).toEqual([]);
      await postpone('a', work, noon + 100);
      expect(await take('a', noon + 99)).toEqual([]);
      await postpone('a', await takeOne('a', noon + 100), noon + 200);
      expect(await waitingIn(dbOf(0))).toBe(1);
      expect(await takeOne('b', noon + 200)).toMatchObject({ since: noon, attempts: 2 });
    });

    it('knows a ticket again, however often and in whatever order it is told of, and another of its name', async () => {
      const another = randomUUID();
      const deliveries = Array.from({ length: 40 }, (_, i) =>
        hear('T1', noon, i % 3 ? creation : another, dbOf(i % 2)),
      );
      expect((await Promise.all(deliveries)).filter((outcome) => outcome === 'accepted')).toHaveLength(2);
      const both = await take('a');
      expect(both.map((work) => work.creation).toSorted()).toEqual([creation, another].toSorted());
      for (const work of both) await finish('a', work);
      expect(await hear('T1', noon + 2, creation, dbOf(1))).toBe('known');
      expect(await take('a', noon + 3)).toEqual([]);
    });

    it('begins anew with a finished ticket that comes again: by a first webhook, by the sweep, by its name', async () => {
      await sweep(['T1']);
      await postpone('a', await takeOne('a'), noon + 10);
      await finish('a', await takeOne('a', noon + 10));
      expect(await hear('T1', noon + 11, creation, dbOf(1))).toBe('accepted');
      const told = await takeOne('a', noon + 11);
      expect(told).toMatchObject({ foundBy: 'webhook', since: noon + 11, attempts: 0 });
      await finish('a', told);
      expect(await hear('T1', noon + 12)).toBe('known');
      await sweep(['T1'], noon + 40, noon + 30);
      expect(await take('a', noon + 39)).toEqual([]);
      const found = await takeOne('a', noon + 40);
      expect(found).toMatchObject({ foundBy: 'sweep', since: noon + 30, attempts: 0 });
      await finish('a', found);
      for (const name of ['T1', 'nobody']) await tickets.enqueueNamed(dbOf(1), name, noon);
      expect(names(await take('a'))).toContain('T1');
    });

    it('makes a ticket that waits due earlier, never later, and keeps since when and why it waits', async () => {
      await sweep(['T1'], noon + 100, noon);
      await sweep(['T1'], noon + 200, noon + 1);
      expect(await take('a', noon + 99)).toEqual([]);
      await sweep(['T1'], noon + 50, noon + 2);
      await hear('T1', noon + 60);
      expect(await takeOne('a', noon + 50)).toMatchObject({ foundBy: 'sweep', since: noon });
    });

    it('gives what was due first, of these what waits longest, and no more than asked for', async () => {
      await sweep(['third'], noon + 2, noon);
      await sweep(['second'], noon + 1, noon + 1);
      await sweep(['first'], noon + 1, noon);
      await sweep(['fourth'], noon + 3, noon);
      expect(names(await take('a', noon + 9, 3))).toEqual(['first', 'second', 'third']);
      expect(names(await take('a', noon + 9, 3))).toEqual(['fourth']);
    });

    it('gives to whoever wants new ones the youngest that a webhook announced and nobody tried, and then the others', async () => {
      const newOnes = (limit: number) =>
        tickets.take(dbOf(0), 'a', { limit, now: noon + 9, leaseMs, order: 'announced' });
      await hear('tried', noon + 5);
      await postpone('a', await takeOne('a', noon + 5), noon + 6);
      await sweep(['swept'], noon + 6, noon + 6);
      await hear('older', noon + 1);
      await hear('younger', noon + 2);
      await hear('later', noon + 10);
      expect(names(await newOnes(1))).toEqual(['younger']);
      expect(names(await newOnes(2)).toSorted()).toEqual(['older', 'swept']);
      expect(names(await newOnes(9))).toEqual(['tried']);
    });

    it('takes in any number at once, each once, and gives none to two of many who take, and leaves none out', async () => {
      const many = Array.from({ length: 251 }, (_, i) => `T${i}`);
      await Promise.all([sweep([...many, ...many]), sweep(many.toReversed(), noon, noon, dbOf(1)), sweep([])]);
      expect(await waitingIn(dbOf(1))).toBe(251);
      const takers = Array.from({ length: 8 }, async (_, i) => {
        const own: string[] = [];
        for (;;) {
          const taken = await tickets.take(dbOf(i % 2), `owner ${i}`, { limit: 7, now: noon, leaseMs });
          if (taken.length === 0) return own;
          own.push(...names(taken));
        }
      });
      expect((await Promise.all(takers)).flat().sort()).toEqual(many.toSorted());
    });

    it('frees the ticket of a process that died when its time ends, and then hears it no more', async () => {
      await hear('T1');
      const lost = await takeOne('a');
      expect(await take('b', noon + leaseMs - 1)).toEqual([]);
      const taken = await takeOne('b', noon + leaseMs);
      expect(taken).toMatchObject({ since: noon, attempts: 0 });
      await finish('a', lost);
      await postpone('a', lost, noon + 9_000_000);
      expect(await waitingIn(dbOf(0))).toBe(1);
      await finish('b', taken);
      expect(await waitingIn(dbOf(0))).toBe(0);
    });

    it('lets nothing be taken for longer because the clock was put back, or because it was asked for', async () => {
      await sweep(['T1'], noon - 24 * 3_600_000, noon - 24 * 3_600_000);
      await takeOne('a');
      expect(names(await take('b', noon - longestLeaseMs))).toEqual(['T1']);
      await tickets.take(dbOf(0), 'a', { limit: 1, now: noon + longestLeaseMs, leaseMs: 2 * longestLeaseMs });
      expect(await take('b', noon + 2 * longestLeaseMs - 1)).toEqual([]);
      expect(names(await take('b', noon + 2 * longestLeaseMs))).toEqual(['T1']);
    });

    it('looks again where something came in during the work, at once', async () => {
      const comeIn = (db: StateDb) => sweep(['T1'], noon + 5, noon + 5, db);
      await hear('T1');
      const first = await takeOne('a');
      await comeIn(dbOf(1));
      expect(await take('b', noon + 5)).toEqual([]);
      await finish('a', first);
      const second = await takeOne('b', noon + 5);
      await comeIn(dbOf(0));
      await postpone('b', second, noon + 9_000);
      const third = await takeOne('a', noon + 5);
      expect(third).toMatchObject({ since: noon, attempts: 1 });
      await finish('a', third);
      expect(await take('a', 2 * noon)).toEqual([]);
    });

    it('tells which of many are neither decided nor waiting, apart from those whose decisions were deleted', async () => {
      const decide = (name: string) => decisions.add(dbOf(0), decided(name, creation), 0, null);
      await sweep(['T1']);
      await finish('a', await takeOne('a', noon));
      await sweep(['T2', 'T3']);
      await take('a', noon);
      await decide('T4');
      await decide('T5');
      await retention.forget(dbOf(0), keyOf('T5'), Number.MAX_SAFE_INTEGER);
      const strangers = Array.from({ length: 220 }, (_, n) => keyOf(`stranger ${n}`));
      const others = ['T1', 'T2', 'T3', 'T4', 'T5'].map(keyOf);
      const ofSameName = { name: 'T4', creation: randomUUID() };
      const found = await tickets.undecidedAmong(dbOf(1), [...strangers, ...others, ofSameName]);
      expect(found).toEqual([...strangers, keyOf('T1'), ofSameName]);
      expect(await tickets.undecidedAmong(dbOf(1), [])).toEqual([]);
    });

    it('tells when the last webhook of all came', async () => {
      const later = (await lastToldAt(dbOf(0))) ?? noon;
      await hear(randomUUID(), later + 7);
      await hear(randomUUID(), later + 5);
      expect(await lastToldAt(dbOf(1))).toBe(later + 7);
    });
  });
}

const decided = (name: string, creation: string) => {
  const draft = draftOf(name);
  return { ...draft, inputs: { ...draft.inputs, ticket_creation: creation } };
};

const orgId = '1000069001' as OrgId;
const other = '1000069002' as OrgId;
const creation = '2026-11-20 12:00:00.000001';
const inserted = insertedTicket({ creation, orgIds: [orgId] });

/** What every engine promises of the inserts that webhooks told of. */
export function describeInserts(dbOf: () => StateDb): void {
  describe('what tickets were like when they were inserted', () => {
    const accept = (name: string, told: tickets.Insert = inserted) => tickets.accept(dbOf(), name, told, 1);
    const of = (name: string, created = creation) => tickets.insertOf(dbOf(), { name, creation: created });

    afterAll(async () => {
      const db = dbOf();
      const taken = await tickets.take(db, 'inserts', { limit: 100, now: 1, leaseMs: 1_000 });
      for (const work of taken) await tickets.finish(db, work, 'inserts');
    });

    test('is kept with the event, never written over by a later one, and another of its name apart', async () => {
      const db = dbOf();
      expect(await of('insert-1')).toBeNull();
      const kept = { ...inserted, splitFrom: '7' };
      await accept('insert-1', kept);
      await accept('insert-1', { ...inserted, raisedBy: 'boss@shop.example', orgIds: [] });
      expect(await of('insert-1')).toEqual(kept);
      expect(await tickets.latestInsertOf(db, 'insert-1')).toEqual(kept);
      const later = '2026-11-21 12:00:00.000001';
      await accept('insert-1', { ...inserted, creation: later, raisedBy: null });
      expect(await of('insert-1')).toEqual(kept);
      expect(await tickets.latestInsertOf(db, 'insert-1')).toEqual({ ...inserted, creation: later, raisedBy: null });
    });

    test('fills what the sweep found first, and is found by each sender and org id that the ticket has carried', async () => {
      const db = dbOf();
      const carry = (name: string, raisedBy: string, id: OrgId) =>
        tickets.noteCarried(db, { name, creation, raisedBy, orgIds: [id] }, 2);
      await carry('insert-2', 'vy@shop.example', other);
      expect(await of('insert-2')).toBeNull();
      await accept('insert-2', { ...inserted, raisedBy: 'Mask@web.example' });
      await carry('insert-2', 'Thief@web.example', orgId);
      await carry('insert-3', 'vy@shop.example', other);
      const told = { name: 'insert-2', creation, insert: { ...inserted, raisedBy: 'Mask@web.example' } };
      expect(await tickets.carrying(db, 'mask@web.example', orgId)).toEqual([told]);
      expect(await tickets.carrying(db, 'thief@web.example', orgId)).toEqual([told]);
      const untold = { name: 'insert-3', creation, insert: null };
      const found = await tickets.carrying(db, 'vy@shop.example', other);
      expect(found.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([told, untold]);
      expect(await tickets.carrying(db, 'nobody@shop.example', orgId)).toEqual([]);
      expect(await tickets.carrying(db, 'thief@web.example', orgId.slice(1) as OrgId)).toEqual([]);
    });
  });
}

const decidedAt = Date.parse(draftOf('').decided_at);

/** Tests of how long tickets are kept, for any store. `which`: 0 or 1, two connections to the same store. */
export function describeTicketsInUse(dbOf: (which: number) => StateDb): void {
  const db = () => dbOf(0);
  const key = () => ({ name: ticket, creation });
  let ticket: string;
  beforeEach(() => {
    ticket = randomUUID();
  });
  const carry = (at: number) => {
    const carried = { name: ticket, creation, raisedBy: 'vy@shop.example', orgIds: [orgId] };
    return tickets.noteCarried(dbOf(0), carried, at);
  };
  const sync = (at: number) => {
    const entry = { ticket: key(), agent: 'an', orgId, crmCompanyId: '7', customer: 'c', previousCustomer: null, at };
    return syncs.record(dbOf(0), entry);
  };
  const decide = (which = 0, after = 0) => {
    return decisions.add(dbOf(which), decided(ticket, creation), after, null);
  };
  /** When the ticket was last in use; null if nothing is kept of it. */
  const activeAt = async () => {
    const all = await retention.lastActiveBefore(db(), Number.MAX_SAFE_INTEGER, 10_000);
    return all.find((one) => one.name === ticket)?.activeAt ?? null;
  };

  describe('the memory of a ticket', () => {
    it('begins with the first record, and every later one shows that it is in use', async () => {
      expect(await activeAt()).toBeNull();
      await retention.noteActive(db(), [{ ...key(), activeAt: decidedAt - 9, gone: true }]);
      await carry(decidedAt - 5);
      expect(await activeAt()).toBe(decidedAt - 5);
      const all = await retention.lastActiveBefore(db(), decidedAt, 10_000);
      expect(all.find(({ name }) => name === ticket)?.gone).toBe(false);
      await decide();
      expect(await activeAt()).toBe(decidedAt);
      await sync(decidedAt + 5);
      expect(await activeAt()).toBe(decidedAt + 5);
      await decide(0, 1);
      expect(await activeAt()).toBe(decidedAt + 5);
    });

    it('has the account owners whose addresses were written, each once, until it is forgotten', async () => {
      const other = OrgId.parse('555');
      for (const email of ['a@crm.example', 'b@crm.example', 'a@crm.example'])
        await tickets.noteOwner(db(), key(), orgId, email, decidedAt);
      expect(await tickets.ownersOf(dbOf(1), key(), orgId)).toEqual(['a@crm.example', 'b@crm.example']);
      expect(await tickets.ownersOf(dbOf(1), key(), other)).toEqual([]);
      await tickets.noteOwner(db(), key(), other, 'a@crm.example', decidedAt);
      expect(await tickets.ownersOf(dbOf(1), key(), other)).toEqual(['a@crm.example']);
      await retention.forget(db(), key(), decidedAt + 1);
      expect(await tickets.ownersOf(db(), key(), orgId)).toEqual([]);
    });

    it('lists those longest out of use first, up to a limit, and what was seen of them', async () => {
      const of = (n: number) => ({ name: randomUUID(), creation, activeAt: -10 * n, gone: n === 2 });
      const [first, second, third] = [of(1), of(2), of(3)];
      await retention.noteActive(db(), [first, second, third]);
      expect(await retention.lastActiveBefore(db(), -10, 10)).toEqual([third, second]);
      expect(await retention.lastActiveBefore(db(), 0, 2)).toEqual([third, second]);
      const back = { ...second, activeAt: -5, gone: false };
      await retention.noteActive(db(), [back]);
      await retention.noteActive(db(), [{ ...third, activeAt: -90 }]);
      expect(await retention.lastActiveBefore(db(), 0, 9)).toEqual([third, first, back]);
      for (const { name } of [first, second, third])
        expect(await retention.forget(db(), { name, creation }, 0)).toBe(true);
    });

    it('ends with everything that was kept, except that it was decided, unless it has been in use since', async () => {
      const another = { name: randomUUID(), creation };
      await carry(decidedAt);
      await decide();
      await decide(0, 1);
      const entry = await sync(decidedAt);
      await decisions.add(db(), decided(another.name, creation), 0, null);
      expect(await retention.forget(db(), key(), decidedAt)).toBe(false);
      expect(await decisions.list(db(), key())).toHaveLength(2);
      expect(await retention.forget(db(), key(), decidedAt + 1)).toBe(true);
      expect(await decisions.list(db(), key())).toEqual([]);
      expect((await tickets.carrying(db(), 'vy@shop.example', orgId)).map((one) => one.name)).not.toContain(ticket);
      expect(await syncs.get(db(), entry)).toBeNull();
      expect(await activeAt()).toBeNull();
      expect(await tickets.undecidedAmong(db(), [key(), another])).toEqual([]);
      expect(await tickets.insertOf(db(), key())).toBeNull();
      expect(await retention.isForgotten(db(), key())).toBe(true);
      for (const one of [another, { ...key(), creation: '2026-11-20 12:00:00.000002' }])
        expect(await retention.isForgotten(db(), one)).toBe(false);
      expect(await decisions.list(db(), another)).toHaveLength(1);
    });

    it('of one that was never decided leaves nothing', async () => {
      expect(await retention.forget(db(), key(), decidedAt + 1)).toBe(false);
      await sync(decidedAt);
      expect(await retention.forget(db(), key(), decidedAt + 1)).toBe(true);
      expect(await retention.isForgotten(db(), key())).toBe(false);
    });

    it('leaves work that is due, and takes what is finished', async () => {
      await tickets.enqueue(db(), [key()], { dueAt: 1, now: 1 });
      await decide();
      await retention.forget(db(), key(), decidedAt + 1);
      const taken = await tickets.take(db(), 'a', { limit: 10_000, now: 1, leaseMs: 1_000 });
      expect(taken.map(({ name }) => name)).toEqual([ticket]);
      for (const work of taken) await tickets.finish(db(), work, 'a');
    });

    it('ends whole or not at all while several processes go on recording', async () => {
      await decide();
      const work = Array.from({ length: 20 }, (_, i) => [
        decide(i % 2, 1),
        retention.forget(dbOf((i + 1) % 2), key(), decidedAt + 1),
      ]);
      await Promise.all(work.flat());
      expect(await decisions.list(db(), key())).toEqual([]);
      expect(await retention.isForgotten(db(), key())).toBe(true);
    });
  });
}
