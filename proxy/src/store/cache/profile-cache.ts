import type { OrgId } from '@deskside/shared/orgid';
import { type RawBuilder, sql } from 'kysely';
import { restBetween } from '#concurrency/rest-between.ts';
import type { LookupFields } from '#ports/crm/crm.ts';
import type { CachedCompany, ProfileCache } from '#ports/profile/profile-cache.ts';
import type { CacheDb, CacheSchema } from '#store/schema.ts';
import { readCompanies, readUser } from './cached-json.ts';

/**
 * So many "no such company" are kept, the newest: who asks for one org id after the other would fill the store with
 * them. Their number is looked at after every so many.
 */
const mostNegatives = 10_000;
const lookEvery = 100;
const portion = 200;

/**
 * A lookup takes seconds, so a stored check further ahead than this was made by a clock that has since been set back.
 * It is replaced; otherwise the entry would not change until that time comes.
 */
const farAheadMs = 10 * 60_000;

/** The cache on any database that Kysely supports. */
export function createProfileCache(db: CacheDb): ProfileCache {
  let negativesSince = 0;

  /** Between portions everything else gets its turn, other processes included. */
  async function inPortions(remove: (limit: number) => RawBuilder<unknown>): Promise<number> {
    const rest = restBetween();
    for (let deleted = 0; ; ) {
      const { numAffectedRows } = await remove(portion).execute(db);
      deleted += Number(numAffectedRows ?? 0);
      if (Number(numAffectedRows ?? 0) < portion) return deleted;
      await rest();
    }
  }

  return {
    async getCompanies(portal, by, orgIds) {
      const found = new Map<OrgId, CachedCompany>();
      if (orgIds.length === 0) return found;
      const rows = await selectCompanies(db, portal, by, orgIds).execute();
      const byOrgId = new Map(rows.map((row) => [row.org_id, row]));
      for (const orgId of orgIds) {
        const row = byOrgId.get(orgId);
        const companies = row && readCompanies(row.companies);
        if (row && companies)
          found.set(orgId, { companies, checkedAt: row.checked_at, outdated: row.outdated_at !== null });
      }
      return found;
    },

    async putCompanies(portal, by, entries, askedAt) {
      if (entries.size === 0) return;
      const ordered = inKeyOrder(entries);
      const keys = ordered.flatMap(([orgId, { companies, checkedAt }]) =>
        [...new Set(companies.map(({ fields }) => fields.bitrix_id))]
          .sort()
          .map((id) => ({ portal, company_id: id, lookup: by, org_id: orgId, checked_at: checkedAt })),
      );
      // Before the entries: an entry whose companies are not recorded could not be marked.
      if (keys.length > 0) await upsertCompanyKeys(db, keys).execute();
      const rows = ordered.map(([orgId, { companies, checkedAt }]) => ({
        portal,
        lookup: by,
        org_id: orgId,
        companies: JSON.stringify(companies),
        found: companies.length > 0 ? 1 : 0,
        checked_at: checkedAt,
      }));
      await upsertCompanies(db, rows, askedAt).execute();
      negativesSince += rows.filter(({ found }) => found === 0).length;
      if (negativesSince < lookEvery) return;
      negativesSince = 0;
      await inPortions((limit) => trimNegatives(portal, mostNegatives, limit));
    },

    async markOutdated(portal, crmCompanyId, moment) {
      const marked = await markCompanies(db, portal, crmCompanyId, moment).execute();
      return marked.map(({ lookup, org_id }) => ({ by: lookup, orgId: org_id as OrgId }));
    },

    deleteNegative: (portal) => inPortions((limit) => deleteNegatives(portal, limit)),

    async getUser(portal, id) {
      const row = await selectUser(db, portal, id).executeTakeFirst();
      const user = row && readUser(row.crm_user);
      return row === undefined || user === undefined ? null : { user, checkedAt: row.checked_at };
    },

    async putUsers(portal, entries) {
      if (entries.size === 0) return;
      const rows = inKeyOrder(entries).map(([id, { user, checkedAt }]) => ({
        portal,
        user_id: id,
        crm_user: JSON.stringify(user),
        checked_at: checkedAt,
      }));
      await upsertUsers(db, rows).execute();
    },

    async deleteCheckedBefore(moment, limit) {
      let deleted = 0;
      for (const table of ['crm_company_cache', 'crm_company_key', 'crm_user_cache'] as const) {
        if (deleted === limit) break;
        const { numAffectedRows } = await deleteBefore(table, moment, limit - deleted).execute(db);
        deleted += Number(numAffectedRows ?? 0);
      }
      return deleted;
    },

    async probe() {
      await countProbe(db).execute();
    },
  };
}

/** On PostgreSQL, two processes writing the same rows in different orders would deadlock. */
function inKeyOrder<K extends string, V>(entries: ReadonlyMap<K, V>): [K, V][] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Answers for several org ids of one portal. */
function selectCompanies(db: CacheDb, portal: string, lookup: LookupFields, orgIds: readonly string[]) {
  return db
    .selectFrom('crm_company_cache')
    .select(['org_id', 'companies', 'checked_at', 'outdated_at'])
    .where('portal', '=', portal)
    .where('lookup', '=', lookup)
    .where('org_id', 'in', orgIds);
}

/** The answer for one account owner. */
function selectUser(db: CacheDb, portal: string, id: string) {
  return db
    .selectFrom('crm_user_cache')
    .select(['crm_user', 'checked_at'])
    .where('portal', '=', portal)
    .where('user_id', '=', id);
}

/** The primary key of each table that has a time. */
const keysOf = {
  crm_company_cache: ['portal', 'lookup', 'org_id'],
  crm_company_key: ['portal', 'company_id', 'lookup', 'org_id'],
  crm_user_cache: ['portal', 'user_id'],
};

/** Stores answers, each unless a later one is there. Changes announced after the question was asked stay announced. */
function upsertCompanies(db: CacheDb, rows: Omit<CacheSchema['crm_company_cache'], 'outdated_at'>[], askedAt: number) {
  return db
    .insertInto('crm_company_cache')
    .values(rows.map((row) => ({ ...row, outdated_at: null })))
    .onConflict((conflict) =>
      conflict
        .columns(['portal', 'lookup', 'org_id'])
        .doUpdateSet(({ ref, case: either }) => ({
          companies: ref('excluded.companies'),
          found: ref('excluded.found'),
          checked_at: ref('excluded.checked_at'),
          outdated_at: either()
            .when('crm_company_cache.outdated_at', '>=', askedAt)
            .then(ref('crm_company_cache.outdated_at'))
            .end(),
        }))
        .where(supersedes('crm_company_cache')),
    );
}

/** Stores which entries contain a company. */
function upsertCompanyKeys(db: CacheDb, rows: CacheSchema['crm_company_key'][]) {
  return db
    .insertInto('crm_company_key')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['portal', 'company_id', 'lookup', 'org_id'])
        .doUpdateSet(({ ref }) => ({ checked_at: ref('excluded.checked_at') })),
    );
}

/** Marks the entries that contain a company and returns them. */
function markCompanies(db: CacheDb, portal: string, companyId: string, moment: number) {
  return db
    .updateTable('crm_company_cache')
    .set({ outdated_at: moment })
    .where('portal', '=', portal)
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('lookup', 'org_id'),
        'in',
        selectFrom('crm_company_key')
          .select(['crm_company_key.lookup', 'crm_company_key.org_id'])
          .where('crm_company_key.portal', '=', portal)
          .where('crm_company_key.company_id', '=', companyId)
          .$asTuple('lookup', 'org_id'),
      ),
    )
    .returning(['lookup', 'org_id']);
}

/** Deletes negative answers, at most `limit`. */
function deleteNegatives(portal: string, limit: number) {
  return sql`delete from crm_company_cache where (portal, lookup, org_id) in
    (select portal, lookup, org_id from crm_company_cache where portal = ${portal} and found = 0 limit ${limit})`;
}

/** Deletes all but the newest negative answers, at most `limit` at a time. */
function trimNegatives(portal: string, keep: number, limit: number) {
  const negative = sql`portal = ${portal} and found = 0`;
  return sql`delete from crm_company_cache where (portal, lookup, org_id) in
    (select portal, lookup, org_id from crm_company_cache where ${negative} and checked_at <=
      (select checked_at from crm_company_cache where ${negative} order by checked_at desc limit 1 offset ${keep})
    limit ${limit})`;
}

/** Stores account owners, each unless a later answer is there. */
function upsertUsers(db: CacheDb, rows: CacheSchema['crm_user_cache'][]) {
  return db
    .insertInto('crm_user_cache')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['portal', 'user_id'])
        .doUpdateSet(({ ref }) => ({ crm_user: ref('excluded.crm_user'), checked_at: ref('excluded.checked_at') }))
        .where(supersedes('crm_user_cache')),
    );
}

function supersedes(table: 'crm_company_cache' | 'crm_user_cache') {
  const stored = sql.ref(`${table}.checked_at`);
  return sql<boolean>`(excluded.checked_at >= ${stored} or ${stored} > excluded.checked_at + ${sql.lit(farAheadMs)})`;
}

/** Deletes rows of one table that are older than the given time, at most `limit`. */
function deleteBefore(
  table: 'crm_company_cache' | 'crm_company_key' | 'crm_user_cache',
  moment: number,
  limit: number,
) {
  const keys = keysOf[table];
  return sql`delete from ${sql.table(table)} where (${sql.join(keys.map(sql.ref))}) in
    (select ${sql.join(keys.map(sql.ref))} from ${sql.table(table)} where checked_at < ${moment} limit ${limit})`;
}

/** Writes a row, so that a store that cannot be written fails. */
function countProbe(db: CacheDb) {
  return db
    .insertInto('cache_probe')
    .values({ id: 1, probes: 1 })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ probes: sql`cache_probe.probes + 1` }));
}
