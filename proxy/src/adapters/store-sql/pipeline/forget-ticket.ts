import type { Kysely } from 'kysely';
import * as z from 'zod';
import { selectOfTicket } from './decision-statements.ts';
import { deleteRecords, insertTombstone, selectCreations } from './memory-statements.ts';
import type { PipelineSchema } from './pipeline-schema.ts';

/** All that a tombstone takes from a decision. A record that cannot be read must not stay for good. */
const Decided = z.object({
  inputs: z.object({
    ticket_creation: z.string().optional().catch(undefined),
    agent_group: z.object({ name: z.string() }).nullish().catch(null),
  }),
  outcome: z.object({ team: z.string().nullish().catch(null) }),
});

/** Deletes a ticket's records within a transaction and leaves a tombstone for each creation that was decided. */
export async function forgetTicket(trx: Kysely<PipelineSchema>, ticket: string, now: number): Promise<void> {
  const creations = await selectCreations(trx, ticket).execute();
  const [onlyCreation, ...others] = creations.map(({ creation }) => creation);
  const known = others.length === 0 ? onlyCreation : undefined;
  // Newest first: of a creation, the team of the last decision is kept.
  for (const { decision } of await selectOfTicket(trx, ticket).execute()) {
    const { creation, team } = epitaphOf(decision);
    const row = { ticket, creation: creation ?? known ?? '', team, forgotten_at: now };
    await insertTombstone(trx, row).execute();
  }
  for (const statement of deleteRecords(trx, ticket)) await statement.execute();
}

function epitaphOf(decision: string): { creation: string | undefined; team: string | null } {
  try {
    const { inputs, outcome } = Decided.parse(JSON.parse(decision));
    return { creation: inputs.ticket_creation, team: outcome.team ?? inputs.agent_group?.name ?? null };
  } catch {
    return { creation: undefined, team: null };
  }
}
