import type { OrgId } from '@deskside/shared/orgid';
import type { Memory } from '#runtime/memory.ts';
import type { Metrics } from '#runtime/metrics-port.ts';
import type { CachedCompany, CachedUser } from '#store/profile-cache.ts';
import type { Store } from '#store/store.ts';
import type { LookupFields } from './crm.ts';

/** For this long, a newer answer stored by another process is not seen. */
const rememberMs = 30_000;

/**
 * A cache in front of the cache: recently read companies and account owners are kept in memory. Missing entries and "no
 * such company" are always looked up again. Every write through it is seen by the next read.
 */
export function createRememberingCache(
  stored: Store['profileCache'],
  memory: Memory,
  metrics: Pick<Metrics, 'companiesRead'>,
): Store['profileCache'] {
  const companies = memory.area<CachedCompany>({ ttlMs: rememberMs, max: 1_000 });
  const users = memory.area<CachedUser>({ ttlMs: rememberMs, max: 1_000 });
  const keyOf = (portal: string, by: LookupFields, orgId: OrgId) => `${portal} ${by} ${orgId}`;
  // Counts writes, so that a read that began before one does not bring back the older value.
  let writes = 0;

  /** Forgets before the write, so that no failure leaves an outdated value behind, and again after it. */
  async function written<T>(forget: () => void, write: () => Promise<T>): Promise<T> {
    writes += 1;
    forget();
    try {
      return await write();
    } finally {
      writes += 1;
      forget();
    }
  }

  return {
    ...stored,

    async getCompanies(portal, by, orgIds) {
      const remembered = new Map(orgIds.map((orgId) => [orgId, companies.get(keyOf(portal, by, orgId))]));
      const missing = orgIds.filter((orgId) => !remembered.get(orgId));
      const before = writes;
      const read =
        missing.length > 0 ? await stored.getCompanies(portal, by, missing) : new Map<OrgId, CachedCompany>();
      metrics.companiesRead('memory', 'hit', orgIds.length - missing.length);
      metrics.companiesRead('memory', 'miss', missing.length);
      metrics.companiesRead('store', 'hit', read.size);
      metrics.companiesRead('store', 'miss', missing.length - read.size);
      for (const [orgId, entry] of read)
        if (before === writes && entry.companies.length > 0) companies.set(keyOf(portal, by, orgId), entry);
      return new Map(
        orgIds.flatMap((orgId): [OrgId, CachedCompany][] => {
          const entry = remembered.get(orgId) ?? read.get(orgId);
          return entry ? [[orgId, entry]] : [];
        }),
      );
    },

    putCompanies(portal, by, entries, askedAt) {
      const forget = () => {
        for (const orgId of entries.keys()) companies.delete(keyOf(portal, by, orgId));
      };
      return written(forget, () => stored.putCompanies(portal, by, entries, askedAt));
    },

    async markOutdated(portal, crmCompanyId, moment) {
      const keys = await written(
        () => {},
        () => stored.markOutdated(portal, crmCompanyId, moment),
      );
      for (const { by, orgId } of keys) companies.delete(keyOf(portal, by, orgId));
      return keys;
    },

    async getUser(portal, id) {
      const key = `${portal} ${id}`;
      const remembered = users.get(key);
      if (remembered) return remembered;
      const before = writes;
      const entry = await stored.getUser(portal, id);
      if (entry && before === writes) users.set(key, entry);
      return entry;
    },

    putUsers(portal, entries) {
      const forget = () => {
        for (const id of entries.keys()) users.delete(`${portal} ${id}`);
      };
      return written(forget, () => stored.putUsers(portal, entries));
    },
  };
}
