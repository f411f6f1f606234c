import type { Generated, Kysely } from 'kysely';
import type { LookupFields } from '#crm/bitrix24.ts';

/** The database with what must not be lost. */
export type StateDb = Kysely<StateSchema>;

/** The database with what the CRM said; on PostgreSQL the same as the other. */
export type CacheDb = Kysely<CacheSchema>;

/** Tables of the state. Times are epoch milliseconds, flags 0 or 1. */
export interface StateSchema {
  // Of the ticket pipeline.
  /** `digest`: of the event's body. */
  ticket_event: { digest: string; ticket: string; received_at: number };
  /**
   * `inserted`: JSON of an Insert without its creation, as the signed webhook told it; null where none did. `org_ids`: JSON
   * of all that the ticket has carried. `sender`: who raised it, in lower case. A row without `sender` and `inserted` is all
   * that stays of a ticket whose decisions were deleted.
   */
  ticket_insert: {
    ticket: string;
    creation: string;
    sender: string | null;
    inserted: string | null;
    org_ids: string;
    at: number;
  };
  /** `due_at`: null if nothing is left to do. `revision` increases when something comes in during a claim. */
  ticket_work: {
    ticket: string;
    cause: 'webhook' | 'sweep';
    since: number;
    due_at: number | null;
    attempts: number;
    revision: number;
    claimed_by: string | null;
    claimed_until: number | null;
  };
  /** One row. */
  sweep_mark: { id: number; from_stamp: string; until_stamp: string };
  /**
   * Ids grow in the order of the decisions. `latest`: whether it is the ticket's latest. `waiting`: the latest, and
   * nobody was available; `waiting_team`: in which team, empty if in none, null if it does not wait. `open_claim`: the org id of the latest, if it is a claim that may yet be confirmed. `decision`: JSON of everything but the id.
   */
  routing_decision: {
    id: Generated<number>;
    ticket: string;
    number: number;
    latest: number;
    waiting: number;
    waiting_team: string | null;
    open_claim: string | null;
    decision: string;
  };
  /** Who got the last ticket of each team. */
  team_cursor: { team: string; last_agent: string | null };
  preliminary_decision: { key: string; team: string; reason: string; at: number };

  // The sync log and our own records about customers.
  sync_log: {
    id: string;
    ticket: string;
    agent: string;
    org_id: string;
    crm_company_id: string;
    customer: string;
    previous_customer: string | null;
    at: number;
    undone_at: number | null;
    /** Who raised the ticket, in lower case, and the domain of the address where it says something. */
    sender: string | null;
    sender_domain: string | null;
  };
  /** `reason`, `taken`: JSON of RejectionReason and TakenBack. `lifted_by`: the sync that lifted it, or another name. */
  company_rejection: {
    id: string;
    ticket: string;
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
  /** `changes`: JSON of FieldChange[]. */
  customer_adoption: {
    id: string;
    customer: string;
    org_id: string;
    crm_company_id: string;
    company_name: string | null;
    by_user: string | null;
    via: string;
    ticket: string | null;
    changes: string;
    at: number;
    undone_at: number | null;
  };

  // What is remembered of tickets.
  /** One row per ticket with records. `gone`: the helpdesk did not have it any more when it was last looked at. */
  ticket_memory: { ticket: string; active_at: number; gone: number };

  // By which processes coordinate, and what the store remembers of the work on it.
  lease: { key: string; owner: string; until: number };
  /** `empty_at`: when the bucket of requests will have drained. */
  crm_budget: { portal: string; empty_at: number };
  missing_anchor: { anchor: string; extension: string; helpdesk: string | null; at: number };
  /** `note`: JSON of what else is remembered of that work. */
  upkeep: { task: string; note: string; at: number };
}

/**
 * Tables of the cache. Times are epoch milliseconds, JSON is text, `found` is 0 or 1. On SQLite they are ordinary rowid
 * tables: with rows of a kilobyte, a table without rowid costs several times the reads.
 */
export interface CacheSchema {
  crm_company_cache: {
    portal: string;
    lookup: LookupFields;
    org_id: string;
    companies: string;
    found: number;
    checked_at: number;
    /** When the CRM announced a change that this answer may not reflect; null if it did not. */
    outdated_at: number | null;
  };
  /** The entries that contain a company of the CRM. May name one that no longer does. */
  crm_company_key: {
    portal: string;
    company_id: string;
    lookup: LookupFields;
    org_id: string;
    checked_at: number;
  };
  crm_user_cache: { portal: string; user_id: string; crm_user: string; checked_at: number };
  /** One row, incremented by the probe. */
  cache_probe: { id: number; probes: number };
}
