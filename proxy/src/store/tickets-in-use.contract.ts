import { randomUUID } from 'node:crypto';
import { OrgId } from '@deskside/shared/orgid';
import { beforeEach, describe, expect, it } from 'vitest';
import * as decisions from './decisions.ts';
import type { StateDb } from './schema.ts';
import * as syncs from './syncs.ts';
import { draftOf } from './testing/decision-draft.ts';
import * as tickets from './tickets.ts';

const creation = '2026-11-20 12:00:00.000001';
const decidedAt = Date.parse(draftOf('').decided_at);
const orgId = OrgId.parse('200000376001');

const ofDraft = (name: string) => ({ name, creation: draftOf('').inputs.ticket_creation });

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
    const draft = draftOf(ticket);
    const inputs = { ...draft.inputs, ticket_creation: creation };
    return decisions.add(dbOf(which), { ...draft, inputs }, after, null);
  };
  /** When the ticket was last in use; null if nothing is kept of it. */
  const activeAt = async () => {
    const all = await tickets.lastActiveBefore(db(), Number.MAX_SAFE_INTEGER, 10_000);
    return all.find((one) => one.name === ticket)?.activeAt ?? null;
  };

  describe('the memory of a ticket', () => {
    it('begins with the first record, and every later one shows that it is in use', async () => {
      expect(await activeAt()).toBeNull();
      await carry(decidedAt - 5);
      expect(await activeAt()).toBe(decidedAt - 5);
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
      await tickets.forget(db(), key(), decidedAt + 1);
      expect(await tickets.ownersOf(db(), key(), orgId)).toEqual([]);
    });

    it('lists those longest out of use first, up to a limit, and what was seen of them', async () => {
      const of = (n: number) => ({ name: randomUUID(), creation, activeAt: -10 * n, gone: n === 2 });
      const [first, second, third] = [of(1), of(2), of(3)];
      await tickets.noteActive(db(), [first, second, third]);
      expect(await tickets.lastActiveBefore(db(), -10, 10)).toEqual([third, second]);
      expect(await tickets.lastActiveBefore(db(), 0, 2)).toEqual([third, second]);
      const back = { ...second, activeAt: -5, gone: false };
      await tickets.noteActive(db(), [back]);
      await tickets.noteActive(db(), [{ ...third, activeAt: -90 }]);
      expect(await tickets.lastActiveBefore(db(), 0, 9)).toEqual([third, first, back]);
      for (const { name } of [first, second, third])
        expect(await tickets.forget(db(), { name, creation }, 0)).toBe(true);
    });

    it('ends with everything that was kept, except that it was decided', async () => {
      await carry(decidedAt);
      await decide();
      await decide(0, 1);
      const entry = await sync(decidedAt);
      const other = await decideAnother();
      expect(await tickets.forget(db(), key(), decidedAt + 1)).toBe(true);
      expect(await decisions.list(db(), key())).toEqual([]);
      expect((await tickets.carrying(db(), 'vy@shop.example', orgId)).map((one) => one.name)).not.toContain(ticket);
      expect(await syncs.get(db(), entry)).toBeNull();
      expect(await activeAt()).toBeNull();
      expect(await tickets.undecidedAmong(db(), [key(), ofDraft(other)])).toEqual([]);
      expect(await tickets.insertOf(db(), key())).toBeNull();
      expect(await tickets.isForgotten(db(), key())).toBe(true);
      expect(await tickets.isForgotten(db(), { ...key(), creation: '2026-11-20 12:00:00.000002' })).toBe(false);
      expect(await tickets.isForgotten(db(), ofDraft(other))).toBe(false);
      expect(await decisions.list(db(), ofDraft(other))).toHaveLength(1);
    });

    it('of one that was never decided leaves nothing', async () => {
      await sync(decidedAt);
      expect(await tickets.forget(db(), key(), decidedAt + 1)).toBe(true);
      expect(await tickets.isForgotten(db(), key())).toBe(false);
    });

    it('does not end for one that has been in use since, or is not known', async () => {
      await decide();
      expect(await tickets.forget(db(), key(), decidedAt)).toBe(false);
      expect(await decisions.list(dbOf(0), key())).toHaveLength(1);
      expect(await tickets.forget(db(), { name: randomUUID(), creation }, decidedAt)).toBe(false);
    });

    it('leaves work that is due, and takes what is finished', async () => {
      await tickets.enqueue(db(), [key()], { dueAt: 1, now: 1 });
      await decide();
      await tickets.forget(db(), key(), decidedAt + 1);
      const claimed = await tickets.claim(db(), 'a', { limit: 10_000, now: 1, leaseMs: 1_000 });
      expect(claimed.map(({ name }) => name)).toEqual([ticket]);
      for (const work of claimed) await tickets.finish(db(), [work], 'a');
    });

    it('ends whole or not at all while several processes go on recording', async () => {
      await decide();
      const work = Array.from({ length: 20 }, (_, i) => [
        decide(i % 2, 1),
        tickets.forget(dbOf((i + 1) % 2), key(), decidedAt + 1),
      ]);
      await Promise.all(work.flat());
      const left = await decisions.list(dbOf(0), key());
      expect(left).toEqual([]);
      expect(await tickets.isForgotten(db(), key())).toBe(true);
      expect(await decisions.list(dbOf(0), key())).toEqual([]);
    });
  });

  async function decideAnother(): Promise<string> {
    const another = randomUUID();
    await decisions.add(dbOf(0), draftOf(another), 0, null);
    return another;
  }
}
