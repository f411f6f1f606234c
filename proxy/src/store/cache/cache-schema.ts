import type { LookupFields } from '#ports/crm/crm.ts';

/**
 * Tables of the cache. Times are epoch milliseconds, JSON is text, `found` is 0 or 1. On SQLite they are ordinary rowid
 * tables: with rows of a kilobyte, a table without rowid costs several times the reads.
 */
export interface CacheSchema {
  crm_company_cache: {
    portal: string;
    lookup: LookupFields;
    org_id: string;
    companies: string;
    found: number;
    checked_at: number;
    /** When the CRM announced a change that this answer may not reflect; null if it did not. */
    outdated_at: number | null;
  };
  /** The entries that contain a company of the CRM. May name one that no longer does. */
  crm_company_key: {
    portal: string;
    company_id: string;
    lookup: LookupFields;
    org_id: string;
    checked_at: number;
  };
  crm_user_cache: { portal: string; user_id: string; crm_user: string; checked_at: number };
  /** One row, incremented by the probe. */
  cache_probe: { id: number; probes: number };
}
