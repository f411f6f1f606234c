import type { OrgId } from '@deskside/shared/orgid';
import { type Assignment, RoutingDecision } from '@deskside/shared/routing';
import { changeDecision, type DecisionChange, withAgentInTurn } from '#routing/change-decision.ts';
import { isOpenClaim } from '#routing/claims.ts';
import { nextInTurn } from '#routing/round-robin.ts';
import { chunksOf } from './chunks.ts';
import { isBare, noteInUse } from './records.ts';
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

// What the records say of one ticket: its decisions.

/** The latest decision on a ticket. */
export async function latest(db: StateDb, ticket: string): Promise<RoutingDecision | null> {
  const row = await ofTicket(db, ticket).limit(1).executeTakeFirst();
  return row ? decisionOf(row) : null;
}

/** All decisions on a ticket, newest first. */
export async function list(db: StateDb, ticket: string): Promise<RoutingDecision[]> {
  return (await ofTicket(db, ticket).execute()).map(decisionOf);
}

function ofTicket(db: StateDb, ticket: string) {
  return db
    .selectFrom('routing_decision')
    .select(['id', 'decision'])
    .where('ticket', '=', ticket)
    .orderBy('number', 'desc');
}

// The decisions of many tickets.

/** What is read at once outlives collections of new objects: pages of 200 were half of what a replay held. */
const pageSize = 50;

/** Which of these tickets have a decision, or had one that has been deleted since (docs/decisions.md 27). */
export async function decided(db: StateDb, tickets: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const chunk of chunksOf(tickets)) {
    const rows = await db
      .selectFrom('routing_decision')
      .select('ticket')
      .where('ticket', 'in', chunk)
      .where('number', '=', 1)
      .unionAll(db.selectFrom('ticket_insert').select('ticket').where('ticket', 'in', chunk).where(isBare))
      .execute();
    for (const { ticket } of rows) found.add(ticket);
  }
  return found;
}

/** The teams of latest decisions whose assignment is `nobody_available`. One step in the index for each, however many wait. */
export async function waitingTeams(db: StateDb): Promise<string[]> {
  const teams: string[] = [];
  for (;;) {
    const next = await db
      .selectFrom('routing_decision')
      .select('waiting_team')
      .where(({ eb }) => eb('waiting', '=', eb.lit(1)))
      .where('waiting_team', '>', teams.at(-1) ?? '')
      .orderBy('waiting_team')
      .limit(1)
      .executeTakeFirst();
    if (!next?.waiting_team) return teams;
    teams.push(next.waiting_team);
  }
}

/** A ticket that waits for an agent. `id`: of its decision. */
export type WaitingTicket = Pick<RoutingDecision, 'id' | 'ticket'>;

/** Such decisions of one team, oldest first: those after the given id, if any. */
export async function waitingIn(
  db: StateDb,
  team: string,
  { afterId, limit }: { afterId: string | null; limit: number },
): Promise<WaitingTicket[]> {
  const rows = await db
    .selectFrom('routing_decision')
    .select(['id', 'ticket'])
    .where(({ eb }) => eb('waiting', '=', eb.lit(1)))
    .where('waiting_team', '=', team)
    .where('id', '>', afterId === null ? 0 : numberOf(afterId))
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, ticket }) => ({ id: String(id), ticket }));
}

/** Tickets whose latest decision is an open claim of one of these org ids (`isOpenClaim`). */
export async function openClaimsOf(db: StateDb, orgIds: readonly OrgId[]): Promise<string[]> {
  const tickets: string[] = [];
  for (const chunk of chunksOf(orgIds)) {
    const rows = await db
      .selectFrom('routing_decision')
      .select('ticket')
      // That there is an open claim at all lets SQLite use the partial index.
      .where('open_claim', 'is not', null)
      .where('open_claim', 'in', chunk)
      .execute();
    for (const { ticket } of rows) tickets.push(ticket);
  }
  return tickets;
}

/** The latest decision of every ticket, oldest first, however many there are: those after the given id, if any. */
export async function* latestOfAll(db: StateDb, afterId: string | null): AsyncIterable<RoutingDecision> {
  for (let after = afterId === null ? 0 : numberOf(afterId); ; ) {
    const rows = await db
      .selectFrom('routing_decision')
      .select(['id', 'decision'])
      .where('id', '>', after)
      .where('latest', '=', 1)
      .orderBy('id')
      .limit(pageSize)
      .execute();
    // Each is parsed only when it is wanted, so that no page of them is held.
    for (const row of rows) yield decisionOf(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = last.id;
  }
}

/** The last decision made before the moment (epoch milliseconds), if all were recorded in the order of their dates; null if none was. */
export async function lastBefore(db: StateDb, moment: number): Promise<string | null> {
  const upTo = (id: number) =>
    db
      .selectFrom('routing_decision')
      .select(['id', 'decision'])
      .where('id', '<=', id)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
  // Halves the range of ids that may hold it: some twenty reads for a million decisions.
  let [before, from] = [0, (await upTo(Number.MAX_SAFE_INTEGER))?.id ?? 0];
  while (before < from) {
    const middle = Math.ceil((before + from) / 2);
    const row = await upTo(middle);
    if (row === undefined || Date.parse(decisionOf(row).decided_at) < moment) before = middle;
    else from = Math.min(middle, row.id) - 1;
  }
  const found = await upTo(before);
  return found === undefined ? null : String(found.id);
}

/** How many tickets have a decision, which is how many `latestOfAll` gives: each has exactly one with number 1. */
export async function count(db: StateDb): Promise<number> {
  const { tickets } = await db
    .selectFrom('routing_decision')
    .select(({ fn }) => fn.countAll<number>().as('tickets'))
    .where('number', '=', 1)
    .executeTakeFirstOrThrow();
  return tickets;
}

// What is decided before a ticket has its name.

/** A decision recorded before its ticket has a name, under the ticket's uuid (docs/decisions.md 24). */
export interface PreliminaryDecision {
  key: string;
  team: string;
  reason: string;
  at: number;
}

/** Records a preliminary decision; the first one under a key stays. */
export async function keepPreliminary(db: StateDb, { key, team, reason, at }: PreliminaryDecision): Promise<void> {
  await db
    .insertInto('preliminary_decision')
    .values({ key, team, reason, at })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
}

export async function preliminary(db: StateDb, key: string): Promise<PreliminaryDecision | null> {
  const row = await db.selectFrom('preliminary_decision').selectAll().where('key', '=', key).executeTakeFirst();
  return row ?? null;
}

/** Deletes those from before the moment (epoch milliseconds), at most `limit`; returns how many. */
export async function deletePreliminaryBefore(db: StateDb, moment: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('preliminary_decision')
    .where('key', 'in', ({ selectFrom }) =>
      selectFrom('preliminary_decision as old').select('old.key').where('old.at', '<', moment).limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** What a row says. Throws if it is not a valid decision: it is our own record, and nothing else says what was decided. */
export function decisionOf({ id, decision }: { id: number; decision: string }): RoutingDecision {
  return RoutingDecision.parse({ ...JSON.parse(decision), id: String(id) });
}

/** The row of a decision. Throws if there is none with such an id. */
function numberOf(id: string): number {
  if (!/^\d{1,15}$/.test(id)) throw new Error(`There is no decision ${id}`);
  return Number(id);
}
