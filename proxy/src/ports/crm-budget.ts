import type { OrgId } from '@deskside/shared/orgid';
import type { Lane } from '../domain/request-bucket.ts';
import type { CompanyAnswer, LookupFields, SegmentNames, UserAnswer } from './crm.ts';

export type { Lane } from '../domain/request-bucket.ts';

/** How much a question hurries. `deadline` (epoch milliseconds): sent later than this it would be of no use. */
export interface Urgency {
  lane: Lane;
  deadline: number;
}

/** Whether one more request may be sent now; if not, in how many milliseconds at the earliest. */
export type Allowance = { ok: true } | { ok: false; waitMs: number };

/**
 * The requests that one portal takes from this address, shared by everybody who asks it: a bucket that holds a number of
 * requests and drains at a steady rate (facts/bitrix24.md section 6). The lower lanes leave a part of it to the higher.
 */
export interface RequestBudget {
  /** The time after which the portal takes one more request, in milliseconds. */
  readonly intervalMs: number;
  take(portal: string, lane: Lane): Promise<Allowance>;
  /** The portal says that the bucket is full; it knows better. */
  fill(portal: string): Promise<void>;
}

/** What the CRM said of one org id. */
export interface CompanyReply {
  answer: CompanyAnswer;
  /** The first company's account owner, if he came along in the same request. */
  owner: UserAnswer | null;
  /** When the question was sent, in epoch milliseconds: the answer knows nothing that happened later. */
  askedAt: number;
}

/**
 * The CRM within its budget. Questions wait for their turn, those that wait together are sent together, and none is sent
 * after its deadline: it fails as `rate_limited` as soon as that is known. A CRM that keeps failing is left alone for a
 * while; until then everything fails at once, with the reason. Never throws.
 */
export interface BudgetedCrm {
  findCompany(orgId: OrgId, by: LookupFields, urgency: Urgency): Promise<CompanyReply>;
  findUser(id: string, urgency: Urgency): Promise<UserAnswer>;
  readSegmentNames(urgency: Urgency): Promise<SegmentNames>;
  /** Somebody in a greater hurry wants the same as a question that is under way. */
  hurryCompany(orgId: OrgId, by: LookupFields, urgency: Urgency): void;
  hurryUser(id: string, urgency: Urgency): void;
}
