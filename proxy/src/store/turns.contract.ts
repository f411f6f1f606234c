import { randomUUID } from 'node:crypto';
import type { Assignment, RoutingDecision } from '@deskside/shared/routing';
import { beforeEach, describe, expect, it } from 'vitest';
import { turnIn } from '#routing/round-robin.ts';
import type { DecisionDraft, Turn } from './decisions.ts';
import * as decisions from './decisions.ts';
import type { StateDb } from './schema.ts';
import { draftOf } from './testing/decision-draft.ts';
import { addTo } from './testing/decisions.ts';

const members = ['an', 'bình', 'chi', 'dũng', 'hà', 'khoa', 'lan'];
const nobody = { state: 'nobody_available' as const, candidates: [{ user: 'an', reason: 'unavailable' as const }] };

const { ticket_creation: creation } = draftOf('').inputs;

/** Tests of whose turn it is with the next decision, and of what waits for an agent. */
export function describeTurns(dbOf: (which: number) => StateDb): void {
  const db = () => dbOf(0);
  let team: string;
  let ticket: string;
  beforeEach(() => {
    team = randomUUID();
    ticket = randomUUID();
  });
  const turn = (eligible = members) => turnIn(team, members, eligible);
  const add = (draft: DecisionDraft, after: number, turn: Turn | null) => addTo(db(), draft, after, turn);
  const nextAgent = async (eligible = members) =>
    (await add(draftOf(randomUUID()), 0, turn(eligible))).assignment.agent;

  describe('the decisions and their turns', () => {
    it.each([0, 1, 3])('are not kept, and nobody loses a turn, where the latest is not number %i', async (after) => {
      await add(draftOf(ticket), 0, turn());
      await add(draftOf(ticket), 1, turn());
      expect(await decisions.add(db(), draftOf(ticket), after, turn())).toBeNull();
      expect((await decisions.list(db(), { name: ticket, creation })).map(({ number }) => number)).toEqual([2, 1]);
      expect((await decisions.latest(db(), { name: ticket, creation }))?.number).toBe(2);
      expect(await nextAgent()).toBe('chi');
    });

    it('of one ticket are made by one of many at once, who alone takes a turn', async () => {
      const adding = Array.from({ length: 20 }, (_, i) => decisions.add(dbOf(i % 2), draftOf(ticket), 0, turn()));
      const kept = (await Promise.all(adding)).filter((decision) => decision !== null);
      expect(kept.map(({ assignment }) => assignment.agent)).toEqual(['an']);
      expect(await decisions.list(db(), { name: ticket, creation })).toHaveLength(1);
      expect(await nextAgent()).toBe('bình');
    });

    it('go to the members in turn, in row order, wrapping, past those who may not', async () => {
      expect([await nextAgent(), await nextAgent(['lan', 'chi']), await nextAgent(['lan', 'chi'])]).toEqual([
        'an',
        'chi',
        'lan',
      ]);
      expect([await nextAgent(), await nextAgent(['an']), await nextAgent()]).toEqual(['an', 'an', 'bình']);
      team = randomUUID();
      expect(await nextAgent()).toBe('an');
    });

    it('say among their candidates whose turn it was', async () => {
      const candidates: Assignment['candidates'] = [
        { user: 'an', reason: 'unavailable' },
        { user: 'bình', reason: 'not_their_turn' },
        { user: 'chi', reason: 'not_their_turn' },
      ];
      const draft = draftOf(ticket, { assignment: { state: 'planned', candidates } });
      const kept = await add(draft, 0, turn(['bình', 'chi']));
      const [an, , chi] = candidates;
      const chosen = { user: 'bình', reason: 'next_in_turn' };
      expect(kept.assignment).toEqual({ state: 'planned', agent: 'bình', candidates: [an, chosen, chi] });
      expect(await decisions.latest(db(), { name: ticket, creation })).toEqual(kept);
    });

    it('keep the agent whom the caller took over from an earlier one', async () => {
      const { assignment } = await add(draftOf(ticket), 0, turn());
      const second = await add(draftOf(ticket, { assignment }), 1, null);
      expect(second.assignment).toEqual(assignment);
    });

    it('are refused where it can be nobody’s turn, without a trace', async () => {
      await expect(decisions.add(db(), draftOf(ticket), 0, turn([]))).rejects.toThrow(
        /^Nobody of .+ may get a ticket$/,
      );
      expect(await decisions.latest(db(), { name: ticket, creation })).toBeNull();
      expect(await nextAgent()).toBe('an');
    });

    it('made by many at once on two connections are fair to one ticket and numbered without a gap', async () => {
      const tickets = Array.from({ length: 30 }, () => randomUUID());
      const addNext = async (which: number, one: string): Promise<RoutingDecision> => {
        for (;;) {
          const after = (await decisions.latest(dbOf(which), { name: one, creation }))?.number ?? 0;
          const kept = await decisions.add(dbOf(which), draftOf(one), after, turn());
          if (kept !== null) return kept;
        }
      };
      const made = await Promise.all(Array.from({ length: 90 }, (_, i) => addNext(i % 2, tickets[i % 30] as string)));
      const counts = members.map((member) => made.filter(({ assignment }) => assignment.agent === member).length);
      expect(counts).toEqual([13, 13, 13, 13, 13, 13, 12]);
      for (const one of tickets)
        expect((await decisions.list(db(), { name: one, creation })).map(({ number }) => number)).toEqual([3, 2, 1]);
    });

    it('that wait for an agent get one by one of two callers', async () => {
      const waiting = await add(draftOf(ticket, { assignment: nobody }), 0, null);
      await decisions.update(db(), waiting.id, { state: 'applied' });
      const candidates: Assignment['candidates'] = [{ user: 'an', reason: 'not_their_turn' }];
      const taking = Array.from({ length: 10 }, (_, i) =>
        decisions.takeTurn(dbOf(i % 2), waiting.id, turn(), candidates),
      );
      const taken = (await Promise.all(taking)).filter((decision) => decision !== null);
      const candidate = { user: 'an', reason: 'next_in_turn' };
      const assignment = { state: 'planned', agent: 'an', candidates: [candidate], waited: true };
      expect(taken).toEqual([{ ...waiting, state: 'planned', assignment }]);
      expect(await decisions.latest(db(), { name: ticket, creation })).toEqual(taken[0]);
      expect(await nextAgent()).toBe('bình');
    });

    it('take no turn where they do not wait, or where there is a newer one', async () => {
      const planned = await add(draftOf(ticket), 0, null);
      expect(await decisions.takeTurn(db(), planned.id, turn(), [])).toBeNull();
      const waiting = await add(draftOf(ticket, { assignment: nobody }), 1, null);
      await add(draftOf(ticket), 2, null);
      expect(await decisions.takeTurn(db(), waiting.id, turn(), [])).toBeNull();
      expect(await decisions.takeTurn(db(), '999999999', turn(), [])).toBeNull();
      expect(await nextAgent()).toBe('an');
    });

    it('lose nothing where several change one at once', async () => {
      const { id } = await add(draftOf(ticket, { assignment: nobody }), 0, null);
      await Promise.all([
        decisions.update(dbOf(1), id, { reason: 'as it stands' }),
        decisions.takeTurn(dbOf(0), id, turn(), []),
        decisions.update(dbOf(1), id, { link: { customer: 'c', previous: null, done: true } }),
      ]);
      const seen = await decisions.latest(db(), { name: ticket, creation });
      expect(seen).toMatchObject({ outcome: { reason: 'as it stands' }, assignment: { agent: 'an' } });
      expect(seen?.link).toMatchObject({ customer: 'c' });
    });

    it('that wait for an agent are listed oldest first, until they have one or a newer one is made', async () => {
      const tickets = Array.from({ length: 5 }, () => randomUUID());
      const ids: string[] = [];
      const { outcome } = draftOf('');
      const draft = (one: string) => draftOf(one, { outcome: { ...outcome, team }, assignment: nobody });
      for (const one of tickets) ids.push((await add(draft(one), 0, null)).id);
      const [first, taken, superseded, withdrawn, last] = ids as [string, string, string, string, string];
      const waiting = async () =>
        (await decisions.waitingIn(db(), team, { afterId: null, limit: 9 })).map(({ id }) => id);
      expect(await waiting()).toEqual(ids);
      await decisions.takeTurn(db(), taken, turn(), []);
      await add(draftOf(tickets[2] as string), 1, null);
      await decisions.update(db(), superseded, { reason: 'changed' });
      await decisions.update(db(), withdrawn, { assignment: { state: 'already_assigned' } });
      await decisions.update(db(), first, { state: 'applied' });
      expect(await waiting()).toEqual([first, last]);
    });

    it('that wait are also listed by team, page by page', async () => {
      const { outcome } = draftOf('');
      const teams: readonly [string, string] = [`B'é ${randomUUID()}`, `A "x" ${randomUUID()}`];
      const waitIn = async (team: string | null) =>
        add(draftOf(randomUUID(), { outcome: { ...outcome, team }, assignment: nobody }), 0, null);
      const made = [await waitIn(teams[0]), await waitIn(teams[1]), await waitIn(teams[0]), await waitIn(null)];
      const [first, other, second] = made.map(({ id, ticket }) => ({ id, name: ticket, creation }));
      const ours = async () => (await decisions.waitingTeams(db())).filter((team) => teams.includes(team));
      expect(await ours()).toEqual([teams[1], teams[0]]);
      const page = (team: string, afterId: string | null = null, limit = 9) =>
        decisions.waitingIn(db(), team, { afterId, limit });
      expect(await page(teams[0])).toEqual([first, second]);
      expect(await page(teams[0], null, 1)).toEqual([first]);
      expect(await page(teams[0], first?.id)).toEqual([second]);
      expect(await page(teams[1])).toEqual([other]);
      await decisions.takeTurn(db(), other?.id ?? '', turn(), []);
      expect(await ours()).toEqual([teams[0]]);
      for (const { id } of made) await decisions.update(db(), id, { assignment: { state: 'none' } });
      expect(await ours()).toEqual([]);
    });
  });
}
