import type { StateDb } from './schema.ts';

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
