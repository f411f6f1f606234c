import type { StateDb } from './schema.ts';

// What waits in the ticket pipeline, and how we hear of tickets, as an operator sees it.

/** What waits in the ticket pipeline, of all replicas together. Times in epoch milliseconds. */
export interface PipelineBacklog {
  /** Tickets that should have been worked on by now, and since when the first of them. */
  due: { tickets: number; since: number | null };
  /** Tickets of a team in which nobody is available, and since when the first of them. */
  waiting: { tickets: number; since: number | null };
}

/** Reads by index only, and is cheap enough for every scrape. */
export async function backlog(db: StateDb, now: number): Promise<PipelineBacklog> {
  const due = await db
    .selectFrom('tickets')
    .select(({ fn }) => [fn.countAll<number>().as('tickets'), fn.min('due_at').as('since')])
    .where('due_at', '<=', now)
    .executeTakeFirstOrThrow();
  const waiting = await db
    .selectFrom('decisions')
    .select(({ fn }) => [fn.countAll<number>().as('tickets'), fn.min('decided_at').as('since')])
    .where('waiting_team', 'is not', null)
    .executeTakeFirstOrThrow();
  const backlogOf = ({ tickets, since }: { tickets: number; since: number | null }) => ({
    tickets: Number(tickets),
    since: since === null ? null : Number(since),
  });
  return { due: backlogOf(due), waiting: backlogOf(waiting) };
}

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
export interface HeardOf {
  /** When the last webhook came, in epoch milliseconds; null if none is known. */
  webhookAt: number | null;
  /** How many of the latest tickets, at most ten, were looked at, and how many since the last that a webhook announced. */
  latest: number;
  missed: number;
}

/** Whether webhooks come, by the tickets that came last. */
export async function heardOf(db: StateDb): Promise<HeardOf> {
  const rows = await db.selectFrom('tickets').select('told_at').orderBy('since', 'desc').limit(10).execute();
  const announced = rows.findIndex(({ told_at }) => told_at !== null);
  return {
    webhookAt: await lastToldAt(db),
    latest: rows.length,
    missed: announced === -1 ? rows.length : announced,
  };
}

/** The same in words. `isFault`: so many in a row that no webhook can have reached us. */
export function describeHeard({ webhookAt, latest, missed }: HeardOf): { text: string; isFault: boolean } {
  if (latest === 0 && webhookAt === null) return { text: 'No ticket has come yet.', isFault: false };
  const at = webhookAt === null ? 'never' : new Date(webhookAt).toISOString().slice(0, 16).replace('T', ' ');
  if (missed === 0) return { text: `Last webhook: ${at}.`, isFault: false };
  const found = `${missed} of the last ${latest} tickets were found by the sweep.`;
  return { text: `Last webhook: ${at}. ${found}`, isFault: missed >= 3 };
}
