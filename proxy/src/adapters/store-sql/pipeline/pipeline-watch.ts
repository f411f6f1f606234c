import type { Kysely } from 'kysely';
import * as z from 'zod';
import type { PipelineWatch } from '#ports/pipeline-watch.ts';
import type { PipelineSchema } from './pipeline-schema.ts';
import { countDue, countWaiting, selectDecision, selectLatest } from './watch-statements.ts';

/** The parts of a stored decision that this reads. */
const Decided = z.object({ decided_at: z.string() });
const Turned = z.object({
  ticket: z.string(),
  outcome: z.object({ team: z.string().nullable() }),
  assignment: z.object({
    agent: z.string().nullable(),
    candidates: z.array(z.object({ user: z.string(), reason: z.string() })),
  }),
});
const mayGetTickets: ReadonlySet<string> = new Set(['next_in_turn', 'not_their_turn']);

/** What an operator sees of the pipeline, on any database that Kysely supports. */
export function createPipelineWatch(db: Kysely<PipelineSchema>): PipelineWatch {
  return {
    async backlog(now) {
      const due = await countDue(db, now).executeTakeFirstOrThrow();
      const { tickets, first } = await countWaiting(db).executeTakeFirstOrThrow();
      // Ids grow in the order of the decisions. It may have been assigned meanwhile.
      const row = first === null ? undefined : await selectDecision(db, Number(first)).executeTakeFirst();
      const oldest = row && Decided.parse(JSON.parse(row.decision)).decided_at;
      return {
        due: { tickets: Number(due.tickets), since: due.since === null ? null : Number(due.since) },
        waiting: { tickets: Number(tickets), since: oldest === undefined ? null : Date.parse(oldest) },
      };
    },

    async latestTurns(limit) {
      const rows = await selectLatest(db, limit).execute();
      return rows.flatMap((row) => {
        const { ticket, outcome, assignment } = Turned.parse(JSON.parse(row.decision));
        const eligible = assignment.candidates.filter(({ reason }) => mayGetTickets.has(reason));
        const isTurn = assignment.candidates.some(
          ({ user, reason }) => reason === 'next_in_turn' && user === assignment.agent,
        );
        if (outcome.team === null || assignment.agent === null || !isTurn) return [];
        return [{ ticket, team: outcome.team, agent: assignment.agent, eligible: eligible.map(({ user }) => user) }];
      });
    },
  };
}
