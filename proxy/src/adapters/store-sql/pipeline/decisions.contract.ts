import { randomUUID } from 'node:crypto';
import { OrgId } from '@deskside/shared/orgid';
import type { Assignment, RoutingDecision } from '@deskside/shared/routing';
import { beforeEach, describe, expect, it } from 'vitest';
import { draftOf } from '#adapters/store-sql/testing/decision-draft.ts';
import type { Decisions } from '#ports/routing/decisions.ts';

const members = ['an', 'bình', 'chi', 'dũng', 'hà', 'khoa', 'lan'];
const nobody = { state: 'nobody_available' as const, candidates: [{ user: 'an', reason: 'unavailable' as const }] };

/** Tests of the decisions' contract for any store. `which`: 0 or 1, two connections to the same store. */
export function describeDecisions(decisionsOf: (which: number) => Decisions): void {
  const decisions = () => decisionsOf(0);
  let team: string;
  let ticket: string;
  beforeEach(() => {
    team = randomUUID();
    ticket = randomUUID();
  });
  const turn = (eligible = members) => ({ team, members, eligible });
  const add = async (...args: Parameters<Decisions['add']>): Promise<RoutingDecision> => {
    const decision = await decisions().add(...args);
    if (decision === null) throw new Error('The decision was not kept');
    return decision;
  };
  const nextAgent = async (eligible = members) =>
    (await add(draftOf(randomUUID()), 0, turn(eligible))).assignment.agent;
  const walk = async (limit: number) => {
    const seen: RoutingDecision[] = [];
    for (let afterId: string | null = null; ; ) {
      const page = await decisions().page({ afterId, limit });
      seen.push(...page);
      const last = page.at(-1);
      if (last === undefined) return seen;
      afterId = last.id;
    }
  };

  describe('the decisions', () => {
    it('are given back as they were kept, numbered for each ticket', async () => {
      const draft = draftOf(ticket, { link: { customer: 'Cửa hàng', previous: null, done: true } });
      const first = await add(draft, 0, null);
      expect(first).toEqual({ ...draft, id: first.id, number: 1, assignment: { ...draft.assignment, agent: null } });
      const second = await add(draftOf(ticket, { cause: 'repair' }), 1, null);
      expect(second).toMatchObject({ number: 2, cause: 'repair' });
      expect(await decisions().latest(ticket)).toEqual(second);
      expect(await decisions().list(ticket)).toEqual([second, first]);
      expect(await decisions().latest(randomUUID())).toBeNull();
      expect(await decisions().list(randomUUID())).toEqual([]);
    });

    it.each([0, 1, 3])('are not kept, and nobody loses a turn, where the latest is not number %i', async (after) => {
      await add(draftOf(ticket), 0, turn());
      await add(draftOf(ticket), 1, turn());
      expect(await decisions().add(draftOf(ticket), after, turn())).toBeNull();
      expect((await decisions().list(ticket)).map(({ number }) => number)).toEqual([2, 1]);
      expect((await decisions().latest(ticket))?.number).toBe(2);
      expect(await nextAgent()).toBe('chi');
    });

    it('of one ticket are made by one of many at once, who alone takes a turn', async () => {
      const adding = Array.from({ length: 20 }, (_, i) => decisionsOf(i % 2).add(draftOf(ticket), 0, turn()));
      const kept = (await Promise.all(adding)).filter((decision) => decision !== null);
      expect(kept.map(({ assignment }) => assignment.agent)).toEqual(['an']);
      expect(await decisions().list(ticket)).toHaveLength(1);
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

    it('go on after whoever is set as the last, in a team that had one and in one that had none', async () => {
      await decisions().setLastAgent(team, 'bình');
      expect(await nextAgent()).toBe('chi');
      await decisions().setLastAgent(team, 'lan');
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
      expect(await decisions().latest(ticket)).toEqual(kept);
    });

    it('keep the agent whom the caller took over from an earlier one', async () => {
      const { assignment } = await add(draftOf(ticket), 0, turn());
      const second = await add(draftOf(ticket, { assignment }), 1, null);
      expect(second.assignment).toEqual(assignment);
    });

    it('are refused where it can be nobody’s turn, without a trace', async () => {
      await expect(decisions().add(draftOf(ticket), 0, turn([]))).rejects.toThrow(/^Nobody of .+ may get a ticket$/);
      expect(await decisions().latest(ticket)).toBeNull();
      expect(await nextAgent()).toBe('an');
    });

    it('made by many at once on two connections are fair to one ticket and numbered without a gap', async () => {
      const tickets = Array.from({ length: 30 }, () => randomUUID());
      const addNext = async (which: number, one: string): Promise<RoutingDecision> => {
        for (;;) {
          const after = (await decisionsOf(which).latest(one))?.number ?? 0;
          const kept = await decisionsOf(which).add(draftOf(one), after, turn());
          if (kept !== null) return kept;
        }
      };
      const made = await Promise.all(Array.from({ length: 90 }, (_, i) => addNext(i % 2, tickets[i % 30] as string)));
      const counts = members.map((member) => made.filter(({ assignment }) => assignment.agent === member).length);
      expect(counts).toEqual([13, 13, 13, 13, 13, 13, 12]);
      for (const one of tickets) expect((await decisions().list(one)).map(({ number }) => number)).toEqual([3, 2, 1]);
    });

    it('that wait for an agent get one by one of two callers', async () => {
      const waiting = await add(draftOf(ticket, { assignment: nobody }), 0, null);
      await decisions().update(waiting.id, { state: 'applied' });
      const candidates: Assignment['candidates'] = [{ user: 'an', reason: 'not_their_turn' }];
      const taking = Array.from({ length: 10 }, (_, i) => decisionsOf(i % 2).takeTurn(waiting.id, turn(), candidates));
      const taken = (await Promise.all(taking)).filter((decision) => decision !== null);
      const assignment = { state: 'planned', agent: 'an', candidates: [{ user: 'an', reason: 'next_in_turn' }] };
      expect(taken).toEqual([{ ...waiting, state: 'planned', assignment }]);
      expect(await decisions().latest(ticket)).toEqual(taken[0]);
      expect(await nextAgent()).toBe('bình');
    });

    it('take no turn where they do not wait, or where there is a newer one', async () => {
      const planned = await add(draftOf(ticket), 0, null);
      expect(await decisions().takeTurn(planned.id, turn(), [])).toBeNull();
      const waiting = await add(draftOf(ticket, { assignment: nobody }), 1, null);
      await add(draftOf(ticket), 2, null);
      expect(await decisions().takeTurn(waiting.id, turn(), [])).toBeNull();
      expect(await decisions().takeTurn('999999999', turn(), [])).toBeNull();
      expect(await nextAgent()).toBe('an');
    });

    it('change where they are told to and nowhere else', async () => {
      const before = await add(draftOf(ticket), 0, turn());
      await decisions().update(before.id, {});
      await decisions().update(before.id, { state: undefined, assignment: { agent: undefined }, link: undefined });
      expect(await decisions().latest(ticket)).toEqual(before);
      await decisions().update(before.id, { state: 'applied', assignment: { state: 'assigned' } });
      const link = { customer: 'c', previous: 'p', done: false };
      await decisions().update(before.id, { reason: 'as it stands', link });
      const after = {
        ...before,
        state: 'applied',
        assignment: { ...before.assignment, state: 'assigned' },
        link,
        outcome: { ...before.outcome, reason: 'as it stands' },
      };
      expect(await decisions().latest(ticket)).toEqual(after);
      await decisions().update(before.id, { assignment: { agent: null }, link: null });
      expect(await decisions().latest(ticket)).toMatchObject({ assignment: { agent: null }, link: null });
      await expect(decisions().update('999999999', { state: 'applied' })).rejects.toThrow('There is no decision');
    });

    it('lose nothing where several change one at once', async () => {
      const { id } = await add(draftOf(ticket, { assignment: nobody }), 0, null);
      await Promise.all([
        decisionsOf(1).update(id, { reason: 'as it stands' }),
        decisionsOf(0).takeTurn(id, turn(), []),
        decisionsOf(1).update(id, { link: { customer: 'c', previous: null, done: true } }),
      ]);
      const seen = await decisions().latest(ticket);
      expect(seen).toMatchObject({ outcome: { reason: 'as it stands' }, assignment: { agent: 'an' } });
      expect(seen?.link).toMatchObject({ customer: 'c' });
    });

    it('tell which of many tickets have one', async () => {
      const other = randomUUID();
      await add(draftOf(ticket), 0, null);
      await add(draftOf(ticket), 1, null);
      await add(draftOf(other), 0, null);
      const strangers = Array.from({ length: 1_200 }, () => randomUUID());
      expect(await decisions().decided([ticket, ...strangers, other])).toEqual(new Set([ticket, other]));
      expect(await decisions().decided([])).toEqual(new Set());
    });

    it('that wait for an agent are listed oldest first, until they have one or a newer one is made', async () => {
      const tickets = Array.from({ length: 5 }, () => randomUUID());
      const ids: string[] = [];
      for (const one of tickets) ids.push((await add(draftOf(one, { assignment: nobody }), 0, null)).id);
      const [first, taken, superseded, withdrawn, last] = ids as [string, string, string, string, string];
      const waiting = async () =>
        (await decisions().waitingForAgent(1_000)).map(({ id }) => id).filter((id) => ids.includes(id));
      expect(await waiting()).toEqual(ids);
      await decisions().takeTurn(taken, turn(), []);
      await add(draftOf(tickets[2] as string), 1, null);
      await decisions().update(superseded, { reason: 'changed' });
      await decisions().update(withdrawn, { assignment: { state: 'already_assigned' } });
      await decisions().update(first, { state: 'applied' });
      expect(await waiting()).toEqual([first, last]);
      const all = await decisions().waitingForAgent(1_000);
      expect(await decisions().waitingForAgent(1)).toEqual(all.slice(0, 1));
    });

    it('that wait are also listed by team, page by page', async () => {
      const { outcome } = draftOf('');
      const teams: readonly [string, string] = [`B'é ${randomUUID()}`, `A "x" ${randomUUID()}`];
      const waitIn = async (team: string | null) =>
        add(draftOf(randomUUID(), { outcome: { ...outcome, team }, assignment: nobody }), 0, null);
      const made = [await waitIn(teams[0]), await waitIn(teams[1]), await waitIn(teams[0]), await waitIn(null)];
      const [first, other, second] = made.map(({ id, ticket }) => ({ id, ticket }));
      const ours = async () => (await decisions().waitingTeams()).filter((team) => teams.includes(team));
      expect(await ours()).toEqual([teams[1], teams[0]]);
      const page = (team: string, afterId: string | null = null, limit = 9) =>
        decisions().waitingIn(team, { afterId, limit });
      expect(await page(teams[0])).toEqual([first, second]);
      expect(await page(teams[0], null, 1)).toEqual([first]);
      expect(await page(teams[0], first?.id)).toEqual([second]);
      expect(await page(teams[1])).toEqual([other]);
      await decisions().takeTurn(other?.id ?? '', turn(), []);
      expect(await ours()).toEqual([teams[0]]);
      for (const { id } of made) await decisions().update(id, { assignment: { state: 'none' } });
      expect(await ours()).toEqual([]);
    });

    it('are walked page by page, the latest of every ticket once, oldest first', async () => {
      const tickets: string[] = Array.from({ length: 23 }, () => randomUUID());
      for (const one of tickets) await add(draftOf(one), 0, null);
      const redone = tickets.filter((_, i) => i % 4 === 0);
      for (const one of redone) await add(draftOf(one), 1, null);
      const order = [...tickets.filter((one) => !redone.includes(one)), ...redone];
      for (const limit of [1, 7, 1_000]) {
        const seen = await walk(limit);
        expect(seen).toHaveLength(await decisions().count());
        expect(new Set(seen.map((decision) => decision.ticket)).size).toBe(seen.length);
        const ours = seen.filter((decision) => tickets.includes(decision.ticket));
        expect(ours.map((decision) => decision.ticket)).toEqual(order);
        expect(ours.map(({ number }) => number)).toEqual(order.map((one) => (redone.includes(one) ? 2 : 1)));
      }
    });

    it('are found by date, across gaps', async () => {
      const day = (n: number) => Date.UTC(2030, 0, n);
      const made: string[] = [];
      for (const n of [1, 2, 2, 4, 5])
        made.push((await add(draftOf(randomUUID(), { decided_at: new Date(day(n)).toISOString() }), 0, null)).id);
      const [first, , second, fourth, last] = made;
      expect(await decisions().lastBefore(day(0))).not.toBe(first);
      expect(await decisions().lastBefore(day(2))).toBe(first);
      expect(await decisions().lastBefore(day(3))).toBe(second);
      expect(await decisions().lastBefore(day(4) + 1)).toBe(fourth);
      expect(await decisions().lastBefore(day(9))).toBe(last);
      expect(await decisions().lastBefore(0)).toBeNull();
    });

    it('come with what the ticket was like when it was first seen, of which the first of a creation stays', async () => {
      const ticket = randomUUID();
      const entered = { agent: 'an@desk.example', orgId: OrgId.parse('99999999999999999999') };
      const firstState = {
        ticket,
        creation: '2026-11-20 12:00:00.000001',
        entered,
        groupSetBy: null,
        customer: "O'Neil 🛒",
      };
      expect(await decisions().firstState(ticket, firstState.creation)).toBeNull();
      await decisions().keepFirstState(firstState, 1_000);
      await decisions().keepFirstState({ ...firstState, entered: null, groupSetBy: 'sender', customer: null }, 2_000);
      expect(await decisions().firstState(ticket, firstState.creation)).toEqual(firstState);
      expect(await decisions().firstState(ticket, '2026-11-20 12:00:00.000002')).toBeNull();
      expect(await decisions().firstState(randomUUID(), firstState.creation)).toBeNull();
    });

    it('may be preceded by a preliminary one, of which the first stays until it is old', async () => {
      const first = { key: randomUUID(), team: 'CS 60p', reason: 'first', at: 1_000 };
      expect(await decisions().preliminary(first.key)).toBeNull();
      await decisions().keepPreliminary(first);
      await decisions().keepPreliminary({ ...first, team: 'CS Medium', reason: 'second', at: 9_000 });
      const younger = { ...first, key: randomUUID(), at: 2_000 };
      await decisions().keepPreliminary(younger);
      expect(await decisions().preliminary(first.key)).toEqual(first);
      expect(await decisions().deletePreliminaryBefore(2_000, 0)).toBe(0);
      expect(await decisions().deletePreliminaryBefore(2_000, 10)).toBe(1);
      expect(await decisions().preliminary(first.key)).toBeNull();
      expect(await decisions().preliminary(younger.key)).toEqual(younger);
    });
  });
}
