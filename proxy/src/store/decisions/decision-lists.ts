import type { DecisionLists } from '#ports/routing/decisions.ts';
import { chunksOf } from '#store/engine/chunks.ts';
import type { StateDb } from '#store/schema.ts';
import { numberOf } from './decisions.ts';
import { decisionOf } from './ticket-history.ts';

/** What is read at once outlives collections of new objects: pages of 200 were half of what a replay held. */
const pageSize = 50;

/** The decisions of many tickets on any database that Kysely supports. */
export function createDecisionLists(db: StateDb): DecisionLists {
  return {
    async decided(tickets) {
      const decided = new Set<string>();
      for (const chunk of chunksOf(tickets))
        for (const { ticket } of await selectDecided(db, chunk).execute()) decided.add(ticket);
      return decided;
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
  };
}

/** Tickets with a decision, and those whose decisions have been deleted. */
function selectDecided(db: StateDb, tickets: readonly string[]) {
  return db
    .selectFrom('routing_decision')
    .select('ticket')
    .where('ticket', 'in', tickets)
    .where('number', '=', 1)
    .unionAll(db.selectFrom('ticket_tombstone').select('ticket').where('ticket', 'in', tickets));
}

/** The literal lets SQLite see that it can use the partial index. */
function selectWaiting(db: StateDb, limit: number) {
  return db
    .selectFrom('routing_decision')
    .select(['id', 'decision'])
    .where(({ eb }) => eb('waiting', '=', eb.lit(1)))
    .orderBy('id')
    .limit(limit);
}

/** The first team after the given one for which a ticket waits: one step in the index for each, however many wait. */
function selectWaitingTeam(db: StateDb, after: string) {
  return db
    .selectFrom('routing_decision')
    .select('waiting_team')
    .where(({ eb }) => eb('waiting', '=', eb.lit(1)))
    .where('waiting_team', '>', after)
    .orderBy('waiting_team')
    .limit(1);
}

function selectWaitingIn(db: StateDb, { team, after, limit }: { team: string; after: number; limit: number }) {
  return db
    .selectFrom('routing_decision')
    .select(['id', 'ticket'])
    .where(({ eb }) => eb('waiting', '=', eb.lit(1)))
    .where('waiting_team', '=', team)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit);
}

/** The condition that there is an open claim at all lets SQLite use the partial index. */
function selectOpenClaims(db: StateDb, orgIds: readonly string[]) {
  return db
    .selectFrom('routing_decision')
    .select('ticket')
    .where('open_claim', 'is not', null)
    .where('open_claim', 'in', orgIds);
}

function selectPage(db: StateDb, after: number, limit: number) {
  return db
    .selectFrom('routing_decision')
    .select(['id', 'decision'])
    .where('id', '>', after)
    .where('latest', '=', 1)
    .orderBy('id')
    .limit(limit);
}

/** The other way round: the newest before an id come first. */
function selectNewest(db: StateDb, before: number, limit: number) {
  return db
    .selectFrom('routing_decision')
    .select(['id', 'decision'])
    .where('id', '<', before)
    .where('latest', '=', 1)
    .orderBy('id', 'desc')
    .limit(limit);
}

/** The newest decision up to an id. */
function selectUpTo(db: StateDb, id: number) {
  return db
    .selectFrom('routing_decision')
    .select(['id', 'decision'])
    .where('id', '<=', id)
    .orderBy('id', 'desc')
    .limit(1);
}

/** How many tickets have a decision: each has exactly one with number 1. */
function countDecided(db: StateDb) {
  return db
    .selectFrom('routing_decision')
    .select(({ fn }) => fn.countAll<number>().as('decided'))
    .where('number', '=', 1);
}
