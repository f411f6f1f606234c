import type { OrgId } from '@deskside/shared/orgid';

/** How far a ticket has come that `prove` has made. Instants in epoch milliseconds. */
export interface ProofMet {
  /** What told us of it. */
  cause: 'webhook' | 'sweep';
  heardAt: number;
  /** When the pipeline began to work on it. */
  takenAt: number;
  /** What the CRM said of the org id; `status` null where no CRM is asked. */
  crm: { status: 'matched' | 'not_found' | 'cached' | 'error' | null; error: string | null; answeredAt: number };
  /** Null where the team cannot be used. */
  team: string | null;
  reason: string;
  /** Who would have got it; null if nobody is available. */
  next: string | null;
  decidedAt: number;
}

/** The last ticket that `prove` has made, or is about to. */
export interface ProofNote {
  begunAt: number;
  /** Its name, which our own insert gave; null before, and once it is deleted. */
  ticket: string | null;
  /** What the CRM is asked about; null: the helpdesk has no customer with an org id. */
  orgId: OrgId | null;
  /** Null until the pipeline has seen it. */
  met: ProofMet | null;
}

/** The helpdesk as a proof needs it, as the service account. Every method may throw HelpdeskError. */
export interface ProofSite {
  /** What a new ticket sets off besides us, such as `Webhook "…"`; null if this key may not know. */
  alsoSetOff(signal: AbortSignal): Promise<string[] | null>;
  /** The org id of some customer; null if there is none. */
  someOrgId(signal: AbortSignal): Promise<OrgId | null>;
  /** Inserts a ticket raised by the service account, without customer, text or org id, and gives its name. */
  insert(subject: string, signal: AbortSignal): Promise<string>;
  /** Deletes it; harmless if it is gone. Returns whether the copy is gone too that the helpdesk keeps. */
  remove(ticket: string, signal: AbortSignal): Promise<boolean>;
  /**
   * Why the helpdesk could not send our webhook about the ticket, in its own words; null if its log does not say, or not yet.
   * The whole is null where nobody may read that log.
   */
  webhookError: ((ticket: string, signal: AbortSignal) => Promise<string | null>) | null;
  /** Asks for its profile where agents do; returns why there is none, or null. Does not throw. */
  profile(ticket: string, signal: AbortSignal): Promise<string | null>;
}
