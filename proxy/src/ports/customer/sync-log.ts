import type { OrgId } from '@deskside/shared/orgid';

/** One Sync by an agent: the ticket was linked to the customer of the company that the agent had on screen. */
export interface SyncEntry {
  id: string;
  ticket: string;
  /** The agent's user id. */
  agent: string;
  orgId: OrgId;
  crmCompanyId: string;
  /** The customer that the ticket was linked to, and the one it had before. */
  customer: string;
  previousCustomer: string | null;
  /** Epoch milliseconds. */
  at: number;
  undoneAt: number | null;
}

/** Who raised a ticket: the address in lower case, and its domain unless anybody can have an address there. */
export interface Sender {
  address: string;
  domain: string | null;
}

/** `sender`: whose later suggestions it orders; without one, nobody's. */
type NewSyncEntry = Omit<SyncEntry, 'id' | 'undoneAt'> & { sender?: Sender | null };

/** A company that an agent chose. */
export interface EarlierChoice {
  orgId: OrgId;
  crmCompanyId: string;
}

/**
 * Who synced what: our own record, which undo and trust rest on (docs/decisions.md 9 and 20). Entries are deleted with
 * everything else about their ticket (`TicketMemory`).
 */
export interface SyncLog {
  /** Records an entry before its effect; returns its id, which cannot be guessed. */
  record(entry: NewSyncEntry): Promise<string>;
  get(id: string): Promise<SyncEntry | null>;
  /** The latest sync of the ticket that was not undone. */
  latest(ticket: string): Promise<SyncEntry | null>;
  /** What agents chose for a sender, latest first, and after that for others of the domain; nothing that was undone. */
  choicesOf(sender: Sender): Promise<EarlierChoice[]>;
  /** Lets a sync count again. Repeatable. */
  restore(id: string): Promise<void>;
  /** Repeatable: the first time stays. */
  markUndone(id: string, at: number): Promise<void>;
}
