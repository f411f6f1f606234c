import type { OrgId } from '@deskside/shared/orgid';

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
