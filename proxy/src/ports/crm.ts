import type { OrgId } from '@deskside/shared/orgid';
import type { Company } from '@deskside/shared/profile';
import type { CrmErrorCode } from '@deskside/shared/status';

/** A company as the CRM port gives it: normalised, but with instants where an answer needs the time of day. */
export interface CrmCompany {
  /** Everything of the contract's Company that does not depend on the present moment. */
  fields: Omit<Company, 'shopplan_status' | 'shopplan_days_left'>;
  /** Epoch milliseconds; null where the CRM has no such date or it is unreadable. */
  planExpiresAt: number | null;
  modifiedAt: number | null;
  /** The company's own e-mail addresses, lower case, the shop owner's included. */
  emails: string[];
  contacts: CrmPerson[];
  /** Name of the CRM field whose value is the org id. */
  matchedField: string;
  /** The record as the CRM sent it, as JSON text without files and secrets. */
  payload: string;
}

/** A contact of the company. E-mail addresses are lower case, telephone numbers as the CRM has them. */
export interface CrmPerson {
  id: string;
  name: string | null;
  post: string | null;
  emails: string[];
  phones: string[];
  url: string | null;
}

export interface CrmUser {
  id: string;
  active: boolean;
  email: string | null;
  name: string | null;
  userType: string | null;
}

/** What one look-up of one org id came to. `failed` says nothing about whether the company exists. */
export type CompanyAnswer =
  | { kind: 'found'; companies: [CrmCompany, ...CrmCompany[]] }
  | { kind: 'empty' }
  | { kind: 'failed'; code: CrmErrorCode };

/** What one look-up of one user came to. */
export type UserAnswer = { kind: 'found'; user: CrmUser } | { kind: 'empty' } | { kind: 'failed'; code: CrmErrorCode };

/** Names of the customer segments by their code in the CRM. */
export type SegmentNames =
  | { kind: 'found'; names: ReadonlyMap<string, string> }
  | { kind: 'failed'; code: CrmErrorCode };

/**
 * Which fields have to hold the org id (design.md, decision 3): the Company ID alone, as profiles look it up, or the
 * platform's org id and only where no company has that, the Company ID, as enrichment does.
 */
export const lookupFields = ['company_id', 'platform_orgid_then_company_id'] as const;
export type LookupFields = (typeof lookupFields)[number];

/** Kinds of request whose execution time the CRM counts apart. */
export type RequestKind = 'companies' | 'users';

/** Execution time that the CRM has counted in its present window, and when the oldest part of it drops (epoch milliseconds). */
export interface OperatingTime {
  seconds: number;
  resetAt: number;
}

export interface CompanyLookup {
  /**
   * By org id, an answer for each id that was asked for. Companies newest first (spec.md, "CRM lookup order"), those of
   * the first field before those of the second.
   */
  companies: Map<OrgId, CompanyAnswer>;
  /** By user id: account owners that came along in the same request. Empty where they need a request of their own. */
  users: Map<string, UserAnswer>;
}

/** The CRM: 'company for this org id'. Never throws for anything the CRM did; an answer says so instead. */
export interface Crm {
  /** Identifies the portal in cache keys; holds no secret. */
  readonly portal: string;
  /** Whether account owners can be looked up at all. */
  readonly knowsUsers: boolean;

  /** Most org ids, and most users, that one request can look up. */
  readonly mostPerRequest: Readonly<Record<RequestKind, number>>;

  /** Looks up companies by org id: one request for all of them. */
  findCompanies(orgIds: readonly OrgId[], by: LookupFields, signal: AbortSignal): Promise<CompanyLookup>;

  /** Looks up account owners, an answer for each: one request for all of them. */
  findUsers(ids: readonly string[], signal: AbortSignal): Promise<Map<string, UserAnswer>>;

  /** Reads the names of the customer segments: one request. */
  readSegmentNames(signal: AbortSignal): Promise<SegmentNames>;

  /** What the last good answer of this kind said of the time that it took; null where none did. */
  operatingTime(kind: RequestKind): OperatingTime | null;
}
