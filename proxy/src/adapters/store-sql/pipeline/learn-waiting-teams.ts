import type { Kysely } from 'kysely';
import * as z from 'zod';
import { restBetween } from '#concurrency/rest-between.ts';
import { selectWithoutTeam, writeTeam } from './decision-statements.ts';
import type { PipelineSchema } from './pipeline-schema.ts';

const portion = 100;
const Decided = z.object({ outcome: z.object({ team: z.string().nullable() }) });

/** Writes apart the teams of decisions that wait and that a process of an earlier version has written, or writes beside this one. */
export async function learnWaitingTeams(db: Kysely<PipelineSchema>): Promise<void> {
  const rest = restBetween();
  for (;;) {
    const rows = await selectWithoutTeam(db, portion).execute();
    if (rows.length === 0) return;
    await db.transaction().execute(async (trx) => {
      for (const { id, decision } of rows) await writeTeam(trx, id, teamOf(decision)).execute();
    });
    await rest();
  }
}

/** Empty if there is none, also where nobody can read the record any more: nothing would come of it. */
function teamOf(decision: string): string {
  try {
    return Decided.parse(JSON.parse(decision)).outcome.team ?? '';
  } catch {
    return '';
  }
}
