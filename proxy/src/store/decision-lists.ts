import type { OrgId } from '@deskside/shared/orgid';
import type { RoutingDecision } from '@deskside/shared/routing';
import { chunksOf } from './chunks.ts';
import { decisionOf, numberOf } from './decision-rows.ts';
import { isBare } from './records.ts';
import type { StateDb } from './schema.ts';

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
