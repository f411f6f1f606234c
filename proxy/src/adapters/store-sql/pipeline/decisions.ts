import { OrgId } from '@deskside/shared/orgid';
import { type Assignment, RoutingDecision } from '@deskside/shared/routing';
import type { Kysely } from 'kysely';
import * as z from 'zod';
import { chunksOf } from '#adapters/store-sql/engine/chunks.ts';
import { changeDecision, withAgentInTurn } from '#domain/routing/change-decision.ts';
import { isOpenClaim } from '#domain/routing/claims.ts';
import { nextInTurn } from '#domain/routing/round-robin.ts';
import type { InsertedTicket } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Decisions, Turn } from '#ports/routing/decisions.ts';
import {
  countDecided,
  deletePreliminary,
  insertDecision,
  insertPreliminary,
  insertSight,
  lockCursor,
  lockDecision,
  moveCursor,
  selectCursor,
  selectDecided,
  selectInserted,
  selectLastSight,
  selectNewest,
  selectOfTicket,
  selectOpenClaims,
  selectPage,
  selectPreliminary,
  selectSight,
  selectUpTo,
  selectWaiting,
  selectWaitingIn,
  selectWaitingTeam,
  supersede,
  writeDecision,
} from './decision-statements.ts';
import { noteTickets, selectTombstone } from './memory-statements.ts';
import type { PipelineSchema } from './pipeline-schema.ts';

const Inserted = z.object({
  creation: z.string(),
  owner: z.string(),
  raisedBy: z.string().nullable(),
  agentGroup: z.string().nullable(),
  splitFrom: z.string().nullable(),
  orgIdFields: z.array(z.object({ field: z.string(), value: z.string().nullable() })),
});

const Sight = z.object({
  entered: z.object({ agent: z.string(), orgId: OrgId }).nullable(),
  groupSetBy: z.enum(['person', 'sender', 'deskside']).nullable(),
  customer: z.string().nullable(),
  sender: z.object({ raisedBy: z.string().nullable(), isCopied: z.boolean() }).optional(),
  filled: z.partialRecord(z.enum(['segment', 'shopplan', 'servicePlan', 'responsible']), z.string()).optional(),
});

/** What is read at once outlives collections of new objects: pages of 200 were half of what a replay held. */
const pageSize = 50;

/**
 * Decisions and the teams' cursors on any database that Kysely supports. Every transaction locks the team's cursor
 * first, then the ticket's memory, then the decision, so that two of them never deadlock.
 */
export function createDecisions(db: Kysely<PipelineSchema>): Decisions {
  return {
    add({ ticket, assignment: drafted, ...draft }, after, turn) {
      return db.transaction().execute(async (trx) => {
        const agent = turn && (await whoseTurn(trx, turn));
        await noteTickets(trx, [{ ticket, active_at: Date.parse(draft.decided_at), gone: 0 }]).execute();
        // If the caller knows an earlier assignment, it stays.
        const assignment = agent === null ? { agent: null, ...drafted } : withAgentInTurn(drafted, agent);
        if (after > 0 && !(await supersede(trx, ticket, after).executeTakeFirst())) return null;
        const decision = { ...draft, ticket, number: after + 1, assignment };
        const row = { ticket, number: decision.number, latest: 1, ...contentOf(decision, 1) };
        const kept = await insertDecision(trx, row).executeTakeFirst();
        if (!kept) return null;
        if (turn && agent !== null) await moveCursor(trx, turn.team, agent).execute();
        return decisionOf({ id: kept.id, decision: row.decision });
      });
    },

    takeTurn(id, turn, candidates) {
      return db.transaction().execute(async (trx) => {
        const agent = await whoseTurn(trx, turn);
        const row = await lockDecision(trx, numberOf(id)).executeTakeFirst();
        if (row?.waiting !== 1) return null;
        const assignment: Assignment = withAgentInTurn({ state: 'planned', candidates, waited: true }, agent);
        const decision = changeDecision(decisionOf(row), { state: 'planned', assignment });
        await writeDecision(trx, row.id, contentOf(decision, row.latest)).execute();
        await moveCursor(trx, turn.team, agent).execute();
        return decision;
      });
    },

    async lastAgent(team) {
      return (await selectCursor(db, team).executeTakeFirst())?.last_agent ?? null;
    },

    setLastAgent(team, agent) {
      return db.transaction().execute(async (trx) => {
        await lockCursor(trx, team).execute();
        await moveCursor(trx, team, agent).execute();
      });
    },

    update(id, change) {
      return db.transaction().execute(async (trx) => {
        const row = await lockDecision(trx, numberOf(id)).executeTakeFirst();
        if (!row) throw new Error(`There is no decision ${id}`);
        const decision = changeDecision(decisionOf(row), change);
        await writeDecision(trx, row.id, contentOf(decision, row.latest)).execute();
      });
    },

    async latest(ticket) {
      const row = await selectOfTicket(db, ticket).limit(1).executeTakeFirst();
      return row ? decisionOf(row) : null;
    },

    async list(ticket) {
      return (await selectOfTicket(db, ticket).execute()).map(decisionOf);
    },

    async decided(tickets) {
      const decided = new Set<string>();
      for (const chunk of chunksOf(tickets))
        for (const { ticket } of await selectDecided(db, chunk).execute()) decided.add(ticket);
      return decided;
    },

    async isForgotten(ticket, creation) {
      return (await selectTombstone(db, ticket, creation).executeTakeFirst()) !== undefined;
    },

    async waitingForAgent(limit) {
      return (await selectWaiting(db, limit).execute()).map(decisionOf);
    },

    async waitingTeams() {
      const teams: string[] = [];
      for (;;) {
        const row = await selectWaitingTeam(db, teams.at(-1) ?? '').executeTakeFirst();
        if (!row?.waiting_team) return teams;
        teams.push(row.waiting_team);
      }
    },

    async waitingIn(team, { afterId, limit }) {
      const after = afterId === null ? 0 : numberOf(afterId);
      const rows = await selectWaitingIn(db, { team, after, limit }).execute();
      return rows.map(({ id, ticket }) => ({ id: String(id), ticket }));
    },

    async openClaimsOf(orgIds) {
      const tickets: string[] = [];
      for (const chunk of chunksOf(orgIds))
        for (const { ticket } of await selectOpenClaims(db, chunk).execute()) tickets.push(ticket);
      return tickets;
    },

    async *latestOfAll(afterId) {
      for (let after = afterId === null ? 0 : numberOf(afterId); ; ) {
        const rows = await selectPage(db, after, pageSize).execute();
        // Each is parsed only when it is wanted, for the same reason.
        for (const row of rows) yield decisionOf(row);
        const last = rows.at(-1);
        if (last === undefined || rows.length < pageSize) return;
        after = last.id;
      }
    },

    async *newest(limit) {
      let [before, left] = [Number.MAX_SAFE_INTEGER, limit];
      while (left > 0) {
        const rows = await selectNewest(db, before, Math.min(left, pageSize)).execute();
        for (const row of rows) yield decisionOf(row);
        const last = rows.at(-1);
        if (last === undefined) return;
        [before, left] = [last.id, left - rows.length];
      }
    },

    async lastBefore(moment) {
      // Halves the range of ids that may hold it: some twenty reads for a million decisions.
      let [before, from] = [0, (await selectUpTo(db, Number.MAX_SAFE_INTEGER).executeTakeFirst())?.id ?? 0];
      while (before < from) {
        const middle = Math.ceil((before + from) / 2);
        const row = await selectUpTo(db, middle).executeTakeFirst();
        if (row === undefined || Date.parse(decisionOf(row).decided_at) < moment) before = middle;
        else from = Math.min(middle, row.id) - 1;
      }
      const found = await selectUpTo(db, before).executeTakeFirst();
      return found === undefined ? null : String(found.id);
    },

    async count() {
      return (await countDecided(db).executeTakeFirstOrThrow()).decided;
    },

    async keepFirstState({ ticket, creation, ...firstState }, at) {
      await db.transaction().execute(async (trx) => {
        await noteTickets(trx, [{ ticket, active_at: at, gone: 0 }]).execute();
        await insertSight(trx, { ticket, creation, sight: JSON.stringify(firstState), at }).execute();
      });
    },

    async firstState(ticket, creation) {
      const row = await selectSight(db, ticket, creation).executeTakeFirst();
      return row === undefined ? null : { ticket, creation, ...Sight.parse(JSON.parse(row.sight)) };
    },

    async inserted(ticket, creation) {
      return (await insertedOf(db, ticket)).find((inserted) => inserted.creation === creation) ?? null;
    },

    async insertedFor(ticket) {
      const row = await selectLastSight(db, ticket).executeTakeFirst();
      if (row !== undefined) return Sight.parse(JSON.parse(row.sight)).sender ?? null;
      const last = (await insertedOf(db, ticket)).at(-1);
      return last === undefined ? null : { raisedBy: last.raisedBy, isCopied: false };
    },

    async keepPreliminary({ key, team, reason, at }) {
      await insertPreliminary(db, { key, team, reason, at }).execute();
    },

    async preliminary(key) {
      return (await selectPreliminary(db, key).executeTakeFirst()) ?? null;
    },

    async deletePreliminaryBefore(moment, limit) {
      const { numDeletedRows } = await deletePreliminary(db, moment, limit).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

/** The agent whose turn it is; nobody else can take that turn before the transaction ends. */
async function whoseTurn(trx: Kysely<PipelineSchema>, { team, members, eligible }: Turn): Promise<string> {
  const { last_agent } = await lockCursor(trx, team).executeTakeFirstOrThrow();
  const agent = nextInTurn(members, eligible, last_agent);
  if (agent === null) throw new Error(`Nobody of ${team} may get a ticket`);
  return agent;
}

/** A decision's columns apart from its key. A superseded one is not waiting. */
function contentOf(decision: Omit<RoutingDecision, 'id'> & { id?: string }, latest: number) {
  const { id: _, ...content } = decision;
  const isWaiting = latest === 1 && content.assignment.state === 'nobody_available';
  const open_claim = latest === 1 && isOpenClaim(content) ? (content.inputs.org_id?.value ?? null) : null;
  const waiting_team = isWaiting ? (content.outcome.team ?? '') : null;
  return { waiting: isWaiting ? 1 : 0, waiting_team, open_claim, decision: JSON.stringify(content) };
}

/** What a row says. Throws if it is not a valid decision: it is our own record, and nothing else says what was decided. */
export function decisionOf({ id, decision }: { id: number; decision: string }): RoutingDecision {
  return RoutingDecision.parse({ ...JSON.parse(decision), id: String(id) });
}

function numberOf(id: string): number {
  if (!/^\d{1,15}$/.test(id)) throw new Error(`There is no decision ${id}`);
  return Number(id);
}

/** In the order of the tickets that had the name. */
async function insertedOf(db: Kysely<PipelineSchema>, ticket: string): Promise<InsertedTicket[]> {
  const rows = await selectInserted(db, ticket).execute();
  const all = rows.map(({ inserted }) => Inserted.parse(JSON.parse(inserted ?? '')));
  return all.sort((a, b) => (a.creation < b.creation ? -1 : 1));
}
