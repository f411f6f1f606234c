import type { OrgId } from '@deskside/shared/orgid';
import { type Assignment, RoutingDecision } from '@deskside/shared/routing';
import { sql } from 'kysely';
import * as z from 'zod';
import type { TicketKey } from '#helpdesk/ticket-file.ts';
import { fixedRead } from './fixed-read.ts';
import { noteInUse } from './retention.ts';
import { chunksOf, deleteSome, isTicket, type StateDb } from './schema.ts';
import { nextInTurn, type Turn } from './turn.ts';

// Decisions as they are made and changed, and whose turn it is in the teams: our own record, which everything later rests
// on (decision 20: own records). A confirmed write survives `kill -9`. Records are deleted ticket by ticket only
// (`retention.ts`). Every transaction locks the team's turn first, then the ticket, then the decision, so that two of them
// never deadlock.

/**
 * A decision before it has an identity. `agent` is set if an earlier decision's assignment stays; otherwise a turn sets it.
 */
export type DecisionDraft = Omit<RoutingDecision, 'id' | 'number' | 'assignment'> & {
  assignment: Omit<Assignment, 'agent'> & { agent?: Assignment['agent'] };
};

/** Which decision is meant. SQLite gives the last id anew once its decision is purged, so the ticket counts, too. */
type DecisionKey = Pick<RoutingDecision, 'id' | 'ticket'>;

/**
 * Records a decision as the ticket's next one and, with a turn, takes the team's next agent for it: both or neither, so
 * that a crash neither skips nor repeats an agent. `after` is the number of the ticket's latest decision as far as the
 * caller knows (0: none). If there is a newer one by now, nothing is recorded and the result is null. `openClaim`: the org
 * id, if the decision rests on a claim that may yet be confirmed.
 */
export function add(
  db: StateDb,
  { ticket, assignment: drafted, ...draft }: DecisionDraft,
  after: number,
  turn: Turn | null,
  openClaim: OrgId | null = null,
): Promise<RoutingDecision | null> {
  const key = { name: ticket, creation: draft.inputs.ticket_creation };
  const decidedAt = Date.parse(draft.decided_at);
  return db.transaction().execute(async (trx) => {
    const agent = turn && (await whoseTurn(trx, turn));
    await noteInUse(trx, key, decidedAt);
    // If the caller knows an earlier assignment, it stays.
    const assignment = agent === null ? { agent: null, ...drafted } : withAgentInTurn(drafted, agent);
    if (after > 0 && !(await supersede(trx, key, after))) return null;
    const decision = { ...draft, ticket, number: after + 1, assignment };
    const row = {
      ticket,
      creation: key.creation,
      number: decision.number,
      latest: 1,
      open_claim: openClaim,
      decided_at: decidedAt,
      ...contentOf(decision, 1),
    };
    const kept = await trx
      .insertInto('decisions')
      .values(row)
      // The ticket already has one with that number.
      .onConflict((conflict) => conflict.columns(['ticket', 'creation', 'number']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!kept) return null;
    if (turn && agent !== null) await moveTurn(trx, turn.team, agent);
    return decisionOf({ id: kept.id, decision: row.decision });
  });
}

/** Makes way for the ticket's next decision; false unless this is its latest. */
async function supersede(trx: StateDb, key: TicketKey, number: number): Promise<boolean> {
  const superseded = await trx
    .updateTable('decisions')
    .set({ latest: 0, waiting_team: null, open_claim: null })
    .where(isTicket(key))
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
  key: DecisionKey,
  turn: Turn,
  candidates: Assignment['candidates'],
): Promise<RoutingDecision | null> {
  return db.transaction().execute(async (trx) => {
    const agent = await whoseTurn(trx, turn);
    const row = await lockDecision(trx, key);
    if (row === undefined || row.waiting_team === null) return null;
    const assignment: Assignment = withAgentInTurn({ state: 'planned', candidates, waited: true }, agent);
    const decision = changeDecision(decisionOf(row), { state: 'planned', assignment });
    await writeDecision(trx, row, decision);
    await moveTurn(trx, turn.team, agent);
    return decision;
  });
}

export function update(db: StateDb, key: DecisionKey, change: DecisionChange): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const row = await lockDecision(trx, key);
    if (!row) throw new Error(`There is no decision ${key.id} of ticket ${key.ticket}`);
    await writeDecision(trx, row, changeDecision(decisionOf(row), change));
  });
}

/** A change to a decision; what is absent stays. */
export interface DecisionChange {
  state?: RoutingDecision['state'];
  assignment?: Partial<Assignment>;
  /** The reason as the ticket now shows it. */
  reason?: string;
}

/** Applies a change to a decision. Inputs and outcome stay, except for the reason, which becomes the one on the ticket. */
function changeDecision(decision: RoutingDecision, { assignment, reason, ...change }: DecisionChange): RoutingDecision {
  return {
    ...decision,
    ...change,
    assignment: { ...decision.assignment, ...assignment },
    outcome: { ...decision.outcome, ...(reason !== undefined && { reason }) },
  };
}

/** The assignment with its agent, whose candidate entry becomes `next_in_turn`; the other candidates stay as they are. */
function withAgentInTurn(assignment: Omit<Assignment, 'agent'>, agent: string): Assignment {
  const candidates = assignment.candidates.map((candidate) =>
    candidate.user === agent ? { ...candidate, reason: 'next_in_turn' as const } : candidate,
  );
  return { ...assignment, agent, candidates };
}

/** The agent whose turn it is; nobody else can take that turn before the transaction ends. */
async function whoseTurn(trx: StateDb, { team, members, eligible }: Turn): Promise<string> {
  const agent = nextInTurn(members, eligible, await lockTurn(trx, team));
  if (agent === null) throw new Error(`Nobody of ${team} may get a ticket`);
  return agent;
}

/** Who got the team's last ticket. Locks the row until the transaction ends, so that turns are taken one by one. */
async function lockTurn(trx: StateDb, team: string): Promise<string | null> {
  const { last_agent } = await trx
    .insertInto('turns')
    .values({ team, last_agent: null })
    .onConflict((conflict) => conflict.column('team').doUpdateSet(({ ref }) => ({ team: ref('excluded.team') })))
    .returning('last_agent')
    .executeTakeFirstOrThrow();
  return last_agent;
}

async function moveTurn(trx: StateDb, team: string, agent: string): Promise<void> {
  await trx.updateTable('turns').set({ last_agent: agent }).where('team', '=', team).execute();
}

/** Reads a decision in order to change it: an update without effect, which locks the row until the transaction ends. */
function lockDecision(trx: StateDb, { id, ticket }: DecisionKey) {
  return trx
    .updateTable('decisions')
    .set(({ ref }) => ({ latest: ref('latest') }))
    .where('id', '=', numberOf(id))
    .where('ticket', '=', ticket)
    .returning(['id', 'latest', 'waiting_team', 'decision'])
    .executeTakeFirst();
}

async function writeDecision(
  trx: StateDb,
  { id, latest }: { id: number; latest: number },
  decision: RoutingDecision,
): Promise<void> {
  await trx.updateTable('decisions').set(contentOf(decision, latest)).where('id', '=', id).execute();
}

/** What of a decision changes. A superseded one is not waiting. */
function contentOf(decision: Omit<RoutingDecision, 'id'> & { id?: string }, latest: number) {
  const { id: _, ...content } = decision;
  const isWaiting = latest === 1 && content.assignment.state === 'nobody_available';
  const waiting_team = isWaiting ? (content.outcome.team ?? '') : null;
  return { waiting_team, decision: JSON.stringify(content) };
}

// What the records say of one ticket: its decisions.

export async function latest(db: StateDb, ticket: TicketKey): Promise<RoutingDecision | null> {
  const [row] = await latestOf(db, ticket.name, ticket.creation);
  return row ? decisionOf(row) : null;
}

const latestOf = fixedRead((db, name: string, creation: string) => ofTicket(db, { name, creation }).limit(1));

/** All decisions on a ticket, newest first. */
export async function list(db: StateDb, ticket: TicketKey): Promise<RoutingDecision[]> {
  return (await ofTicket(db, ticket).execute()).map(decisionOf);
}

/** Decisions with their records. */
function records(db: StateDb) {
  return db.selectFrom('decisions').select(['id', 'decision']);
}

function ofTicket(db: StateDb, key: TicketKey) {
  return records(db).where(isTicket(key)).orderBy('number', 'desc');
}

/** The latest decision by the name alone: of several tickets that had it, the last. */
export async function latestNamed(db: StateDb, name: string): Promise<RoutingDecision | null> {
  const row = await records(db)
    .where('ticket', '=', name)
    .where('number', '>', 0)
    .orderBy('creation', 'desc')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? decisionOf(row) : null;
}

// The decisions of many tickets.

/** What is read at once outlives collections of new objects: pages of 200 were half of what a replay held. */
const pageSize = 50;

/** The teams of latest decisions whose assignment is `nobody_available`. Reads an index of these alone. */
export async function waitingTeams(db: StateDb): Promise<string[]> {
  const rows = await db
    .selectFrom('decisions')
    .select('waiting_team')
    .distinct()
    .where('waiting_team', '>', '')
    .orderBy('waiting_team')
    .execute();
  return rows.flatMap(({ waiting_team }) => waiting_team ?? []);
}

/** A ticket that waits for an agent. `id`: of its decision. */
export interface WaitingTicket extends TicketKey {
  id: string;
}

/** Such decisions of one team, oldest first: those after the given id, if any. */
export async function waitingIn(
  db: StateDb,
  team: string,
  { afterId, limit }: { afterId: string | null; limit: number },
): Promise<WaitingTicket[]> {
  const rows = await db
    .selectFrom('decisions')
    .select(['id', 'ticket', 'creation'])
    .where('waiting_team', '=', team)
    .where('id', '>', afterId === null ? 0 : numberOf(afterId))
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, ticket, creation }) => ({ id: String(id), name: ticket, creation }));
}

/** Tickets whose latest decision is an open claim of one of these org ids. */
export async function openClaimsOf(db: StateDb, orgIds: readonly OrgId[]): Promise<TicketKey[]> {
  const claimed: TicketKey[] = [];
  for (const chunk of chunksOf(orgIds)) {
    const rows = await db
      .selectFrom('decisions')
      .select(['ticket', 'creation'])
      // That there is an open claim at all lets SQLite use the partial index.
      .where('open_claim', 'is not', null)
      .where('open_claim', 'in', chunk)
      .execute();
    for (const { ticket, creation } of rows) claimed.push({ name: ticket, creation });
  }
  return claimed;
}

/** The latest decision of every ticket, oldest first, however many there are: those after the given id, if any. */
export async function* latestOfAll(db: StateDb, afterId: string | null): AsyncIterable<RoutingDecision> {
  for (let after = afterId === null ? 0 : numberOf(afterId); ; ) {
    const rows = await records(db)
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

/** Decisions whose tickets wait for an agent, of all teams, oldest first. */
export async function longestWaiting(db: StateDb, limit: number): Promise<RoutingDecision[]> {
  const rows = await records(db)
    .where('waiting_team', 'is not', null)
    // By an expression, so that SQLite sorts what waits and does not walk all decisions by id.
    .orderBy(sql`+id`)
    .limit(limit)
    .execute();
  return rows.map(decisionOf);
}

/** The last decision made before the moment (epoch milliseconds); null if none was. Reads all that are later. */
export async function lastBefore(db: StateDb, moment: number): Promise<string | null> {
  const row = await db
    .selectFrom('decisions')
    .select('id')
    .where('decided_at', '<', moment)
    .where('number', '>', 0)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? String(row.id) : null;
}

// What is decided before a ticket has its name.

/**
 * A decision recorded before its ticket has a name, under the ticket's uuid (decision 22: Before Insert). `at` in epoch
 * milliseconds.
 */
export interface PreliminaryDecision {
  key: string;
  team: string;
  reason: string;
  at: number;
}

/** Records a preliminary decision; the first one under a key stays. */
export async function keepPreliminary(db: StateDb, { key, team, reason, at }: PreliminaryDecision): Promise<void> {
  const row = { ticket: key, creation: '', number: 0, latest: 0, waiting_team: null, open_claim: null, decided_at: at };
  await db
    .insertInto('decisions')
    .values({ ...row, decision: JSON.stringify({ team, reason }) })
    .onConflict((conflict) => conflict.columns(['ticket', 'creation', 'number']).doNothing())
    .execute();
}

export async function preliminary(db: StateDb, key: string): Promise<PreliminaryDecision | null> {
  const row = await db
    .selectFrom('decisions')
    .select(['decided_at', 'decision'])
    .where(isTicket({ name: key, creation: '' }))
    .where('number', '=', 0)
    .executeTakeFirst();
  return row ? { key, ...Preliminary.parse(JSON.parse(row.decision)), at: row.decided_at } : null;
}

const Preliminary = z.object({ team: z.string(), reason: z.string() });

/** Deletes those from before the moment (epoch milliseconds), at most `limit`; returns how many. */
export function deletePreliminaryBefore(db: StateDb, moment: number, limit: number): Promise<number> {
  return deleteSome(db, 'decisions', ['id'], sql`number = 0 and decided_at < ${moment}`, limit);
}

/** A page of decisions, whatever has become of them, newest first: so many before the given id, if any. */
export async function latestFirst(
  db: StateDb,
  { beforeId, limit }: { beforeId: string | null; limit: number },
): Promise<RoutingDecision[]> {
  const rows = await records(db)
    .where('id', '<', beforeId === null ? Number.MAX_SAFE_INTEGER : numberOf(beforeId))
    .where('number', '>', 0)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(decisionOf);
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
