import type { Assignment, RoutingDecision } from '@deskside/shared/routing';
import type { Insertable } from 'kysely';
import { changeDecision, withAgentInTurn } from '#domain/routing/change-decision.ts';
import { isOpenClaim } from '#domain/routing/claims.ts';
import { nextInTurn } from '#domain/routing/round-robin.ts';
import type { RecordedDecisions, Turn } from '#ports/routing/decisions.ts';
import type { StateDb, StateSchema } from '#store/schema.ts';
import { noteTickets } from '#store/tickets/records.ts';
import { decisionOf } from './ticket-history.ts';

/**
 * Records decisions and the teams' cursors on any database that Kysely supports. Every transaction locks the team's cursor
 * first, then the ticket's memory, then the decision, so that two of them never deadlock.
 */
export function createRecordedDecisions(db: StateDb): RecordedDecisions {
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
  };
}

/** The agent whose turn it is; nobody else can take that turn before the transaction ends. */
async function whoseTurn(trx: StateDb, { team, members, eligible }: Turn): Promise<string> {
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

/** The row of a decision. Throws if there is none with such an id. */
export function numberOf(id: string): number {
  if (!/^\d{1,15}$/.test(id)) throw new Error(`There is no decision ${id}`);
  return Number(id);
}

/**
 * Returns who got the team's last ticket. Locks the row until the transaction ends, so that turns are taken one by one.
 */
function lockCursor(db: StateDb, team: string) {
  return db
    .insertInto('team_cursor')
    .values({ team, last_agent: null })
    .onConflict((conflict) => conflict.column('team').doUpdateSet(({ ref }) => ({ team: ref('excluded.team') })))
    .returning('last_agent');
}

/** The same, without a lock. */
function selectCursor(db: StateDb, team: string) {
  return db.selectFrom('team_cursor').select('last_agent').where('team', '=', team);
}

function moveCursor(db: StateDb, team: string, agent: string) {
  return db.updateTable('team_cursor').set({ last_agent: agent }).where('team', '=', team);
}

/** Makes way for the ticket's next decision; returns no row unless this is its latest. */
function supersede(db: StateDb, ticket: string, number: number) {
  return db
    .updateTable('routing_decision')
    .set({ latest: 0, waiting: 0, waiting_team: null, open_claim: null })
    .where('ticket', '=', ticket)
    .where('number', '=', number)
    .where('latest', '=', 1)
    .returning('id');
}

/** Inserts a decision; returns no row if the ticket already has one with that number. */
function insertDecision(db: StateDb, row: Insertable<StateSchema['routing_decision']>) {
  return db
    .insertInto('routing_decision')
    .values(row)
    .onConflict((conflict) => conflict.columns(['ticket', 'number']).doNothing())
    .returning('id');
}

/** Reads a decision in order to change it: an update without effect, which locks the row until the transaction ends. */
function lockDecision(db: StateDb, id: number) {
  return db
    .updateTable('routing_decision')
    .set(({ ref }) => ({ latest: ref('latest') }))
    .where('id', '=', id)
    .returning(['id', 'latest', 'waiting', 'decision']);
}

function writeDecision(
  db: StateDb,
  id: number,
  row: Pick<StateSchema['routing_decision'], 'waiting' | 'waiting_team' | 'open_claim' | 'decision'>,
) {
  return db.updateTable('routing_decision').set(row).where('id', '=', id);
}
