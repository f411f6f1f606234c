import type { Kysely } from 'kysely';
import { longestLeaseMs } from '#ports/runtime/lease.ts';
import type { LeaseSchema } from './lease-schema.ts';

// All statements of leases, budgets, missing anchors and upkeep are in this file, so that the test of the query plans sees them.

/** Takes the keys that are free now and returns those taken. */
export function takeLeases(db: Kysely<LeaseSchema>, rows: LeaseSchema['lease'][], now: number) {
  return db
    .insertInto('lease')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet(({ ref }) => ({ owner: ref('excluded.owner'), until: ref('excluded.until') }))
        .where(({ or, eb, ref }) =>
          or([
            eb('lease.until', '<=', now),
            eb('lease.until', '>', now + longestLeaseMs),
            eb('lease.owner', '=', ref('excluded.owner')),
          ]),
        ),
    )
    .returning('key');
}

/** Releases keys that the owner still holds. */
export function releaseLeases(db: Kysely<LeaseSchema>, keys: readonly string[], owner: string) {
  return db.deleteFrom('lease').where('key', 'in', keys).where('owner', '=', owner);
}

/** Every key that is held now. Not by an index: these are a few dozen rows. */
export function selectHeld(db: Kysely<LeaseSchema>, now: number) {
  return db
    .selectFrom('lease')
    .select('key')
    .where('until', '>', now)
    .where('until', '<=', now + longestLeaseMs);
}

/** Not by an index: what is held at one moment are a few dozen rows. */
export function deleteExpired(db: Kysely<LeaseSchema>, now: number, limit: number) {
  return db
    .deleteFrom('lease')
    .where('until', '<=', now)
    .where('key', 'in', ({ selectFrom }) =>
      selectFrom('lease as old').select('old.key').where('old.until', '<=', now).limit(limit),
    );
}

/** Adds one request to the bucket if it will be empty by `latest`; only then is a row returned. */
export function pourRequest(
  db: Kysely<LeaseSchema>,
  { portal, intervalMs, latest, now }: { portal: string; intervalMs: number; latest: number; now: number },
) {
  return db
    .insertInto('crm_budget')
    .values({ portal, empty_at: now + intervalMs })
    .onConflict((conflict) =>
      conflict
        .column('portal')
        .doUpdateSet(({ eb, case: either }) => ({
          empty_at: eb(
            either().when('crm_budget.empty_at', '<', now).then(now).else(eb.ref('crm_budget.empty_at')).end(),
            '+',
            intervalMs,
          ),
        }))
        .where('crm_budget.empty_at', '<=', latest),
    )
    .returning('empty_at');
}

/** When the bucket will be empty. */
export function selectLevel(db: Kysely<LeaseSchema>, portal: string) {
  return db.selectFrom('crm_budget').select('empty_at').where('portal', '=', portal);
}

/** Sets when the bucket will be empty. */
export function setLevel(db: Kysely<LeaseSchema>, portal: string, emptyAt: number) {
  return db
    .insertInto('crm_budget')
    .values({ portal, empty_at: emptyAt })
    .onConflict((conflict) => conflict.column('portal').doUpdateSet({ empty_at: emptyAt }));
}

/** Writes a report about an anchor and returns a row, unless the last one is from after `before`. */
export function recordMissing(db: Kysely<LeaseSchema>, row: LeaseSchema['missing_anchor'], before: number) {
  return db
    .insertInto('missing_anchor')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('anchor')
        .doUpdateSet(({ ref }) => ({
          extension: ref('excluded.extension'),
          helpdesk: ref('excluded.helpdesk'),
          at: ref('excluded.at'),
        }))
        .where('missing_anchor.at', '<=', before),
    )
    .returning('anchor');
}

/** All of them: there are no more than the extension looks for. */
export function selectMissing(db: Kysely<LeaseSchema>) {
  return db.selectFrom('missing_anchor').selectAll();
}

/** The note of a task. */
export function selectUpkeep(db: Kysely<LeaseSchema>, task: string) {
  return db.selectFrom('upkeep').select(['note', 'at']).where('task', '=', task);
}

/** Replaces the note of a task. */
export function writeUpkeep(db: Kysely<LeaseSchema>, row: LeaseSchema['upkeep']) {
  return db
    .insertInto('upkeep')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('task').doUpdateSet(({ ref }) => ({ note: ref('excluded.note'), at: ref('excluded.at') })),
    );
}
