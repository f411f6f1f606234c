import type { OrgId } from '@deskside/shared/orgid';
import { type RawBuilder, sql } from 'kysely';
import type { LookupFields } from '#crm/bitrix24.ts';
import type { CrmCompany, CrmUser } from '#crm/company.ts';
import { restBetween } from '#runtime/rest-between.ts';
import { readCompanies, readUser } from './cached-json.ts';
import type { CacheDb } from './schema.ts';

// The CRM's last good answers, kept beyond their TTL so that they can be shown when the CRM fails. Entries are keyed by
// portal, so that no other portal sees them, and by the fields that were searched. A check never replaces a later one. Of
// negative entries only the newest are kept, some ten thousand.

/** The cache's database. `uncounted`: how many "no such company" this process has put since it last looked at their number. */
interface Cache {
  db: CacheDb;
  uncounted: number;
}

/** What the CRM said about an org id, and when. No `companies` means that it has none: a negative entry. */
export interface CachedCompany {
  companies: CrmCompany[];
  /** Epoch milliseconds of the check. */
  checkedAt: number;
  /** The CRM has announced a change since: this is still the last good answer, but no longer a fresh one. */
  outdated: boolean;
}

/** Identifies an entry of companies. */
interface CompanyKey {
  by: LookupFields;
  orgId: OrgId;
}

/** What the CRM said about an account owner. A null user means that the CRM shows no such user. */
export interface CachedUser {
  user: CrmUser | null;
  checkedAt: number;
}

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

/** Answers for several org ids of one portal, in the order asked for; none for those that are not known. */
export async function getCompanies(
  { db }: Cache,
  portal: string,
  by: LookupFields,
  orgIds: readonly OrgId[],
): Promise<Map<OrgId, CachedCompany>> {
  const found = new Map<OrgId, CachedCompany>();
  if (orgIds.length === 0) return found;
  const rows = await db
    .selectFrom('crm_company_cache')
    .select(['org_id', 'companies', 'checked_at', 'outdated_at'])
    .where('portal', '=', portal)
    .where('lookup', '=', by)
    .where('org_id', 'in', orgIds)
    .execute();
  const byOrgId = new Map(rows.map((row) => [row.org_id, row]));
  for (const orgId of orgIds) {
    const row = byOrgId.get(orgId);
    const companies = row && readCompanies(row.companies);
    if (row && companies)
      found.set(orgId, { companies, checkedAt: row.checked_at, outdated: row.outdated_at !== null });
  }
  return found;
}

/**
 * Stores answers, each unless a later one is there. `askedAt` (epoch milliseconds): these answers may not reflect what the
 * CRM announced after that, which stays announced.
 */
export async function putCompanies(
  cache: Cache,
  portal: string,
  by: LookupFields,
  entries: ReadonlyMap<OrgId, Omit<CachedCompany, 'outdated'>>,
  askedAt: number,
): Promise<void> {
  if (entries.size === 0) return;
  const ordered = inKeyOrder(entries);
  // Before the entries: an entry whose companies are not recorded could not be marked.
  await putCompanyKeys(cache.db, portal, by, ordered);
  const rows = ordered.map(([orgId, { companies, checkedAt }]) => ({
    portal,
    lookup: by,
    org_id: orgId,
    companies: JSON.stringify(companies),
    found: companies.length > 0 ? 1 : 0,
    checked_at: checkedAt,
    outdated_at: null,
  }));
  await cache.db
    .insertInto('crm_company_cache')
    .values(rows)
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
    )
    .execute();
  cache.uncounted += rows.filter(({ found }) => found === 0).length;
  if (cache.uncounted < lookEvery) return;
  cache.uncounted = 0;
  await trimNegatives(cache.db, portal);
}

/** Stores which entries contain a company. */
async function putCompanyKeys(
  db: CacheDb,
  portal: string,
  by: LookupFields,
  ordered: [OrgId, Pick<CachedCompany, 'companies' | 'checkedAt'>][],
): Promise<void> {
  const keys = ordered.flatMap(([orgId, { companies, checkedAt }]) =>
    [...new Set(companies.map(({ fields }) => fields.bitrix_id))]
      .sort()
      .map((id) => ({ portal, company_id: id, lookup: by, org_id: orgId, checked_at: checkedAt })),
  );
  if (keys.length === 0) return;
  await db
    .insertInto('crm_company_key')
    .values(keys)
    .onConflict((conflict) =>
      conflict
        .columns(['portal', 'company_id', 'lookup', 'org_id'])
        .doUpdateSet(({ ref }) => ({ checked_at: ref('excluded.checked_at') })),
    )
    .execute();
}

/** Deletes all but the newest negative answers. */
async function trimNegatives(db: CacheDb, portal: string): Promise<void> {
  const negative = sql`portal = ${portal} and found = 0`;
  const remove = sql`delete from crm_company_cache where (portal, lookup, org_id) in
    (select portal, lookup, org_id from crm_company_cache where ${negative} and checked_at <=
      (select checked_at from crm_company_cache where ${negative} order by checked_at desc limit 1 offset ${mostNegatives})
    limit ${portion})`;
  await inPortions(db, remove);
}

/** Deletes every "no such company"; returns how many there were. */
export function deleteNegative({ db }: Cache, portal: string): Promise<number> {
  const remove = sql`delete from crm_company_cache where (portal, lookup, org_id) in
    (select portal, lookup, org_id from crm_company_cache where portal = ${portal} and found = 0 limit ${portion})`;
  return inPortions(db, remove);
}

/** Between portions everything else gets its turn, other processes included. Gives the number of rows that are gone. */
async function inPortions(db: CacheDb, remove: RawBuilder<unknown>): Promise<number> {
  const rest = restBetween();
  for (let deleted = 0; ; ) {
    const { numAffectedRows } = await remove.execute(db);
    deleted += Number(numAffectedRows ?? 0);
    if (Number(numAffectedRows ?? 0) < portion) return deleted;
    await rest();
  }
}

/** The company changed in the CRM at this time (epoch milliseconds). Returns the entries that contain it. */
export async function markOutdated(
  { db }: Cache,
  portal: string,
  crmCompanyId: string,
  moment: number,
): Promise<CompanyKey[]> {
  const marked = await db
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
          .where('crm_company_key.company_id', '=', crmCompanyId)
          .$asTuple('lookup', 'org_id'),
      ),
    )
    .returning(['lookup', 'org_id'])
    .execute();
  return marked.map(({ lookup, org_id }) => ({ by: lookup, orgId: org_id as OrgId }));
}

/** The answer for one account owner. */
export async function getUser({ db }: Cache, portal: string, id: string): Promise<CachedUser | null> {
  const row = await db
    .selectFrom('crm_user_cache')
    .select(['crm_user', 'checked_at'])
    .where('portal', '=', portal)
    .where('user_id', '=', id)
    .executeTakeFirst();
  const user = row && readUser(row.crm_user);
  return row === undefined || user === undefined ? null : { user, checkedAt: row.checked_at };
}

/** Stores account owners, each unless a later answer is there. */
export async function putUsers({ db }: Cache, portal: string, entries: ReadonlyMap<string, CachedUser>): Promise<void> {
  if (entries.size === 0) return;
  const rows = inKeyOrder(entries).map(([id, { user, checkedAt }]) => ({
    portal,
    user_id: id,
    crm_user: JSON.stringify(user),
    checked_at: checkedAt,
  }));
  await db
    .insertInto('crm_user_cache')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['portal', 'user_id'])
        .doUpdateSet(({ ref }) => ({ crm_user: ref('excluded.crm_user'), checked_at: ref('excluded.checked_at') }))
        .where(supersedes('crm_user_cache')),
    )
    .execute();
}

/** On PostgreSQL, two processes writing the same rows in different orders would deadlock. */
function inKeyOrder<K extends string, V>(entries: ReadonlyMap<K, V>): [K, V][] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}

function supersedes(table: 'crm_company_cache' | 'crm_user_cache') {
  const stored = sql.ref(`${table}.checked_at`);
  return sql<boolean>`(excluded.checked_at >= ${stored} or ${stored} > excluded.checked_at + ${sql.lit(farAheadMs)})`;
}

/** The primary key of each table that has a time. */
const keysOf = {
  crm_company_cache: ['portal', 'lookup', 'org_id'],
  crm_company_key: ['portal', 'company_id', 'lookup', 'org_id'],
  crm_user_cache: ['portal', 'user_id'],
};

/** Deletes entries not checked since the given time (epoch milliseconds), at most `limit`; returns how many. */
export async function deleteCheckedBefore({ db }: Cache, moment: number, limit: number): Promise<number> {
  let deleted = 0;
  for (const [table, columns] of Object.entries(keysOf)) {
    if (deleted === limit) break;
    const key = sql.join(columns.map((column) => sql.ref(column)));
    const { numAffectedRows } = await sql`delete from ${sql.table(table)} where (${key}) in
      (select ${key} from ${sql.table(table)} where checked_at < ${moment} limit ${limit - deleted})`.execute(db);
    deleted += Number(numAffectedRows ?? 0);
  }
  return deleted;
}

/** Throws unless the store can be read and written: writes a row. */
export async function probe({ db }: Cache): Promise<void> {
  await db
    .insertInto('cache_probe')
    .values({ id: 1, probes: 1 })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ probes: sql`cache_probe.probes + 1` }))
    .execute();
}
