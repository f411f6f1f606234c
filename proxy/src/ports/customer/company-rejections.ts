import type { FieldChange } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import type { RejectionReason } from '@deskside/shared/rejection';

/** An agent's word that a company is not the customer of a ticket, nor of whoever raised it (docs/decisions.md 28). */
export interface Rejection {
  id: string;
  ticket: string;
  /** The sender's address in lower case; null if the word is about this ticket alone. */
  sender: string | null;
  orgId: OrgId;
  /** Null if the CRM had no company for the org id. */
  crmCompanyId: string | null;
  /** As the CRM had it. */
  companyName: string | null;
  /** The agent's user id. */
  agent: string;
  reason: RejectionReason;
  /** What was taken back on the ticket; null until that is done. */
  taken: TakenBack | null;
  /** Epoch milliseconds. */
  at: number;
  /** When it ceased to count; null while it stands. */
  liftedAt: number | null;
}

/** What a rejection did to its ticket, so that it can be undone. */
interface TakenBack {
  /** The customer that was taken off the ticket; null if none was. */
  customer: string | null;
  /** The one that the ticket has instead. */
  instead: string | null;
  changes: FieldChange[];
  /** The sync that no longer counts since; null if there was none. */
  sync: string | null;
  /** The adoption that was undone: by this ticket its customer had become the company. */
  adoption?: string | null | undefined;
}

/** What a rejection is about: a company, by either of its ids, and a ticket or whoever raised it. */
interface RejectedMatch {
  ticket: string;
  sender: string | null;
  orgId: OrgId;
  crmCompanyId: string | null;
}

/**
 * Which companies agents have rejected for which senders: our own record, an input of every judgement. Entries are
 * deleted with everything else about their ticket (`TicketMemory`). Survives `kill -9`.
 */
export interface CompanyRejections {
  /** Records a rejection before its effects; returns its id, which cannot be guessed. */
  record(rejection: Omit<Rejection, 'id' | 'taken' | 'liftedAt'>): Promise<string>;
  get(id: string): Promise<Rejection | null>;
  /** Those that stand for the ticket or for its sender, newest first. */
  standing(of: { ticket: string; sender: string | null }): Promise<Rejection[]>;
  noteTaken(id: string, taken: TakenBack): Promise<void>;
  /** Lifts every standing rejection of the company for the ticket or the sender. `by`: what `restore` knows it by. */
  lift(match: RejectedMatch, by: string, at: number): Promise<void>;
  /** Lets stand again what this lifted. Repeatable. */
  restore(by: string): Promise<void>;
}
