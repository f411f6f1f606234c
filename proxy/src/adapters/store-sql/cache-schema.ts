import type { LookupFields } from '../../ports/crm.ts';

/**
 * Tables of the cache. Times are epoch milliseconds, JSON is text, `found` is 0 or 1. On SQLite they are ordinary rowid
 * tables: a row of a kilobyte in a table without rowid costs several times the reads.
 */
export interface CacheSchema {
  crm_company_cache: {
    portal: string;
    lookup: LookupFields;
    org_id: string;
    companies: string;
    found: number;
    checked_at: number;
    /** When the CRM announced a change that this answer may not know; null where it did not. */
    outdated_at: number | null;
  };
  /** Which entries a company of the CRM stands in. May name one that it no longer stands in. */
  crm_company_key: {
    portal: string;
    company_id: string;
    lookup: LookupFields;
    org_id: string;
    checked_at: number;
  };
  crm_user_cache: { portal: string; user_id: string; crm_user: string; checked_at: number };
  /** One row that a probe counts up. */
  cache_probe: { id: number; probes: number };
}
