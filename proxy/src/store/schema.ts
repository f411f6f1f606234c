import { type Generated, type Kysely, type RawBuilder, sql } from 'kysely';
import type { LookupFields } from '#crm/bitrix24.ts';

/** The database with what must not be lost. */
export type StateDb = Kysely<StateSchema>;

/** The database with what the CRM said; on PostgreSQL the same as the other. */
export type CacheDb = Kysely<CacheSchema>;

/** What makes a ticket out: names can be reused. `creation`: the helpdesk's own timestamp, opaque. */
export interface TicketKey {
  name: string;
  creation: string;
}

/** The key alone, for a record of its own. */
export function keyOf({ name, creation }: TicketKey): TicketKey {
  return { name, creation };
}

/** Whether two are one ticket. */
export function isSameTicket(a: TicketKey | null, b: TicketKey | null): boolean {
  return a !== null && b !== null && a.name === b.name && a.creation === b.creation;
}

/** Tables of the state. Times are epoch milliseconds, flags 0 or 1. */
export interface StateSchema {
  /**
   * A ticket to work on, and what is kept of it. `inserted`: JSON of an Insert without its creation, as the signed webhook
   * told it at `told_at`; null where none did. `due_at`: null if nothing is left to do. `revision` increases when something
   * comes in during a claim. `active_at`: when it was last known to be in use; null if nothing is kept of it. `gone`: the
   * helpdesk did not have it any more when it was last looked at. `owners`: JSON of the account owners whose addresses we wrote
   * to it, and of which companies. `forgotten`: its decisions have been deleted.
   */
  tickets: {
    ticket: string;
    creation: string;
    inserted: string | null;
    told_at: number | null;
    found_by: Generated<'webhook' | 'sweep'>;
    since: Generated<number>;
    due_at: number | null;
    attempts: Generated<number>;
    revision: Generated<number>;
    claimed_by: string | null;
    claimed_until: number | null;
    active_at: number | null;
    gone: Generated<number>;
    owners: string | null;
    forgotten: Generated<number>;
  };
  /** Which org ids tickets have carried, and for whom, in lower case. */
  claims: { sender: string; org_id: string; ticket: string; creation: string };
  /**
   * Ids grow in the order of the decisions. `number` 0: made before the ticket had a name, under its uuid. `latest`: whether it
   * is the ticket's latest. `waiting_team`: the latest, and nobody of this team was available; empty for no team, null if it
   * does not wait. `open_claim`: the org id of the latest, if it is a claim that may yet be confirmed. `decision`: JSON of
   * everything but the id.
   */
  decisions: {
    id: Generated<number>;
    ticket: string;
    creation: string;
    number: number;
    latest: number;
    waiting_team: string | null;
    open_claim: string | null;
    decided_at: number;
    decision: string;
  };
  /** Who got the last ticket of each team. */
  turns: { team: string; last_agent: string | null };
  /**
   * `kind`: an agent linked a ticket to a company's customer, or a customer made by hand became a company. `before`: JSON of
   * what was there before. `sender`: who raised the ticket, in lower case, and the domain of the address where it says something.
   */
  syncs: {
    id: string;
    kind: 'sync' | 'adoption';
    ticket: string | null;
    creation: string | null;
    agent: string | null;
    org_id: string;
    crm_company_id: string;
    customer: string;
    before: string;
    sender: string | null;
    sender_domain: string | null;
    at: number;
    undone_at: number | null;
  };
  /** `reason`, `taken`: JSON of RejectionReason and TakenBack. `lifted_by`: the sync that lifted it, or another name. */
  rejections: {
    id: string;
    ticket: string;
    creation: string;
    sender: string | null;
    org_id: string;
    crm_company_id: string | null;
    company_name: string | null;
    agent: string;
    reason: string;
    taken: string | null;
    at: number;
    lifted_at: number | null;
    lifted_by: string | null;
  };
  /** What one process has for itself. */
  leases: { key: string; owner: string; until: number };
  /** What else is remembered, JSON. */
  notes: { key: string; note: string; at: number };
}

/**
 * The table of the cache. Times are epoch milliseconds, `found` is 0 or 1. `kind`: the fields by which `key`, an org id, was
 * looked up; `user` of an account owner. `company_id`: the company in the answer. Where it has several, each of the others has
 * a row of kind `also` that leads to it.
 */
export interface CacheSchema {
  crm_cache: {
    portal: string;
    kind: LookupFields | 'user' | 'also';
    key: string;
    company_id: string | null;
    answer: string;
    found: number;
    checked_at: number;
    /** When the CRM announced a change that this answer may not reflect; null if it did not. */
    outdated_at: number | null;
  };
}

/** Rows of these tickets, by `ticket` and `creation`. At least one. */
export function isOneOf(keys: readonly TicketKey[]): RawBuilder<boolean> {
  return sql<boolean>`(ticket, creation) in (values ${sql.join(keys.map(({ name, creation }) => sql`(${name}, ${creation})`))})`;
}
