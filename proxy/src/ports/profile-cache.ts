import type { OrgId } from '@deskside/shared/orgid';
import type { CrmCompany, CrmUser, LookupFields } from './crm.ts';

/** What the CRM said of an org id, and when. No `companies` means that it has none: a negative entry. */
export interface CachedCompany {
  companies: CrmCompany[];
  /** Epoch milliseconds of the check. */
  checkedAt: number;
  /** The CRM has announced a change since: what stands here is still the last good answer, but no fresh one. */
  outdated: boolean;
}

/** Which entry of the companies. */
export interface CompanyKey {
  by: LookupFields;
  orgId: OrgId;
}

/** What the CRM said of an account owner. A null user means that it shows no such user. */
export interface CachedUser {
  user: CrmUser | null;
  checkedAt: number;
}

/**
 * Last good answers of the CRM, kept beyond their TTL so that they can be shown when the CRM fails. Entries are
 * keyed by portal, so that another portal never sees them, and by the fields that were searched. A check never replaces
 * a later one.
 */
export interface ProfileCache {
  getCompanies(portal: string, by: LookupFields, orgIds: readonly OrgId[]): Promise<Map<OrgId, CachedCompany>>;
  /** `askedAt` (epoch milliseconds): what the CRM announced after that moment, these answers may not know yet. */
  putCompanies(
    portal: string,
    by: LookupFields,
    entries: ReadonlyMap<OrgId, Omit<CachedCompany, 'outdated'>>,
    askedAt: number,
  ): Promise<void>;
  /** The company changed in the CRM at this moment (epoch milliseconds). Gives the entries that it stands in. */
  markOutdated(portal: string, crmCompanyId: string, moment: number): Promise<CompanyKey[]>;
  /** Forgets every "there is no such company"; returns how many there were. */
  deleteNegative(portal: string): Promise<number>;
  getUser(portal: string, id: string): Promise<CachedUser | null>;
  putUsers(portal: string, entries: ReadonlyMap<string, CachedUser>): Promise<void>;
  /** Removes what nobody has checked since the given moment (epoch milliseconds); returns how many entries. */
  deleteCheckedBefore(moment: number): Promise<number>;
  /** Throws if the store cannot be read and written. */
  probe(): Promise<void>;
  close(): Promise<void>;
}
