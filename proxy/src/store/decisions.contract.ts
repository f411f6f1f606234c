import { randomUUID } from 'node:crypto';
import { OrgId } from '@deskside/shared/orgid';
import type { Assignment, RoutingDecision } from '@deskside/shared/routing';
import { beforeEach, describe, expect, it } from 'vitest';
import { addTo, allDecisions } from '#store/testing/decision-draft.ts';
import { backlog } from './backlog.ts';
import type { DecisionDraft } from './decisions.ts';
import * as decisions from './decisions.ts';
import { purge } from './purge.ts';
import type { StateDb } from './schema.ts';
import { draftOf } from './testing/decision-draft.ts';
import * as tickets from './tickets.ts';
import type { Turn } from './turn.ts';

const { ticket_creation: creation } = draftOf('').inputs;

const members = ['an', 'bình', 'chi', 'dũng', 'hà', 'khoa', 'lan'];
const nobody = { state: 'nobody_available' as const, candidates: [{ user: 'an', reason: 'unavailable' as const }] };
const keyOf = (name: string) => ({ name, creation });

/** Tests of the decisions' contract for any store. `which`: 0 or 1, two connections to the same store. */
export function describeDecisions(dbOf: (which: number) => StateDb): void {
  const db = () => dbOf(0);
  let ticket: string;
  let team: string;
  beforeEach(() => {
    ticket = randomUUID();
    team = randomUUID();
  });
  const add = (draft: DecisionDraft, after = 0, turn: Turn | null = null) => addTo(db(), draft, after, turn);
  const turn = (eligible = members) => ({ team, members, eligible });
  const nextAgent = async () => (await add(draftOf(randomUUID()), 0, turn())).assignment.agent;
  const latest = (name: string) => decisions.latest(db(), keyOf(name));
  const list = (name: string) => decisions.list(db(), keyOf(name));
  const numbers = async (name: string) => (await list(name)).map(({ number }) => number);
  const walk = (afterId?: string) => allDecisions(db(), afterId);

  describe('the decisions', () => {
    it('are given back as they were kept, numbered for each ticket, of which several may have had one name', async () => {
      const draft = draftOf(ticket, { link: { customer: 'Cửa hàng', previous: null, done: true } });
      const first = await add(draft);
      expect(first).toEqual({ ...draft, id: first.id, number: 1, assignment: { ...draft.assignment, agent: null } });
      const second = await add(draftOf(ticket, { cause: 'repair' }), 1);
      expect(second).toMatchObject({ number: 2, cause: 'repair' });
      expect(await latest(ticket)).toEqual(second);
      expect(await list(ticket)).toEqual([second, first]);
      expect([await latest(randomUUID()), await list(randomUUID())]).toEqual([null, []]);
      const later = { inputs: { ...draft.inputs, ticket_creation: '2026-05-09 07:00:00.000000' } };
      const another = await add(draftOf(ticket, later));
      expect(another.number).toBe(1);
      expect(await list(ticket)).toEqual([second, first]);
      expect(await decisions.latestNamed(db(), ticket)).toEqual(another);
    });

    it('change where they are told to and nowhere else', async () => {
      const before = await add(draftOf(ticket), 0, { team: randomUUID(), members: ['an'], eligible: ['an'] });
      await decisions.update(db(), before, {});
      expect(await latest(ticket)).toEqual(before);
      await decisions.update(db(), before, { state: 'applied', assignment: { state: 'assigned' } });
      await decisions.update(db(), before, { reason: 'as it stands' });
      const after = {
        ...before,
        state: 'applied',
        assignment: { ...before.assignment, state: 'assigned' },
        outcome: { ...before.outcome, reason: 'as it stands' },
      };
      expect(await latest(ticket)).toEqual(after);
      await decisions.update(db(), before, { assignment: { agent: null } });
      expect(await latest(ticket)).toMatchObject({ assignment: { agent: null } });
      const unknown = { ...before, id: '999999999' };
      await expect(decisions.update(db(), unknown, { state: 'applied' })).rejects.toThrow('There is no decision');
    });

    it('leave another ticket’s decision as it is that has got the id of one that was purged meanwhile', async () => {
      const waits = await add(draftOf(ticket, { assignment: nobody }));
      await purge(db(), { tickets: [ticket], names: null, now: 0, isDry: false });
      const other = await add(draftOf(randomUUID(), { assignment: nobody }));
      const purged = { ...waits, id: other.id };
      await expect(decisions.update(db(), purged, { state: 'applied' })).rejects.toThrow('There is no decision');
      expect(await decisions.takeTurn(db(), purged, turn(), [])).toBeNull();
      expect(await latest(other.ticket)).toEqual(other);
    });

    it('are given newest first, whatever has become of them, a page at a time', async () => {
      const first = await add(draftOf(ticket));
      const second = await add(draftOf(ticket, { cause: 'repair' }), 1);
      const other = await add(draftOf(randomUUID()));
      expect(await decisions.latestFirst(db(), { beforeId: null, limit: 2 })).toEqual([other, second]);
      expect(await decisions.latestFirst(db(), { beforeId: second.id, limit: 1 })).toEqual([first]);
      expect(await decisions.latestFirst(db(), { beforeId: '1', limit: 1 })).toEqual([]);
    });

    it('are walked, however many, the latest of every ticket once, oldest first', async () => {
      const tickets: string[] = Array.from({ length: 63 }, () => randomUUID());
      for (const one of tickets) await add(draftOf(one));
      const redone = tickets.filter((_, i) => i % 4 === 0);
      for (const one of redone) await add(draftOf(one), 1);
      const order = [...tickets.filter((one) => !redone.includes(one)), ...redone];
      const seen = await walk();
      const keys = seen.map((decision) => `${decision.ticket} ${decision.inputs.ticket_creation}`);
      expect(new Set(keys).size).toBe(seen.length);
      const ours = seen.filter((decision) => tickets.includes(decision.ticket));
      expect(ours.map((decision) => decision.ticket)).toEqual(order);
      expect(ours.map(({ number }) => number)).toEqual(order.map((one) => (redone.includes(one) ? 2 : 1)));
      const half = ours.slice(30);
      expect((await walk(ours[29]?.id)).slice(0, half.length)).toEqual(half);
      for (const id of ['1x', 'x1', '-1', '']) await expect(walk(id)).rejects.toThrow(`There is no decision ${id}`);
    });

    it('are found by date, across gaps', async () => {
      const day = (n: number) => Date.UTC(2030, 0, n);
      const made: string[] = [];
      for (const n of [1, 2, 2, 4, 5])
        made.push((await add(draftOf(randomUUID(), { decided_at: new Date(day(n)).toISOString() }))).id);
      const [first, , second, fourth, last] = made;
      expect(await decisions.lastBefore(db(), day(2))).toBe(first);
      expect(await decisions.lastBefore(db(), day(3))).toBe(second);
      expect(await decisions.lastBefore(db(), day(4) + 1)).toBe(fourth);
      expect(await decisions.lastBefore(db(), day(9))).toBe(last);
      expect(await decisions.lastBefore(db(), 0)).toBeNull();
    });

    it('that rest on an open claim are found by its org id, until there is one that does not', async () => {
      const [orgId, another] = ['99999999999999999999', '99999999999999999998'].map((id) => OrgId.parse(id));
      if (!orgId || !another) throw new Error('unreachable');
      const { inputs } = draftOf(ticket);
      const trust = { level: 'claimed' as const, evidence: [] };
      const org_id = { value: orgId, source: 'ticket', field: 'custom_orgid', trust };
      const claimed = { inputs: { ...inputs, org_id } };
      const other = randomUUID();
      for (const name of [ticket, other]) {
        const kept = await decisions.add(db(), draftOf(name, claimed), 0, null, orgId);
        if (kept) await decisions.update(db(), kept, { state: 'applied' });
      }
      await add(draftOf(randomUUID(), claimed));
      const strangers = Array.from({ length: 200 }, (_, n) => OrgId.parse(String(300_000_000 + n)));
      const found = await decisions.openClaimsOf(db(), [another, ...strangers, orgId]);
      expect(found.map(({ name }) => name).toSorted()).toEqual([ticket, other].toSorted());
      await add(draftOf(other), 1);
      expect(await decisions.openClaimsOf(db(), [orgId])).toEqual([keyOf(ticket)]);
    });

    it('may be preceded by a preliminary one, of which the first stays until it is old', async () => {
      const first = { key: randomUUID(), team: 'CS 60p', reason: 'first', at: 1_000 };
      expect(await decisions.preliminary(db(), first.key)).toBeNull();
      await decisions.keepPreliminary(db(), first);
      await decisions.keepPreliminary(db(), { ...first, team: 'CS Medium', reason: 'second', at: 9_000 });
      const younger = { ...first, key: randomUUID(), at: 2_000 };
      await decisions.keepPreliminary(db(), younger);
      expect(await decisions.preliminary(db(), first.key)).toEqual(first);
      expect(await decisions.deletePreliminaryBefore(db(), 2_000, 0)).toBe(0);
      expect(await decisions.deletePreliminaryBefore(db(), 2_000, 10)).toBe(1);
      expect(await decisions.preliminary(db(), first.key)).toBeNull();
      expect(await decisions.preliminary(db(), younger.key)).toEqual(younger);
    });
  });

  describe('the decisions and their turns', () => {
    it.each([0, 1, 3])('are not kept, and nobody loses a turn, where the latest is not number %i', async (after) => {
      await add(draftOf(ticket), 0, turn());
      await add(draftOf(ticket), 1, turn());
      expect(await decisions.add(db(), draftOf(ticket), after, turn())).toBeNull();
      expect(await numbers(ticket)).toEqual([2, 1]);
      expect((await latest(ticket))?.number).toBe(2);
      expect(await nextAgent()).toBe('chi');
    });

    it('go on in each team by itself', async () => {
      const [first, second] = [team, randomUUID()];
      const agents = [];
      for (const one of [first, second, second, first]) {
        team = one;
        agents.push(await nextAgent());
      }
      expect(agents).toEqual(['an', 'an', 'bình', 'bình']);
    });

    it('are refused where it can be nobody’s turn, without a trace', async () => {
      await expect(decisions.add(db(), draftOf(ticket), 0, turn([]))).rejects.toThrow(
        /^Nobody of .+ may get a ticket$/,
      );
      expect(await latest(ticket)).toBeNull();
      expect(await nextAgent()).toBe('an');
    });

    it('made by many at once on two connections are fair to one ticket and numbered without a gap', async () => {
      const tickets = Array.from({ length: 15 }, () => randomUUID());
      const addNext = async (which: number, one: string): Promise<RoutingDecision> => {
        for (;;) {
          const after = (await decisions.latest(dbOf(which), { name: one, creation }))?.number ?? 0;
          const kept = await decisions.add(dbOf(which), draftOf(one), after, turn());
          if (kept !== null) return kept;
        }
      };
      const made = await Promise.all(Array.from({ length: 45 }, (_, i) => addNext(i % 2, tickets[i % 15] as string)));
      const counts = members.map((member) => made.filter(({ assignment }) => assignment.agent === member).length);
      expect(counts).toEqual([7, 7, 7, 6, 6, 6, 6]);
      for (const one of tickets) expect(await numbers(one)).toEqual([3, 2, 1]);
    });

    it('that wait for an agent get one by one of many callers, and no turn is taken where they do not wait', async () => {
      const planned = await add(draftOf(ticket));
      expect(await decisions.takeTurn(db(), planned, turn(), [])).toBeNull();
      const waiting = await add(draftOf(ticket, { assignment: nobody }), 1);
      await decisions.update(db(), waiting, { state: 'applied' });
      const candidates: Assignment['candidates'] = [
        { user: 'an', reason: 'not_their_turn' },
        { user: 'chi', reason: 'not_their_turn' },
      ];
      const taking = Array.from({ length: 10 }, (_, i) => decisions.takeTurn(dbOf(i % 2), waiting, turn(), candidates));
      const taken = (await Promise.all(taking)).filter((decision) => decision !== null);
      const [, other] = candidates;
      const chosen = [{ user: 'an', reason: 'next_in_turn' }, other];
      const assignment = { state: 'planned', agent: 'an', candidates: chosen, waited: true };
      expect(taken).toEqual([{ ...waiting, state: 'planned', assignment }]);
      expect(await latest(ticket)).toEqual(taken[0]);
      const superseded = await add(draftOf(ticket, { assignment: nobody }), 2);
      await add(draftOf(ticket), 3);
      for (const one of [superseded, { ...superseded, id: '999999999' }])
        expect(await decisions.takeTurn(db(), one, turn(), [])).toBeNull();
      expect(await nextAgent()).toBe('bình');
    });

    it('lose nothing where several change one at once', async () => {
      const waiting = await add(draftOf(ticket, { assignment: nobody }));
      await Promise.all([
        decisions.update(dbOf(1), waiting, { reason: 'as it stands' }),
        decisions.takeTurn(dbOf(0), waiting, turn(), []),
        decisions.update(dbOf(1), waiting, { state: 'applied' }),
      ]);
      const seen = await latest(ticket);
      expect(seen).toMatchObject({ outcome: { reason: 'as it stands' }, assignment: { agent: 'an' } });
    });

    it('that wait for an agent are listed oldest first, of a team or of all, until they have one or a newer one', async () => {
      const { outcome } = draftOf('');
      const waitIn = (named: string | null) =>
        add(draftOf(randomUUID(), { outcome: { ...outcome, team: named }, assignment: nobody }));
      const other = `A "x" ${randomUUID()}`;
      team = `B'é ${team}`;
      const made: RoutingDecision[] = [];
      for (const named of [team, team, other, team, team, team, null]) made.push(await waitIn(named));
      const [first, taken, elsewhere, superseded, withdrawn, last, inNone] = made.map(({ id }) => id);
      const at = (id = '') => ({ id, ticket: made.find((one) => one.id === id)?.ticket ?? '' });
      const inTeam = async (named: string, afterId: string | null = null, limit = 9) =>
        (await decisions.waitingIn(db(), named, { afterId, limit })).map(({ id }) => id);
      const inAll = async () => (await decisions.longestWaiting(db(), 1_000)).map(({ id }) => id);
      const teams = async () => (await decisions.waitingTeams(db())).filter((one) => [team, other].includes(one));
      expect(await inTeam(team)).toEqual([first, taken, superseded, withdrawn, last]);
      expect(await inTeam(team, taken ?? null, 2)).toEqual([superseded, withdrawn]);
      expect(await decisions.waitingIn(db(), other, { afterId: null, limit: 9 })).toEqual([
        { id: elsewhere, name: made[2]?.ticket, creation },
      ]);
      expect((await inAll()).slice(-7)).toEqual(made.map(({ id }) => id));
      expect(await decisions.longestWaiting(db(), 1)).toHaveLength(1);
      expect(await teams()).toEqual([other, team]);
      await decisions.takeTurn(db(), at(taken), turn(), []);
      await add(draftOf(made[3]?.ticket ?? ''), 1);
      await decisions.update(db(), at(superseded), { reason: 'changed' });
      await decisions.update(db(), at(withdrawn), { assignment: { state: 'already_assigned' } });
      await decisions.update(db(), at(first), { state: 'applied' });
      expect(await inTeam(team)).toEqual([first, last]);
      for (const id of [first, last, elsewhere, inNone])
        await decisions.update(db(), at(id), { assignment: { state: 'none' } });
      expect(await teams()).toEqual([]);
      expect(await inAll()).not.toContain(inNone);
    });
  });
}

/** Tests of the pipeline's watch for any store; others may have left something in it. */
export function describeBacklog(dbOf: () => StateDb): void {
  it('the backlog counts what is not routed yet, tried before or not, and who waits for an agent, and the first of each', async () => {
    const db = dbOf();
    await db.updateTable('tickets').set({ due_at: null }).where('due_at', 'is not', null).execute();
    const { unrouted, waiting: before } = await backlog(db);
    expect(unrouted).toEqual({ tickets: 0, since: null, creation: null });
    const names = [1, 2, 3].map(() => randomUUID());
    const [tried = '', fresh = '', decided = ''] = names;
    for (const [index, name] of names.entries())
      await tickets.enqueue(db, [{ name, creation }], { dueAt: 10 + index, now: 3 + index });
    const [work] = await tickets.take(db, 'watch', { limit: 1, now: 10, leaseMs: 1_000 });
    expect(work?.name).toBe(tried);
    if (work) await tickets.postpone(db, work, 'watch', 9_000);
    const draft = draftOf(decided, { assignment: nobody });
    const decision = await addTo(db, draft, 0, null);
    // It waits for a repair, and has its team.
    await decisions.update(db, decision, { state: 'applied' });
    expect(await backlog(db)).toEqual({
      unrouted: { tickets: 2, since: 3, creation },
      waiting: {
        tickets: before.tickets + 1,
        since: before.since ?? Date.parse(draft.decided_at),
        creation: before.creation ?? creation,
      },
    });
    const planned = await addTo(db, draftOf(fresh), 0, null);
    expect((await backlog(db)).unrouted.tickets).toBe(2);
    await decisions.update(db, planned, { state: 'applied', assignment: { state: 'assigned' } });
    expect((await backlog(db)).unrouted.tickets).toBe(1);
    for (const one of await tickets.take(db, 'watch', { limit: 3, now: 9_000, leaseMs: 1_000 }))
      await tickets.finish(db, one, 'watch');
    await decisions.update(db, decision, { assignment: { state: 'none' } });
    expect(await backlog(db)).toEqual({ unrouted, waiting: before });
  });
}
