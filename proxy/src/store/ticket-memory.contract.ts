import { randomUUID } from 'node:crypto';
import { OrgId } from '@deskside/shared/orgid';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Store } from './store.ts';
import { draftOf } from './testing/decision-draft.ts';

const creation = '2026-11-20 12:00:00.000001';
const decidedAt = Date.parse(draftOf('').decided_at);
const orgId = OrgId.parse('200000376001');

/** Tests of the tickets' memory for any store. `which`: 0 or 1, two connections to the same store. */
export function describeTicketMemory(storeOf: (which: number) => Store): void {
  const memory = () => storeOf(0).ticketMemory;
  let ticket: string;
  beforeEach(() => {
    ticket = randomUUID();
  });
  const carry = (at: number) => {
    const carried = { ticket, creation, raisedBy: 'vy@shop.example', orgIds: [orgId] };
    return storeOf(0).inserts.noteCarried(carried, at);
  };
  const sync = (at: number) => {
    const entry = { ticket, agent: 'an', orgId, crmCompanyId: '7', customer: 'c', previousCustomer: null, at };
    return storeOf(0).syncLog.record(entry);
  };
  const decide = (which = 0, after = 0) => {
    const draft = draftOf(ticket);
    const inputs = { ...draft.inputs, ticket_creation: creation };
    return storeOf(which).decisions.add({ ...draft, inputs }, after, null);
  };
  /** When the ticket was last in use; null if nothing is kept of it. */
  const activeAt = async () => {
    const all = await memory().lastActiveBefore(Number.MAX_SAFE_INTEGER, 10_000);
    return all.find((one) => one.ticket === ticket)?.activeAt ?? null;
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

    it('lists those longest out of use first, up to a limit, and what was seen of them', async () => {
      const of = (n: number) => ({ ticket: randomUUID(), activeAt: -10 * n, gone: n === 2 });
      const [first, second, third] = [of(1), of(2), of(3)];
      const tickets = [first, second, third];
      await memory().note(tickets);
      expect(await memory().lastActiveBefore(-10, 10)).toEqual([third, second]);
      expect(await memory().lastActiveBefore(0, 2)).toEqual([third, second]);
      const back = { ...second, activeAt: -5, gone: false };
      await memory().note([back]);
      await memory().note([{ ...third, activeAt: -90 }]);
      expect(await memory().lastActiveBefore(0, 9)).toEqual([third, first, back]);
      for (const { ticket: one } of tickets) expect(await memory().forget(one, 0, 1)).toBe(true);
    });

    it('ends with everything that was kept, except that it was decided', async () => {
      await carry(decidedAt);
      await decide();
      await decide(0, 1);
      const entry = await sync(decidedAt);
      const other = await decideAnother();
      expect(await memory().forget(ticket, decidedAt + 1, decidedAt + 2)).toBe(true);
      const { decisions, inserts, syncLog } = storeOf(1);
      expect(await decisions.list(ticket)).toEqual([]);
      expect((await inserts.carrying('vy@shop.example', orgId)).map((one) => one.ticket)).not.toContain(ticket);
      expect(await syncLog.get(entry)).toBeNull();
      expect(await activeAt()).toBeNull();
      expect(await decisions.decided([ticket, other, 'never'])).toEqual(new Set([ticket, other]));
      expect(await inserts.isForgotten(ticket, creation)).toBe(true);
      expect(await inserts.isForgotten(ticket, '2026-11-20 12:00:00.000002')).toBe(false);
      expect(await inserts.isForgotten(other, creation)).toBe(false);
      expect(await decisions.list(other)).toHaveLength(1);
    });

    it('of one that was never decided leaves nothing', async () => {
      await sync(decidedAt);
      expect(await memory().forget(ticket, decidedAt + 1, decidedAt + 2)).toBe(true);
      expect(await storeOf(0).inserts.isForgotten(ticket, creation)).toBe(false);
    });

    it('does not end for one that has been in use since, or is not known', async () => {
      await decide();
      expect(await memory().forget(ticket, decidedAt, decidedAt + 2)).toBe(false);
      expect(await storeOf(0).decisions.list(ticket)).toHaveLength(1);
      expect(await memory().forget(randomUUID(), decidedAt, decidedAt)).toBe(false);
    });

    it('leaves work that is due, and takes what is finished', async () => {
      const { inbox } = storeOf(0);
      await inbox.enqueue([ticket], 1, 1);
      await decide();
      await memory().forget(ticket, decidedAt + 1, decidedAt + 2);
      expect(await inbox.waitingAmong([ticket])).toEqual(new Set([ticket]));
      const claimed = await inbox.claim('a', { limit: 10_000, now: 1, leaseMs: 1_000 });
      for (const work of claimed) await inbox.finish([work], 'a');
    });

    it('ends whole or not at all while several processes go on recording', async () => {
      await decide();
      const work = Array.from({ length: 20 }, (_, i) => [
        decide(i % 2, 1),
        storeOf((i + 1) % 2).ticketMemory.forget(ticket, decidedAt + 1, decidedAt + 2),
      ]);
      await Promise.all(work.flat());
      const left = await storeOf(0).decisions.list(ticket);
      expect(left).toEqual([]);
      expect(await storeOf(0).inserts.isForgotten(ticket, creation)).toBe(true);
      expect(await storeOf(0).decisions.list(ticket)).toEqual([]);
    });
  });

  async function decideAnother(): Promise<string> {
    const another = randomUUID();
    await storeOf(0).decisions.add(draftOf(another), 0, null);
    return another;
  }
}
