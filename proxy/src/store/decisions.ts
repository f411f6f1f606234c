import type { Assignment, RoutingDecision } from '@deskside/shared/routing';
import { changeDecision, type DecisionChange, withAgentInTurn } from '#routing/change-decision.ts';
import { isOpenClaim } from '#routing/claims.ts';
import { nextInTurn } from '#routing/round-robin.ts';
import { decisionOf, numberOf } from './decision-rows.ts';
import { noteInUse } from './records.ts';
import type { StateDb } from './schema.ts';

// Decisions as they are made and changed, and whose turn it is in the teams: our own record, which everything later rests
// on (docs/decisions.md 20). A confirmed write survives `kill -9`. Records are deleted ticket by ticket only
// (`tickets/ticket-memory.ts`). Every transaction locks the team's cursor first, then the ticket's memory, then the
// decision, so that two of them never deadlock.

/**
 * A decision before it has an identity. `agent` is set if an earlier decision's assignment stays; otherwise a turn sets
 * it.
 */
export type DecisionDraft = Omit<RoutingDecision, 'id' | 'number' | 'assignment'> & {
  assignment: Omit<Assignment, 'agent'> & { agent?: Assignment['agent'] };
};

/** The turn in a team: the next eligible member after the team's last, in row order, wrapping. */
export interface Turn {
  team: string;
  /** All members in row order. */
  members: readonly string[];
  /** Those who may get a ticket now. Not empty. */
  eligible: readonly string[];
}

/**
 * Records a decision as the ticket's next one and, with a turn, takes the team's next agent for it: both or neither, so
 * that a crash neither skips nor repeats an agent. `after` is the number of the ticket's latest decision as far as the
 * caller knows (0: none). If there is a newer one by now, nothing is recorded and the result is null.
 */
export function add(
  db: StateDb,
  { ticket, assignment: drafted, ...draft }: DecisionDraft,
  after: number,
  turn: Turn | null,
): Promise<RoutingDecision | null> {
  return db.transaction().execute(async (trx) => {
    const agent = turn && (await whoseTurn(trx, turn));
    await noteInUse(trx, ticket, Date.parse(draft.decided_at));
    // If the caller knows an earlier assignment, it stays.
    const assignment = agent === null ? { agent: null, ...drafted } : withAgentInTurn(drafted, agent);
    if (after > 0 && !(await supersede(trx, ticket, after))) return null;
    const decision = { ...draft, ticket, number: after + 1, assignment };
    const row = { ticket, number: decision.number, latest: 1, ...contentOf(decision, 1) };
    const kept = await trx
      .insertInto('routing_decision')
      .values(row)
      // The ticket already has one with that number.
      .onConflict((conflict) => conflict.columns(['ticket', 'number']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!kept) return null;
    if (turn && agent !== null) await moveCursor(trx, turn.team, agent);
    return decisionOf({ id: kept.id, decision: row.decision });
  });
}

/** Makes way for the ticket's next decision; false unless this is its latest. */
async function supersede(trx: StateDb, ticket: string, number: number): Promise<boolean> {
  const superseded = await trx
    .updateTable('routing_decision')
    .set({ latest: 0, waiting: 0, waiting_team: null, open_claim: null })
    .where('ticket', '=', ticket)
    .where('number', '=', number)
    .where('latest', '=', 1)
    .returning('id')
    .executeTakeFirst();
  return superseded !== undefined;
}

/**
 * Takes the next agent for a decision that was waiting for one; decision and assignment become `planned`. Null unless its
 * assignment is still `nobody_available`: of two callers, one wins.
 */
export function takeTurn(
  db: StateDb,
  id: string,
  turn: Turn,
  candidates: Assignment['candidates'],
): Promise<RoutingDecision | null> {
  return db.transaction().execute(async (trx) => {
    const agent = await whoseTurn(trx, turn);
    const row = await lockDecision(trx, id);
    if (row?.waiting !== 1) return null;
    const assignment: Assignment = withAgentInTurn({ state: 'planned', candidates, waited: true }, agent);
    const decision = changeDecision(decisionOf(row), { state: 'planned', assignment });
    await writeDecision(trx, row, decision);
    await moveCursor(trx, turn.team, agent);
    return decision;
  });
}

export function update(db: StateDb, id: string, change: DecisionChange): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const row = await lockDecision(trx, id);
    if (!row) throw new Error(`There is no decision ${id}`);
    await writeDecision(trx, row, changeDecision(decisionOf(row), change));
  });
}

/** The agent whose turn it is; nobody else can take that turn before the transaction ends. */
async function whoseTurn(trx: StateDb, { team, members, eligible }: Turn): Promise<string> {
  const agent = nextInTurn(members, eligible, await lockCursor(trx, team));
  if (agent === null) throw new Error(`Nobody of ${team} may get a ticket`);
  return agent;
}

/** Who got the team's last ticket. Locks the row until the transaction ends, so that turns are taken one by one. */
async function lockCursor(trx: StateDb, team: string): Promise<string | null> {
  const { last_agent } = await trx
    .insertInto('team_cursor')
    .values({ team, last_agent: null })
    .onConflict((conflict) => conflict.column('team').doUpdateSet(({ ref }) => ({ team: ref('excluded.team') })))
    .returning('last_agent')
    .executeTakeFirstOrThrow();
  return last_agent;
}

async function moveCursor(trx: StateDb, team: string, agent: string): Promise<void> {
  await trx.updateTable('team_cursor').set({ last_agent: agent }).where('team', '=', team).execute();
}

/** Reads a decision in order to change it: an update without effect, which locks the row until the transaction ends. */
function lockDecision(trx: StateDb, id: string) {
  return trx
    .updateTable('routing_decision')
    .set(({ ref }) => ({ latest: ref('latest') }))
    .where('id', '=', numberOf(id))
    .returning(['id', 'latest', 'waiting', 'decision'])
    .executeTakeFirst();
}

async function writeDecision(
  trx: StateDb,
  { id, latest }: { id: number; latest: number },
  decision: RoutingDecision,
): Promise<void> {
  await trx.updateTable('routing_decision').set(contentOf(decision, latest)).where('id', '=', id).execute();
}

/** A decision's columns apart from its key. A superseded one is not waiting. */
function contentOf(decision: Omit<RoutingDecision, 'id'> & { id?: string }, latest: number) {
  const { id: _, ...content } = decision;
  const isWaiting = latest === 1 && content.assignment.state === 'nobody_available';
  const open_claim = latest === 1 && isOpenClaim(content) ? (content.inputs.org_id?.value ?? null) : null;
  const waiting_team = isWaiting ? (content.outcome.team ?? '') : null;
  return { waiting: isWaiting ? 1 : 0, waiting_team, open_claim, decision: JSON.stringify(content) };
}
