import type { OrgId } from '@deskside/shared/orgid';
import type { CrmCompany, CrmUser, LookupFields } from '#ports/crm/crm.ts';

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
 * The CRM's last good answers, kept beyond their TTL so that they can be shown when the CRM fails. Entries are keyed by
 * portal, so that no other portal sees them, and by the fields that were searched. A check never replaces a later one. Of
 * negative entries only the newest are kept, some ten thousand.
 */
export interface ProfileCache {
  getCompanies(portal: string, by: LookupFields, orgIds: readonly OrgId[]): Promise<Map<OrgId, CachedCompany>>;
  /** `askedAt` (epoch milliseconds): these answers may not reflect what the CRM announced after that. */
  putCompanies(
    portal: string,
    by: LookupFields,
    entries: ReadonlyMap<OrgId, Omit<CachedCompany, 'outdated'>>,
    askedAt: number,
  ): Promise<void>;
  /** The company changed in the CRM at this time (epoch milliseconds). Returns the entries that contain it. */
  markOutdated(portal: string, crmCompanyId: string, moment: number): Promise<CompanyKey[]>;
  /** Deletes every "no such company"; returns how many there were. */
  deleteNegative(portal: string): Promise<number>;
  getUser(portal: string, id: string): Promise<CachedUser | null>;
  putUsers(portal: string, entries: ReadonlyMap<string, CachedUser>): Promise<void>;
  /** Deletes entries not checked since the given time (epoch milliseconds), at most `limit`; returns how many. */
  deleteCheckedBefore(moment: number, limit: number): Promise<number>;
  /** Throws unless the store can be read and written. */
  probe(): Promise<void>;
}
