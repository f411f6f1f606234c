import type { OrgId } from '@deskside/shared/orgid';
import type { Company } from '@deskside/shared/profile';
import type { CrmErrorCode } from '@deskside/shared/status';
import type { CompanyHit } from '#customers/found-company.ts';
import type { Reading } from '#intake/read-query.ts';

/** A company as the CRM port returns it: normalised, but with instants where the response needs the time of day. */
export interface CrmCompany {
  /** Everything in the contract's Company that does not depend on the current time. */
  fields: Omit<Company, 'shopplan_status' | 'shopplan_days_left'>;
  /** Epoch milliseconds; null if the CRM has no such date or it is unreadable. */
  planExpiresAt: number | null;
  modifiedAt: number | null;
  /** The company's own e-mail addresses in lower case, including the shop owner's. */
  emails: string[];
  contacts: CrmPerson[];
  /** Name of the CRM field whose value is the org id. */
  matchedField: string;
  /** The record as the CRM sent it, as JSON text without files and secrets. */
  payload: string;
}

/** A contact of the company. E-mail addresses are in lower case, telephone numbers as the CRM has them. */
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

/** The result of looking up one org id. `failed` says nothing about whether the company exists. */
export type CompanyAnswer =
  | { kind: 'found'; companies: [CrmCompany, ...CrmCompany[]] }
  | { kind: 'empty' }
  | { kind: 'failed'; code: CrmErrorCode };

/** The result of looking up one user. */
export type UserAnswer = { kind: 'found'; user: CrmUser } | { kind: 'empty' } | { kind: 'failed'; code: CrmErrorCode };

/**
 * The result of a search: candidates, of which some may not match. `isCut`: there are more than the CRM lists. `failed`:
 * why a part of it could not be searched, null if everything was.
 */
export interface SearchAnswer {
  companies: CompanyHit[];
  isCut: boolean;
  failed: CrmErrorCode | null;
}

/** Names of the customer segments by their code in the CRM. */
export type SegmentNames =
  | { kind: 'found'; names: ReadonlyMap<string, string> }
  | { kind: 'failed'; code: CrmErrorCode };

/**
 * Which fields must hold the org id (docs/decisions.md 3): the Company ID alone, as profiles look it up, or the
 * platform's org id and, only if no company has it, the Company ID, as enrichment does.
 */
export const lookupFields = ['company_id', 'platform_orgid_then_company_id'] as const;
export type LookupFields = (typeof lookupFields)[number];

/** Kinds of request whose execution time the CRM counts separately. */
export type RequestKind = 'companies' | 'users' | 'searches';

/**
 * Execution time that the CRM has counted in its current window, and when the oldest part of it drops (epoch
 * milliseconds).
 */
export interface OperatingTime {
  seconds: number;
  resetAt: number;
}

/** A change announced by the CRM. `changed`: a company was changed or deleted. `companyId`: null if none is named. */
export interface CompanyEvent {
  kind: 'added' | 'changed' | 'fields_changed';
  companyId: string | null;
}

export interface CompanyLookup {
  /**
   * An answer for each org id asked for. Companies newest first (docs/decisions.md 3), those found by the first field
   * before those found by the second.
   */
  companies: Map<OrgId, CompanyAnswer>;
  /** By user id: account owners included in the same response. Empty if they need a request of their own. */
  users: Map<string, UserAnswer>;
}

/** The CRM: 'company for this org id'. Never throws for anything the CRM does; the answer reports it instead. */
export interface Crm {
  /** Identifies the portal in cache keys; holds no secret. */
  readonly portal: string;
  /** Whether account owners can be looked up at all. */
  readonly knowsUsers: boolean;

  /** The most org ids, users and searches that one request can hold. */
  readonly maxPerRequest: Readonly<Record<RequestKind, number>>;

  /** Looks up companies by org id, all in one request. */
  findCompanies(orgIds: readonly OrgId[], by: LookupFields, signal: AbortSignal): Promise<CompanyLookup>;

  /** Looks up account owners, all in one request, with an answer for each. */
  findUsers(ids: readonly string[], signal: AbortSignal): Promise<Map<string, UserAnswer>>;

  /** Searches companies by anything that an agent may have typed, each search for itself, all in one request. */
  searchCompanies(searches: readonly (readonly Reading[])[], signal: AbortSignal): Promise<SearchAnswer[]>;

  /** Reads the names of the customer segments in one request. */
  readSegmentNames(signal: AbortSignal): Promise<SegmentNames>;

  /** What the last good response of this kind said about its execution time; null if there was none. */
  operatingTime(kind: RequestKind): OperatingTime | null;
}
