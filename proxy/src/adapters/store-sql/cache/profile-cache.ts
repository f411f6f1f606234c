import type { OrgId } from '@deskside/shared/orgid';
import type { Kysely, RawBuilder } from 'kysely';
import { restBetween } from '#concurrency/rest-between.ts';
import type { CachedCompany, ProfileCache } from '#ports/profile/profile-cache.ts';
import type { CacheSchema } from './cache-schema.ts';
import {
  countProbe,
  deleteBefore,
  deleteNegatives,
  markCompanies,
  selectCompanies,
  selectUser,
  trimNegatives,
  upsertCompanies,
  upsertCompanyKeys,
  upsertUsers,
} from './cache-statements.ts';
import { readCompanies, readUser } from './cached-json.ts';

/**
 * So many "no such company" are kept, the newest: who asks for one org id after the other would fill the store with
 * them. Their number is looked at after every so many.
 */
const mostNegatives = 10_000;
const lookEvery = 100;
const portion = 200;

/** The cache on any database that Kysely supports. It owns the connection. */
export function createProfileCache(db: Kysely<CacheSchema>): ProfileCache {
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

    async close() {
      await db.destroy();
    },
  };
}

/** On PostgreSQL, two processes writing the same rows in different orders would deadlock. */
function inKeyOrder<K extends string, V>(entries: ReadonlyMap<K, V>): [K, V][] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}
