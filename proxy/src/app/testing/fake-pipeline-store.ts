import type { Assignment, RoutingDecision } from '@deskside/shared/routing';
import { changeDecision, withAgentInTurn } from '#domain/routing/change-decision.ts';
import { isOpenClaim } from '#domain/routing/open-claim.ts';
import { nextInTurn } from '#domain/routing/round-robin.ts';
import type { InsertedTicket } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Inbox, SweepMark, TicketWork } from '#ports/intake/inbox.ts';
import type { BackfillNote, MatchingNote, Restore, Upkeep } from '#ports/operator/upkeep.ts';
import type { Decisions, FirstState, PreliminaryDecision, Turn } from '#ports/routing/decisions.ts';
import { longestLeaseMs } from '#ports/runtime/lease.ts';

/** Fakes of the pipeline's ports, in memory. They follow the same contract as the database store. */

interface WorkRow {
  ticket: string;
  cause: TicketWork['cause'];
  since: number;
  dueAt: number | null;
  attempts: number;
  revision: number;
  claim: { owner: string; until: number } | null;
}

export function fakeInbox(): Inbox & { work: Map<string, WorkRow>; events: Map<string, { at: number }> } {
  const work = new Map<string, WorkRow>();
  const events = new Map<string, { at: number }>();
  const put = (ticket: string, cause: TicketWork['cause'], dueAt: number, now: number) => {
    const row = work.get(ticket);
    const fresh = { ticket, cause, since: now, dueAt, attempts: 0, claim: null };
    if (row === undefined || row.dueAt === null) work.set(ticket, { ...fresh, revision: (row?.revision ?? 0) + 1 });
    else work.set(ticket, { ...row, dueAt: Math.min(row.dueAt, dueAt), revision: row.revision + 1 });
  };
  const held = (ticket: string, owner: string) => {
    const row = work.get(ticket);
    return row?.claim?.owner === owner ? row : null;
  };
  return {
    work,
    events,
    async accept({ digest, ticket, at }) {
      if (events.has(digest)) return 'known';
      events.set(digest, { at });
      put(ticket, 'webhook', at, at);
      return 'accepted';
    },
    async enqueue(tickets, dueAt, now) {
      for (const ticket of new Set(tickets)) put(ticket, 'sweep', dueAt, now);
    },
    async claim(owner, { limit, now, leaseMs }) {
      const free = ({ claim }: WorkRow) => !claim || claim.until <= now || claim.until > now + longestLeaseMs;
      const due = [...work.values()]
        .flatMap((row) => (row.dueAt !== null && row.dueAt <= now && free(row) ? [{ ...row, dueAt: row.dueAt }] : []))
        .sort((a, b) => a.dueAt - b.dueAt || a.since - b.since)
        .slice(0, limit);
      const until = now + Math.min(leaseMs, longestLeaseMs);
      for (const row of due) work.set(row.ticket, { ...row, claim: { owner, until } });
      return due.map(({ ticket, cause, since, attempts, revision }) => ({ ticket, cause, since, attempts, revision }));
    },
    async waitingAmong(tickets) {
      return new Set(tickets.filter((ticket) => (work.get(ticket)?.dueAt ?? null) !== null));
    },
    async finish({ ticket, revision }, owner) {
      const row = held(ticket, owner);
      if (row) work.set(ticket, { ...row, claim: null, dueAt: row.revision === revision ? null : row.dueAt });
    },
    async finishAll(works, owner) {
      for (const work of works) await this.finish(work, owner);
    },
    async giveBack(works, owner) {
      for (const { ticket } of works) {
        const row = held(ticket, owner);
        if (row) work.set(ticket, { ...row, claim: null });
      }
    },
    async postpone({ ticket, revision }, owner, dueAt) {
      const row = held(ticket, owner);
      if (!row) return;
      const due = row.revision === revision ? dueAt : row.dueAt;
      work.set(ticket, { ...row, claim: null, dueAt: due, attempts: row.attempts + 1 });
    },
    async waiting() {
      return [...work.values()].filter(({ dueAt }) => dueAt !== null).length;
    },
    async deleteEventsBefore(moment, limit) {
      const old = [...events].filter(([, { at }]) => at < moment).slice(0, limit);
      for (const [digest] of old) events.delete(digest);
      return old.length;
    },
    async deleteFinishedBefore(moment, limit) {
      const old = [...work.values()].filter(({ dueAt, since }) => dueAt === null && since < moment).slice(0, limit);
      for (const { ticket } of old) work.delete(ticket);
      return old.length;
    },
  };
}

export function fakeSweepMark(): SweepMark {
  let kept: { from: string; until: string } | null = null;
  return {
    async read() {
      return kept && { ...kept };
    },
    async write({ from, until }) {
      kept = { from: kept?.from ?? from, until };
    },
  };
}

/** `restore`, `backfill`, `matching`: what it remembers of the last one. */
export function fakeUpkeep(): Upkeep & {
  restore: Restore | null;
  backfill: BackfillNote | null;
  matching: MatchingNote | null;
} {
  const self = {
    restore: null as Restore | null,
    backfill: null as BackfillNote | null,
    matching: null as MatchingNote | null,
    lastBackup: async () => null,
    noteBackup: async () => {},
    lastRestore: async () => self.restore && { ...self.restore },
    lastBackfill: async () => structuredClone(self.backfill),
    async noteBackfill(note: BackfillNote) {
      self.backfill = structuredClone(note);
    },
    lastSignUp: async () => null,
    noteSignUp: async () => {},
    lastMatching: async () => structuredClone(self.matching),
    async noteMatching(note: MatchingNote) {
      self.matching = structuredClone(note);
    },
    async noteRestore(restore: Restore) {
      self.restore = { ...restore };
    },
  };
  return self;
}

/**
 * `all`: every decision in the order in which it was made. `cursors`: who got the last ticket of each team.
 * `tombstones`: the creation of each ticket whose decisions have been deleted. `events`: what webhooks said of the insert.
 */
export function fakeDecisions(): Decisions & {
  all: RoutingDecision[];
  events: Map<string, InsertedTicket[]>;
  cursors: Map<string, string>;
  tombstones: Map<string, string>;
} {
  const all: RoutingDecision[] = [];
  const cursors = new Map<string, string>();
  const tombstones = new Map<string, string>();
  const preliminary = new Map<string, PreliminaryDecision>();
  const sights = new Map<string, FirstState>();
  const events = new Map<string, InsertedTicket[]>();
  const of = (ticket: string) => all.filter((decision) => decision.ticket === ticket).toReversed();
  const latest = () => all.filter((decision) => of(decision.ticket)[0] === decision);
  const waits = ({ assignment }: RoutingDecision) => assignment.state === 'nobody_available';
  const take = ({ team, members, eligible }: Turn) => {
    const agent = nextInTurn(members, eligible, cursors.get(team) ?? null);
    if (agent === null) throw new Error(`Nobody of ${team} may get a ticket`);
    cursors.set(team, agent);
    return agent;
  };
  const indexOf = (id: string) => all.findIndex((decision) => decision.id === id);
  const replace = (decision: RoutingDecision) => {
    all[indexOf(decision.id)] = structuredClone(decision);
    return structuredClone(decision);
  };

  return {
    all,
    events,
    cursors,
    tombstones,
    async add(draft, after, turn) {
      if ((of(draft.ticket)[0]?.number ?? 0) !== after) return null;
      const assignment: Assignment = turn
        ? withAgentInTurn(draft.assignment, take(turn))
        : { agent: null, ...draft.assignment };
      const decision = { ...draft, assignment, id: String(all.length + 1), number: after + 1 };
      all.push(structuredClone(decision));
      return structuredClone(decision);
    },
    async takeTurn(id, turn, candidates) {
      const decision = latest().find((one) => one.id === id);
      if (!decision || !waits(decision)) return null;
      const assignment = withAgentInTurn({ state: 'planned', candidates }, take(turn));
      return replace({ ...decision, state: 'planned', assignment });
    },
    async setLastAgent(team, agent) {
      cursors.set(team, agent);
    },
    async update(id, change) {
      const decision = all[indexOf(id)];
      if (!decision) throw new Error(`There is no decision ${id}`);
      replace(changeDecision(decision, change));
    },
    async latest(ticket) {
      return structuredClone(of(ticket)[0] ?? null);
    },
    async list(ticket) {
      return structuredClone(of(ticket));
    },
    async decided(tickets) {
      return new Set(tickets.filter((ticket) => of(ticket).length > 0 || tombstones.has(ticket)));
    },
    async isForgotten(ticket, creation) {
      return tombstones.get(ticket) === creation;
    },
    async waitingForAgent(limit) {
      return structuredClone(latest().filter(waits).slice(0, limit));
    },
    async waitingTeams() {
      const teams = latest().flatMap((decision) => (waits(decision) ? (decision.outcome.team ?? []) : []));
      return [...new Set(teams)].sort();
    },
    async waitingIn(team, { afterId, limit }) {
      return latest()
        .filter((one) => waits(one) && one.outcome.team === team && Number(one.id) > Number(afterId ?? 0))
        .slice(0, limit)
        .map(({ id, ticket }) => ({ id, ticket }));
    },
    async inserted(ticket, creation) {
      return structuredClone(events.get(ticket)?.find((inserted) => inserted.creation === creation) ?? null);
    },
    async insertedFor(ticket) {
      const sight = [...sights.values()].findLast((known) => known.ticket === ticket);
      if (sight) return sight.sender ?? null;
      const last = events.get(ticket)?.at(-1);
      return last ? { raisedBy: last.raisedBy, isCopied: false } : null;
    },
    async keepFirstState(firstState) {
      const key = JSON.stringify([firstState.ticket, firstState.creation]);
      if (!sights.has(key)) sights.set(key, structuredClone(firstState));
    },
    async firstState(ticket, creation) {
      return structuredClone(sights.get(JSON.stringify([ticket, creation])) ?? null);
    },
    async *latestOfAll(afterId) {
      const after = Number(afterId ?? 0);
      yield* structuredClone(latest().filter(({ id }) => Number(id) > after));
    },
    async openClaimsOf(orgIds) {
      return latest()
        .filter((decision) => isOpenClaim(decision) && orgIds.some((orgId) => orgId === decision.inputs.org_id?.value))
        .map(({ ticket }) => ticket);
    },
    async lastBefore(moment) {
      return all.findLast(({ decided_at }) => Date.parse(decided_at) < moment)?.id ?? null;
    },
    async count() {
      return latest().length;
    },
    async keepPreliminary(decision) {
      if (!preliminary.has(decision.key)) preliminary.set(decision.key, { ...decision });
    },
    async preliminary(key) {
      const kept = preliminary.get(key);
      return kept ? { ...kept } : null;
    },
    async deletePreliminaryBefore(moment, limit) {
      const old = [...preliminary.values()].filter(({ at }) => at < moment).slice(0, limit);
      for (const { key } of old) preliminary.delete(key);
      return old.length;
    },
  };
}

/** All three, as in the store. */
export function fakePipelineStore() {
  return { inbox: fakeInbox(), sweepMark: fakeSweepMark(), decisions: fakeDecisions() };
}
