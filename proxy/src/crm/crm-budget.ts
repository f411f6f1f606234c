import type { OrgId } from '@deskside/shared/orgid';
import type { Reading } from '#intake/read-query.ts';
import type { CompanyAnswer, LookupFields, RequestKind, SearchAnswer, SegmentNames, UserAnswer } from './crm.ts';
import type { Lane } from './request-bucket.ts';

export type { Lane } from './request-bucket.ts';

/** How urgent a question is. `deadline` (epoch milliseconds): there is no point in sending it later than this. */
export interface Urgency {
  lane: Lane;
  deadline: number;
}

/** Whether one more request may be sent now; if not, the least time until so many can have been, in milliseconds. */
type Allowance = { ok: true } | { ok: false; waitFor(requests: number): number };

/**
 * The requests that a portal accepts from this address, shared by everyone who asks it: a bucket that holds a number of
 * requests and drains at a steady rate (docs/crm.md#limits), divided into a share for each lane. What a lane leaves unused
 * the others may use, but for a part that stays free for it.
 */
export interface RequestBudget {
  take(portal: string, lane: Lane): Promise<Allowance>;
  /** The portal reported that its bucket is full; its word overrides our count. */
  fill(portal: string): Promise<void>;
  /** How many requests each lane's own share takes at once. Changes nothing. */
  left(portal: string): Promise<Record<Lane, number>>;
}

/** What the CRM said about one org id. */
export interface CompanyReply {
  answer: CompanyAnswer;
  /** The first company's account owner, if included in the same response. */
  owner: UserAnswer | null;
  /** When the question was sent, in epoch milliseconds: the answer does not reflect anything later. */
  askedAt: number;
}

/**
 * The CRM within its budget. Questions queue, those that wait together are sent together, and none is sent after its
 * deadline: it fails as `rate_limited` as soon as that is known. A CRM that keeps failing is left alone for a while;
 * until then everything fails at once, with the reason. No question throws.
 */
export interface BudgetedCrm {
  findCompany(orgId: OrgId, by: LookupFields, urgency: Urgency): Promise<CompanyReply>;
  findUser(id: string, urgency: Urgency): Promise<UserAnswer>;
  searchCompanies(readings: readonly Reading[], urgency: Urgency): Promise<SearchAnswer>;
  readSegmentNames(urgency: Urgency): Promise<SegmentNames>;
  /** For an operator. Throws if the store fails. */
  state(): Promise<CrmState>;
}

/** How much of the CRM's budget is left, and who waits for it. */
export interface CrmState {
  /** Requests that each lane's own share takes at once, of all replicas. */
  left: Record<Lane, number>;
  /** Questions that wait in each lane of this replica. */
  waiting: Record<Lane, number>;
  /** Execution time that the CRM has counted, as far as it has said so and it still counts. */
  operatingSeconds: Partial<Record<RequestKind, number>>;
}
