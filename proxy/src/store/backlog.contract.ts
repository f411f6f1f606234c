import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { turnIn } from '#routing/round-robin.ts';
import * as decisions from './decisions.ts';
import type { StateDb } from './schema.ts';
import { draftOf } from './testing/decision-draft.ts';
import * as tickets from './tickets.ts';

/** Tests of the pipeline's watch for any store; others may have left something in it. */
export function describeBacklog(dbOf: () => StateDb): void {
  describe('the backlog of the pipeline', () => {
    it('counts what is due, and says since when the first of it', async () => {
      const db = dbOf();
      expect((await decisions.backlog(db, 9)).due).toEqual({ tickets: 0, since: null });
      await tickets.enqueue(db, [{ name: randomUUID(), creation: '2026' }], { dueAt: 3, now: 1 });
      await tickets.enqueue(db, [{ name: randomUUID(), creation: '2026' }], { dueAt: 7, now: 1 });
      await tickets.enqueue(db, [{ name: randomUUID(), creation: '2026' }], { dueAt: 10, now: 1 });
      expect((await decisions.backlog(db, 9)).due).toEqual({ tickets: 2, since: 3 });
      for (const work of await tickets.claim(db, 'watch', { limit: 3, now: 11, leaseMs: 1_000 }))
        await tickets.finish(db, [work], 'watch');
      expect((await decisions.backlog(db, 11)).due).toEqual({ tickets: 0, since: null });
    });

    it('counts tickets for which nobody is available until somebody has them', async () => {
      const db = dbOf();
      const before = (await decisions.backlog(db, 0)).waiting;
      const candidates = [{ user: 'an', reason: 'unavailable' as const }];
      const draft = draftOf(randomUUID(), { assignment: { state: 'nobody_available', candidates } });
      const waiting = await decisions.add(db, draft, 0, null);
      const { tickets, since } = (await decisions.backlog(db, 0)).waiting;
      expect(tickets).toBe(before.tickets + 1);
      expect(since).toBe(before.since ?? Date.parse(draft.decided_at));
      await decisions.update(db, waiting?.id ?? '', { assignment: { state: 'none' } });
      expect((await decisions.backlog(db, 0)).waiting).toEqual(before);
    });

    it('knows whose turn it was, newest first, and who else could have got the ticket', async () => {
      const db = dbOf();
      const [team, members, eligible] = [randomUUID(), ['an', 'bình', 'chi'], ['an', 'chi']];
      const candidates = [
        { user: 'an', reason: 'not_their_turn' as const },
        { user: 'bình', reason: 'unavailable' as const },
        { user: 'chi', reason: 'not_their_turn' as const },
      ];
      const draft = () => {
        const plain = draftOf(randomUUID(), { assignment: { state: 'planned', candidates } });
        return { ...plain, outcome: { ...plain.outcome, team } };
      };
      const [first, second] = [draft(), draft()];
      for (const one of [first, second]) await decisions.add(db, one, 0, turnIn(team, members, eligible));
      // Nobody's turn: it had an assignee.
      await decisions.add(db, draft(), 0, null);
      const decided = await decisions.newest(db, { beforeId: null, limit: 3 });
      expect(decided.map(({ ticket, team, turn }) => ({ ticket, team, turn }))).toEqual([
        { ticket: expect.any(String), team, turn: null },
        { ticket: second.ticket, team, turn: { agent: 'chi', eligible } },
        { ticket: first.ticket, team, turn: { agent: 'an', eligible } },
      ]);
    });

    it('shows decisions newest first, a page at a time', async () => {
      const db = dbOf();
      const ticket = randomUUID();
      const draft = draftOf(ticket);
      const first = await decisions.add(db, draft, 0, null);
      const second = await decisions.add(db, { ...draft, cause: 'repair' }, 1, null);
      const [newest, before] = await decisions.newest(db, { beforeId: null, limit: 2 });
      const team = draft.outcome.team;
      expect(newest).toEqual({ id: second?.id, ticket, team, turn: null });
      expect(before).toEqual({ id: first?.id, ticket, team, turn: null });
      expect(await decisions.newest(db, { beforeId: second?.id ?? '', limit: 1 })).toEqual([before]);
      expect(await decisions.newest(db, { beforeId: '1', limit: 1 })).toEqual([]);
    });
  });
}
