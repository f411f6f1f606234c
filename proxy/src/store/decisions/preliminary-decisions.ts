import type { PreliminaryDecision, PreliminaryDecisions } from '#ports/routing/decisions.ts';
import type { StateDb } from '#store/schema.ts';

/** Decisions before their tickets have names, on any database that Kysely supports. */
export function createPreliminaryDecisions(db: StateDb): PreliminaryDecisions {
  return {
    async keepPreliminary({ key, team, reason, at }) {
      await insertPreliminary(db, { key, team, reason, at }).execute();
    },

    async preliminary(key) {
      return (await selectPreliminary(db, key).executeTakeFirst()) ?? null;
    },

    async deletePreliminaryBefore(moment, limit) {
      const { numDeletedRows } = await deletePreliminary(db, moment, limit).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

function insertPreliminary(db: StateDb, decision: PreliminaryDecision) {
  return db
    .insertInto('preliminary_decision')
    .values(decision)
    .onConflict((conflict) => conflict.column('key').doNothing());
}

function selectPreliminary(db: StateDb, key: string) {
  return db.selectFrom('preliminary_decision').selectAll().where('key', '=', key);
}

function deletePreliminary(db: StateDb, before: number, limit: number) {
  return db
    .deleteFrom('preliminary_decision')
    .where('key', 'in', ({ selectFrom }) =>
      selectFrom('preliminary_decision as old').select('old.key').where('old.at', '<', before).limit(limit),
    );
}
