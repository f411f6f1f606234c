import { sql } from 'kysely';
import type { StateDb } from './schema.ts';

// What waits in the ticket pipeline, and how we hear of tickets, as an operator sees it.

/** What waits in the ticket pipeline, of all replicas together. */
export interface PipelineBacklog {
  /** Tickets that have come and are not routed yet, whatever keeps them: also those of which a step failed and is tried again. */
  unrouted: WaitingTickets;
  /** Tickets of a team in which nobody is available. */
  waiting: WaitingTickets;
}

/** How many, and of the first of them since when we know of it (epoch milliseconds) and when it was created, in the helpdesk's own time. */
interface WaitingTickets {
  tickets: number;
  since: number | null;
  creation: string | null;
}

const tickets = sql<number>`count(*)`.as('tickets');
const creation = sql<string | null>`min(creation)`.as('creation');

/** Looks at what waits alone, and is cheap enough for every scrape. */
export async function backlog(db: StateDb): Promise<PipelineBacklog> {
  const unrouted = await db
    .selectFrom('tickets')
    .select([tickets, sql<number | null>`min(since)`.as('since'), creation])
    .where('due_at', 'is not', null)
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('decisions').select('id').where(isCarriedOut))))
    .executeTakeFirstOrThrow();
  const waiting = await db
    .selectFrom('decisions')
    .select([tickets, sql<number | null>`min(decided_at)`.as('since'), creation])
    .where('waiting_team', 'is not', null)
    .executeTakeFirstOrThrow();
  // PostgreSQL gives large numbers as texts.
  const found = (row: WaitingTickets) => ({
    ...row,
    tickets: Number(row.tickets),
    since: row.since === null ? null : Number(row.since),
  });
  return { unrouted: found(unrouted), waiting: found(waiting) };
}

/** The ticket's latest decision, if nothing of it is left to do. Its record is searched as a text, which both databases do fast. */
const isCarriedOut = sql<boolean>`decisions.ticket = tickets.ticket and decisions.creation = tickets.creation
  and decisions.number > 0 and decisions.latest = 1 and decisions.decision not like '%"state":"planned"%'`;

/** When the webhook of any ticket last came (epoch milliseconds); null if none has. */
export async function lastToldAt(db: StateDb): Promise<number | null> {
  const { at } = await db
    .selectFrom('tickets')
    .select(({ fn }) => fn.max('told_at').as('at'))
    // That there is one at all lets SQLite use the partial index.
    .where('told_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return at === null ? null : Number(at);
}

/** How we came to know of the latest tickets. */
export interface WebhookCoverage {
  /** When the last webhook came, in epoch milliseconds; null if none is known. */
  webhookAt: number | null;
  /** How many of the latest tickets, at most ten, were looked at, and how many since the last that a webhook announced. */
  latest: number;
  missed: number;
}

/** Whether webhooks come, by the tickets that came last. */
export async function heardOf(db: StateDb): Promise<WebhookCoverage> {
  const rows = await db.selectFrom('tickets').select('told_at').orderBy('since', 'desc').limit(10).execute();
  const announced = rows.findIndex(({ told_at }) => told_at !== null);
  return { webhookAt: await lastToldAt(db), latest: rows.length, missed: announced === -1 ? rows.length : announced };
}

/** The same in words. `isFault`: so many in a row that no webhook can have reached us. */
export function describeHeard({ webhookAt, latest, missed }: WebhookCoverage): { text: string; isFault: boolean } {
  if (latest === 0 && webhookAt === null) return { text: 'No ticket has come yet.', isFault: false };
  const at = webhookAt === null ? 'never' : new Date(webhookAt).toISOString().slice(0, 16).replace('T', ' ');
  if (missed === 0) return { text: `Last webhook: ${at}.`, isFault: false };
  const found = `${missed} of the last ${latest} tickets were found by the sweep.`;
  return { text: `Last webhook: ${at}. ${found}`, isFault: missed >= 3 };
}
