import { randomUUID } from 'node:crypto';
import { OrgId } from '@deskside/shared/orgid';
import { beforeEach, describe, expect, it } from 'vitest';
import { turnIn } from '#routing/round-robin.ts';
import type { DecisionDraft, Turn } from './decisions.ts';
import * as decisions from './decisions.ts';
import type { StateDb } from './schema.ts';
import { draftOf } from './testing/decision-draft.ts';
import { addTo, allDecisions } from './testing/decisions.ts';
import { describeTurns } from './turns.contract.ts';

const { ticket_creation: creation } = draftOf('').inputs;

/** Tests of the decisions' contract for any store. `which`: 0 or 1, two connections to the same store. */
export function describeDecisions(dbOf: (which: number) => StateDb): void {
  const db = () => dbOf(0);
  let ticket: string;
  beforeEach(() => {
    ticket = randomUUID();
  });
  const add = (draft: DecisionDraft, after: number, turn: Turn | null) => addTo(db(), draft, after, turn);
  const keyOf = (name: string) => ({ name, creation });
  const latest = (name: string) => decisions.latest(db(), keyOf(name));
  const list = (name: string) => decisions.list(db(), keyOf(name));
  const walk = (afterId?: string) => allDecisions(db(), afterId);

  describe('the decisions', () => {
    it('are given back as they were kept, numbered for each ticket', async () => {
      const draft = draftOf(ticket, { link: { customer: 'Cửa hàng', previous: null, done: true } });
      const first = await add(draft, 0, null);
      expect(first).toEqual({ ...draft, id: first.id, number: 1, assignment: { ...draft.assignment, agent: null } });
      const second = await add(draftOf(ticket, { cause: 'repair' }), 1, null);
      expect(second).toMatchObject({ number: 2, cause: 'repair' });
      expect(await latest(ticket)).toEqual(second);
      expect(await list(ticket)).toEqual([second, first]);
      expect(await latest(randomUUID())).toBeNull();
      expect(await list(randomUUID())).toEqual([]);
    });

    it('change where they are told to and nowhere else', async () => {
      const before = await add(draftOf(ticket), 0, turnIn(randomUUID(), ['an']));
      await decisions.update(db(), before.id, {});
      await decisions.update(db(), before.id, { state: undefined, assignment: { agent: undefined }, link: undefined });
      expect(await latest(ticket)).toEqual(before);
      await decisions.update(db(), before.id, { state: 'applied', assignment: { state: 'assigned' } });
      const link = { customer: 'c', previous: 'p', done: false };
      await decisions.update(db(), before.id, { reason: 'as it stands', link });
      const after = {
        ...before,
        state: 'applied',
        assignment: { ...before.assignment, state: 'assigned' },
        link,
        outcome: { ...before.outcome, reason: 'as it stands' },
      };
      expect(await latest(ticket)).toEqual(after);
      await decisions.update(db(), before.id, { assignment: { agent: null }, link: null });
      expect(await latest(ticket)).toMatchObject({ assignment: { agent: null }, link: null });
      await expect(decisions.update(db(), '999999999', { state: 'applied' })).rejects.toThrow('There is no decision');
    });

    it('of a deleted ticket are none of another of its name', async () => {
      const later = { inputs: { ...draftOf('').inputs, ticket_creation: '2026-05-09 07:00:00.000000' } };
      const first = await add(draftOf(ticket), 0, null);
      const second = await add(draftOf(ticket, later), 0, null);
      expect(second.number).toBe(1);
      expect(await list(ticket)).toEqual([first]);
      expect(await decisions.latestNamed(db(), ticket)).toEqual(second);
    });

    it('are given newest first, whatever has become of them, a page at a time', async () => {
      const first = await add(draftOf(ticket), 0, null);
      const second = await add(draftOf(ticket, { cause: 'repair' }), 1, null);
      const other = await add(draftOf(randomUUID()), 0, null);
      expect(await decisions.latestFirst(db(), { beforeId: null, limit: 2 })).toEqual([other, second]);
      expect(await decisions.latestFirst(db(), { beforeId: second.id, limit: 1 })).toEqual([first]);
      expect(await decisions.latestFirst(db(), { beforeId: '1', limit: 1 })).toEqual([]);
    });

    it('that wait for an agent are given oldest first, whichever team they wait in', async () => {
      const assignment = { state: 'nobody_available' as const, candidates: [] };
      const draft = draftOf(ticket, { assignment });
      const one = await add({ ...draft, outcome: { ...draft.outcome, team: 'z' } }, 0, null);
      const two = await add({ ...draft, ticket: randomUUID(), outcome: { ...draft.outcome, team: 'a' } }, 0, null);
      const waiting = async () => (await decisions.longestWaiting(db(), 1_000)).map(({ id }) => id);
      expect((await waiting()).slice(-2)).toEqual([one.id, two.id]);
      expect(await decisions.longestWaiting(db(), 1)).toHaveLength(1);
      for (const { id } of [one, two]) await decisions.update(db(), id, { assignment: { state: 'none' } });
      expect(await waiting()).not.toContain(one.id);
    });

    it('are walked, however many, the latest of every ticket once, oldest first', async () => {
      const tickets: string[] = Array.from({ length: 123 }, () => randomUUID());
      for (const one of tickets) await add(draftOf(one), 0, null);
      const redone = tickets.filter((_, i) => i % 4 === 0);
      for (const one of redone) await add(draftOf(one), 1, null);
      const order = [...tickets.filter((one) => !redone.includes(one)), ...redone];
      const seen = await walk();
      expect(seen).toHaveLength(await decisions.count(db()));
      const keys = seen.map((decision) => `${decision.ticket} ${decision.inputs.ticket_creation}`);
      expect(new Set(keys).size).toBe(seen.length);
      const ours = seen.filter((decision) => tickets.includes(decision.ticket));
      expect(ours.map((decision) => decision.ticket)).toEqual(order);
      expect(ours.map(({ number }) => number)).toEqual(order.map((one) => (redone.includes(one) ? 2 : 1)));
      const half = ours.slice(60);
      expect((await walk(ours[59]?.id)).slice(0, half.length)).toEqual(half);
    });

    it('are found by date, across gaps', async () => {
      const day = (n: number) => Date.UTC(2030, 0, n);
      const made: string[] = [];
      for (const n of [1, 2, 2, 4, 5])
        made.push((await add(draftOf(randomUUID(), { decided_at: new Date(day(n)).toISOString() }), 0, null)).id);
      const [first, , second, fourth, last] = made;
      expect(await decisions.lastBefore(db(), day(0))).not.toBe(first);
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
        await decisions.update(db(), kept?.id ?? '', { state: 'applied' });
      }
      await add(draftOf(randomUUID(), claimed), 0, null);
      const strangers = Array.from({ length: 200 }, (_, n) => OrgId.parse(String(300_000_000 + n)));
      const found = await decisions.openClaimsOf(db(), [another, ...strangers, orgId]);
      expect(found.map(({ name }) => name).toSorted()).toEqual([ticket, other].toSorted());
      await add(draftOf(other), 1, null);
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

  describeTurns(dbOf);
}
