import type { Generated } from 'kysely';
import type { TicketWork } from '#ports/intake/inbox.ts';

/** Tables of the ticket pipeline, the sync log and our own records about customers. Times are epoch milliseconds, flags 0 or 1. */
export interface PipelineSchema {
  /** `digest`: of the event's body. `inserted`: JSON of InsertedTicket; null where the body did not say. */
  ticket_event: { digest: string; ticket: string; received_at: number; inserted: string | null };
  /** `due_at`: null if nothing is left to do. `revision` increases when something comes in during a claim. */
  ticket_work: {
    ticket: string;
    cause: TicketWork['cause'];
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
  /** `sight`: JSON of a FirstState without ticket and creation. */
  first_sight: { ticket: string; creation: string; sight: string; at: number };
  preliminary_decision: { key: string; team: string; reason: string; at: number };
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
  /** `evidence`, `changes`: JSON of AdoptionEvidence and FieldChange[]. */
  customer_adoption: {
    id: string;
    customer: string;
    org_id: string;
    crm_company_id: string;
    company_name: string | null;
    by_user: string | null;
    via: string;
    ticket: string | null;
    batch: string | null;
    evidence: string;
    changes: string;
    at: number;
    undone_at: number | null;
  };
  customer_binding: { customer: string; org_id: string; at: number; on_claim: number };
  /** `match`: JSON of CustomerMatch. */
  customer_match: { customer: string; match: string; at: number };
  /** `facts`: JSON of MendableFacts. */
  customer_written: { customer: string; facts: string; at: number };
  /** One row per ticket with records. `gone`: the helpdesk did not have it any more when it was last looked at. */
  ticket_memory: { ticket: string; active_at: number; gone: number };
  /** What stays of a ticket that was decided. `creation`: the helpdesk's timestamp, empty if the record did not say. */
  ticket_tombstone: { ticket: string; creation: string; team: string | null; forgotten_at: number };
}
