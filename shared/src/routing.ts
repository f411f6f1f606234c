import * as z from 'zod/mini';
import { FieldChange } from './enrichment.ts';
import { OrgId } from './orgid.ts';
import { LookupTrust, OfferedAdoption } from './profile.ts';
import { CrmErrorCode, LookupStatus } from './status.ts';

const text = z.nullable(z.string());

/**
 * Something that intake found in a ticket, and where (docs/routing.md#intake). `quote` is the text it was read from, at
 * most 200 characters; `address` is what was fetched for it. All of it is the sender's claim (decision 7: who vouches).
 */
export const Finding = z.object({
  kind: z.enum(['org_id', 'platform_domain']),
  value: z.string(),
  source: z.enum(['store_url', 'platform_domain', 'admin_link', 'bare_org_id', 'meta_json', 'text']),
  field: z.string(),
  quote: z.string(),
  address: text,
});
export type Finding = z.infer<typeof Finding>;

/** Why an address named by the sender yielded nothing. `failed` may yield something later, `none` will not. */
export const MetaFailure = z.object({
  address: z.string(),
  outcome: z.enum(['failed', 'none']),
  why: z.enum([
    'blocked',
    'guarded_domain',
    'not_found',
    'not_json',
    'no_org_id',
    'too_large',
    'redirected',
    'timeout',
    'unreachable',
    'server_error',
  ]),
});
export type MetaFailure = z.infer<typeof MetaFailure>;

/** As written to the ticket's status field: whether it was routed with a CRM that did not fail (decision 21: team and status). */
export const RoutingStatus = z.enum(['Complete', 'API Error', 'missing_config']);
export type RoutingStatus = z.infer<typeof RoutingStatus>;

/** The rules in the order of evaluation; the first match decides. */
export const RoutingRule = z.enum([
  'group_kept',
  'missing_orgid',
  'medium_scale',
  'medium_grow',
  'medium_other',
  'sme',
]);
export type RoutingRule = z.infer<typeof RoutingRule>;

/** Why a team member was or was not chosen. `next_in_turn` is the one who gets the ticket. */
export const AgentReason = z.enum([
  'next_in_turn',
  'not_their_turn',
  'away_while_others_are_active',
  'unavailable',
  'agent_inactive',
  'no_agent_record',
  'user_disabled',
]);
export type AgentReason = z.infer<typeof AgentReason>;

/**
 * What an org id does that only the sender vouches for (decision 9: claims). `accept`: it links, creates and enriches.
 * `hold`: it decides the team and nothing else.
 */
export const ClaimsMode = z.enum(['accept', 'hold']);
export type ClaimsMode = z.infer<typeof ClaimsMode>;

/** Segment and plan, whose they are, and when they were checked against the CRM, as an ISO instant. */
const CustomerSegment = z.object({
  segment: text,
  shop_plan: text,
  source: z.enum(['hd_customer', 'crm']),
  checked_at: text,
});

/** Everything that a decision rests on: enough to make it again under other rules without asking anyone. */
export const RoutingInputs = z.object({
  org_id: z.nullable(z.object({ value: OrgId, source: z.string(), field: z.string(), trust: z.nullable(LookupTrust) })),
  /**
   * The customer that the ticket is linked to. `org_id`: its own. `source`: whose segment it is, the record's or, where
   * that has none, its company's in the CRM.
   */
  customer: z.nullable(z.extend(CustomerSegment, { name: z.string(), org_id: z.nullable(OrgId) })),
  /**
   * Segment and plan of the company that the org id names, for a ticket that is not linked to it: from the HD Customer
   * with that org id, else from the CRM. For a claim that is not accepted always.
   */
  looked_up: z.nullable(CustomerSegment),
  /** The mode in force at the time of the decision. */
  claims: ClaimsMode,
  ticket_segment: text,
  /** The ticket's status at the time of the decision; if it differs later, someone has changed it. */
  ticket_status: z.string(),
  /** The helpdesk's creation timestamp of the ticket, because names can be reused. */
  ticket_creation: z.string(),
  /** The group that the ticket already had; `set_by` deskside: decided before the insert, or by fallback. */
  agent_group: z.nullable(z.object({ name: z.string(), set_by: z.enum(['person', 'sender', 'deskside']) })),
  /** Null if there was no org id to look up. */
  crm: z.nullable(
    z.object({ status: LookupStatus, error: z.nullable(CrmErrorCode), checked_at: text, stale: z.boolean() }),
  ),
  findings: z.array(Finding),
  meta_failures: z.array(MetaFailure),
  /**
   * The ticket's customer, if somebody made it by hand: `done` if this ticket made it the company of the org id; else an
   * agent may say so. Absent if it has an org id.
   */
  adoption: z.optional(z.extend(OfferedAdoption, { done: z.boolean() })),
  /** Org ids that the ticket named and that agents have rejected for it or its sender; absent if there are none. */
  rejected: z.optional(z.array(OrgId)),
  /** What stands on the ticket in place of an org id, and why it counts for nothing; absent if there is an org id. */
  unread_org_id: z.optional(z.object({ value: z.string(), why: z.string() })),
  /** The company's segment in the CRM where nobody names that item of the list: it counts as none. */
  unnamed_segment: z.optional(z.string()),
  /** The agent by whose word the ticket is left without org id, by name; absent if none stood in the way. */
  rejected_by: z.optional(z.string()),
  /** Whether the ticket's new customer has a number, because another one has its name. */
  name_taken: z.optional(z.boolean()),
  /** What the helpdesk has against the customer that was to be written; absent if nothing. */
  write_refused: z.optional(z.string()),
});
export type RoutingInputs = z.infer<typeof RoutingInputs>;

/** What a ticket was routed without, because it failed: the CRM, a shop's meta.json, or the target team itself. */
const Fallback = z.enum(['crm', 'meta_json', 'team_missing']);

/** What the rules make of the inputs. `team` is null only if the group was kept. */
export const RoutingOutcome = z.object({
  team: text,
  segment: z.enum(['Medium', 'SME']),
  shopplan: z.enum(['Medium Scale', 'Medium Grow', 'Medium', 'SME']),
  service_plan: text,
  segment_source: z.enum(['hd_customer', 'crm', 'claim', 'ticket', 'default']),
  status: RoutingStatus,
  /** Short description of the error, at most 140 characters; empty if there is none. */
  error: z.string(),
  reason: z.string(),
  /** Set if something failed that may work later: the decision is then made again (decision 23: assign first). */
  fallback: z.nullable(Fallback),
  rules: z.array(z.object({ rule: RoutingRule, hit: z.boolean() })),
});
export type RoutingOutcome = z.infer<typeof RoutingOutcome>;

export const Assignment = z.object({
  /**
   * `none`: nothing to assign. `planned`: recorded here, the helpdesk may not know yet. `assigned`: by us.
   * `already_assigned`: the ticket had an assignee. `nobody_available`: waits until an agent is back. `withdrawn`: ours
   * was removed, or not made any more, because someone else was assigned too, had set the group, or had dealt with the ticket.
   */
  state: z.enum(['none', 'planned', 'assigned', 'already_assigned', 'nobody_available', 'withdrawn']),
  agent: text,
  /** Team members in row order. */
  candidates: z.array(z.object({ user: z.string(), reason: AgentReason })),
  /** Nobody was available at first: the agent got it once somebody was back. */
  waited: z.optional(z.boolean()),
});
export type Assignment = z.infer<typeof Assignment>;

/** A routing decision as it was made (ARCHITECTURE.md#a-new-ticket). Instants are ISO in UTC. */
export const RoutingDecision = z.object({
  id: z.string(),
  ticket: z.string(),
  /** 1 for the ticket's first decision. */
  number: z.int(),
  /**
   * `confirmed`: what was a claim has been vouched for since. `sync_undone`: the Sync behind a decision was undone. Of both team
   * and agent stay. `sync`: decided again, the team included, as an agent asked with their Sync.
   */
  cause: z.enum(['webhook', 'sweep', 'before_insert', 'repair', 'confirmed', 'sync', 'sync_undone']),
  /**
   * How the ticket was found on which this is the first decision, whatever its cause: `sweep` if no webhook had come by
   * then. Absent from later decisions.
   */
  found_by: z.optional(z.enum(['webhook', 'sweep'])),
  /** What had failed and works again, for the cause `repair`. */
  repairs: z.optional(Fallback),
  decided_at: z.string(),
  /** `planned` until the helpdesk has it; `overruled` if a person was faster. */
  state: z.enum(['planned', 'applied', 'overruled']),
  inputs: RoutingInputs,
  outcome: RoutingOutcome,
  assignment: Assignment,
  /** The customer that the ticket was linked to, or would have been if claims were trusted. */
  link: z.nullable(z.object({ customer: z.string(), previous: text, done: z.boolean() })),
});
export type RoutingDecision = z.infer<typeof RoutingDecision>;

/**
 * `data` of GET /api/routing/decisions: newest first, empty if Deskside never routed this ticket. `names`: full names of
 * the helpdesk's users in them, by user, as far as they are known. `refused`: what the helpdesk has against the latest, which
 * it does not let Deskside write to the ticket; absent if nothing.
 */
export const RoutingDecisions = z.object({
  ticket: z.string(),
  decisions: z.array(RoutingDecision),
  names: z.record(z.string(), z.string()),
  refused: z.optional(z.string()),
});
export type RoutingDecisions = z.infer<typeof RoutingDecisions>;

/** `data` of intake on demand. */
export const IntakeData = z.object({
  status: z.enum(['found', 'not_found', 'failed']),
  orgid: z.nullable(OrgId),
  platform_domain: text,
  findings: z.array(Finding),
  meta_failures: z.array(MetaFailure),
  ticket: z.object({ name: z.string() }),
  /** The ticket fields that were written. */
  changes: z.array(FieldChange),
});
export type IntakeData = z.infer<typeof IntakeData>;
