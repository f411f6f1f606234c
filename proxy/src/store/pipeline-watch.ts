import { RoutingOutcome } from '@deskside/shared/routing';
import * as z from 'zod';
import type { DecidedTicket } from '#routing/decided-ticket.ts';
import type { StateDb } from './schema.ts';

// The ticket pipeline as an operator sees it. Reads only, by index, and is cheap enough for every scrape.

/** The parts of a stored decision that this reads. */
const Decided = z.object({ decided_at: z.string() });
const Shown = z.object({
  ticket: z.string(),
  inputs: z.object({ agent_group: z.object({ name: z.string() }).nullable() }),
  outcome: z.object({ team: z.string().nullable(), fallback: RoutingOutcome.shape.fallback }),
  assignment: z.object({
    agent: z.string().nullable(),
    candidates: z.array(z.object({ user: z.string(), reason: z.string() })),
  }),
});
const mayGetTickets: ReadonlySet<string> = new Set(['next_in_turn', 'not_their_turn']);

/** What waits in the ticket pipeline, of all replicas together. Times in epoch milliseconds. */
export interface PipelineBacklog {
  /** Tickets that should have been worked on by now, and since when the first of them. */
  due: { tickets: number; since: number | null };
  /** Tickets of a team in which nobody is available, and since when the first of them. */
  waiting: { tickets: number; since: number | null };
}

export async function backlog(db: StateDb, now: number): Promise<PipelineBacklog> {
  const due = await db
    .selectFrom('ticket_work')
    .select(({ fn }) => [fn.countAll<number>().as('tickets'), fn.min('due_at').as('since')])
    .where('due_at', '<=', now)
    .executeTakeFirstOrThrow();
  const { tickets, first } = await db
    .selectFrom('routing_decision')
    .select(({ fn }) => [fn.countAll<number>().as('tickets'), fn.min('id').as('first')])
    // The literal lets SQLite see that it can use the partial index.
    .where(({ eb }) => eb('waiting', '=', eb.lit(1)))
    .executeTakeFirstOrThrow();
  // Ids grow in the order of the decisions. It may have been assigned meanwhile.
  const row =
    first === null
      ? undefined
      : await db.selectFrom('routing_decision').select('decision').where('id', '=', Number(first)).executeTakeFirst();
  const oldest = row && Decided.parse(JSON.parse(row.decision)).decided_at;
  return {
    due: { tickets: Number(due.tickets), since: due.since === null ? null : Number(due.since) },
    waiting: { tickets: Number(tickets), since: oldest === undefined ? null : Date.parse(oldest) },
  };
}

/** Decisions newest first, a page at a time: those before the given id, if any. */
export async function decided(
  db: StateDb,
  { beforeId, limit }: { beforeId: string | null; limit: number },
): Promise<DecidedTicket[]> {
  const rows = await db
    .selectFrom('routing_decision')
    .select(['id', 'decision'])
    .where('id', '<', beforeId === null ? Number.MAX_SAFE_INTEGER : Number(beforeId))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(decidedOf);
}

/** Whose turn it was, and who could have got the ticket; null if nobody's. */
function turnOf({ agent, candidates }: z.output<typeof Shown>['assignment']): DecidedTicket['turn'] {
  const isTurn = candidates.some(({ user, reason }) => reason === 'next_in_turn' && user === agent);
  if (agent === null || !isTurn) return null;
  return { agent, eligible: candidates.filter(({ reason }) => mayGetTickets.has(reason)).map(({ user }) => user) };
}

function decidedOf(row: { id: number; decision: string }): DecidedTicket {
  const { ticket, inputs, outcome, assignment } = Shown.parse(JSON.parse(row.decision));
  return {
    id: String(row.id),
    ticket,
    team: outcome.team ?? (outcome.fallback === 'team_missing' ? null : (inputs.agent_group?.name ?? null)),
    turn: turnOf(assignment),
  };
}
