import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Store } from './store.ts';
import { draftOf } from './testing/decision-draft.ts';

/** Tests of the pipeline's watch for any store; others may have left something in it. */
export function describePipelineWatch(storeOf: () => Pick<Store, 'pipelineWatch' | 'inbox' | 'decisions'>): void {
  describe('the watch of the pipeline', () => {
    it('counts what is due, and says since when the first of it', async () => {
      const { pipelineWatch, inbox } = storeOf();
      expect((await pipelineWatch.backlog(9)).due).toEqual({ tickets: 0, since: null });
      await inbox.enqueue([randomUUID()], 3, 1);
      await inbox.enqueue([randomUUID()], 7, 1);
      await inbox.enqueue([randomUUID()], 10, 1);
      expect((await pipelineWatch.backlog(9)).due).toEqual({ tickets: 2, since: 3 });
      for (const work of await inbox.claim('watch', { limit: 3, now: 11, leaseMs: 1_000 }))
        await inbox.finish([work], 'watch');
      expect((await pipelineWatch.backlog(11)).due).toEqual({ tickets: 0, since: null });
    });

    it('counts tickets for which nobody is available until somebody has them', async () => {
      const { pipelineWatch, decisions } = storeOf();
      const before = (await pipelineWatch.backlog(0)).waiting;
      const candidates = [{ user: 'an', reason: 'unavailable' as const }];
      const draft = draftOf(randomUUID(), { assignment: { state: 'nobody_available', candidates } });
      const waiting = await decisions.add(draft, 0, null);
      const { tickets, since } = (await pipelineWatch.backlog(0)).waiting;
      expect(tickets).toBe(before.tickets + 1);
      expect(since).toBe(before.since ?? Date.parse(draft.decided_at));
      await decisions.update(waiting?.id ?? '', { assignment: { state: 'none' } });
      expect((await pipelineWatch.backlog(0)).waiting).toEqual(before);
    });

    it('knows whose turn it was, newest first, and who else could have got the ticket', async () => {
      const { pipelineWatch, decisions } = storeOf();
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
      for (const one of [first, second]) await decisions.add(one, 0, { team, members, eligible });
      // Nobody's turn: it had an assignee.
      await decisions.add(draft(), 0, null);
      const decided = await pipelineWatch.decided({ beforeId: null, limit: 3 });
      expect(decided.map(({ ticket, team, turn }) => ({ ticket, team, turn }))).toEqual([
        { ticket: expect.any(String), team, turn: null },
        { ticket: second.ticket, team, turn: { agent: 'chi', eligible } },
        { ticket: first.ticket, team, turn: { agent: 'an', eligible } },
      ]);
    });

    it('shows decisions newest first, a page at a time', async () => {
      const { pipelineWatch, decisions } = storeOf();
      const ticket = randomUUID();
      const draft = draftOf(ticket);
      const first = await decisions.add(draft, 0, null);
      const second = await decisions.add({ ...draft, cause: 'repair' }, 1, null);
      const [newest, before] = await pipelineWatch.decided({ beforeId: null, limit: 2 });
      const team = draft.outcome.team;
      expect(newest).toEqual({ id: second?.id, ticket, team, turn: null });
      expect(before).toEqual({ id: first?.id, ticket, team, turn: null });
      expect(await pipelineWatch.decided({ beforeId: second?.id ?? '', limit: 1 })).toEqual([before]);
      expect(await pipelineWatch.decided({ beforeId: '1', limit: 1 })).toEqual([]);
    });
  });
}
