import * as z from 'zod/mini';
import { FieldChange } from './enrichment.ts';
import { OrgId } from './orgid.ts';
import { LookupTrust } from './profile.ts';
import { CrmErrorCode, LookupStatus } from './status.ts';

const text = z.nullable(z.string());

/**
 * What intake found in a ticket, and where (spec.md, "Ticket intake"). `quote` is the text that it was read from, at most
 * 200 characters; `address` was fetched for it. Whatever stands here is the sender's claim (design.md, decision 9).
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

/** Why an address that the sender named told nothing. `failed` may tell something later, `none` will not. */
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

/** What the ticket's status field says of the routing (design.md, decision 23). */
export const RoutingStatus = z.enum(['Complete', 'Missing OrgID', 'Skipped', 'API Error']);
export type RoutingStatus = z.infer<typeof RoutingStatus>;

/** The rules in the order in which they are asked; the first that hits decides. */
export const routingRules = [
  'group_kept',
  'missing_orgid',
  'claim_not_trusted',
  'medium_scale',
  'medium_grow',
  'medium_other',
  'sme',
] as const;
export const RoutingRule = z.enum(routingRules);
export type RoutingRule = z.infer<typeof RoutingRule>;

/** Why a member of the team was taken or not. `next_in_turn` is the one who gets the ticket. */
export const AgentReason = z.enum([
  'next_in_turn',
  'not_his_turn',
  'away_while_others_are_active',
  'unavailable',
  'agent_inactive',
  'no_agent_record',
  'user_disabled',
]);
export type AgentReason = z.infer<typeof AgentReason>;

/** Everything that a decision rests on: enough to make it again under other rules, without asking anybody. */
export const RoutingInputs = z.object({
  org_id: z.nullable(z.object({ value: OrgId, source: z.string(), field: z.string(), trust: z.nullable(LookupTrust) })),
  /** The customer that the ticket is linked to. `checked_at`: ISO instant of the CRM check that his data come from. */
  customer: z.nullable(z.object({ name: z.string(), segment: text, shop_plan: text, checked_at: text })),
  ticket_segment: text,
  /** The ticket's status when it was decided on; another one later is somebody's doing. */
  ticket_status: z.string(),
  /** The helpdesk's stamp of the ticket's creation: names can be used again. */
  ticket_creation: z.optional(z.string()),
  /** The group that stood on the ticket before; `set_by` deskside: decided before the insert, or by fallback. */
  agent_group: z.nullable(z.object({ name: z.string(), set_by: z.enum(['person', 'sender', 'deskside']) })),
  /** Null where there was no org id to look up. */
  crm: z.nullable(
    z.object({ status: LookupStatus, error: z.nullable(CrmErrorCode), checked_at: text, stale: z.boolean() }),
  ),
  findings: z.array(Finding),
  meta_failures: z.array(MetaFailure),
});
export type RoutingInputs = z.infer<typeof RoutingInputs>;

/** What the rules say of the inputs. `team` is null only where the group was kept. */
export const RoutingOutcome = z.object({
  team: text,
  segment: z.enum(['Medium', 'SME']),
  shopplan: z.enum(['Medium Scale', 'Medium Grow', 'SME']),
  service_plan: text,
  segment_source: z.enum(['hd_customer', 'ticket', 'default']),
  status: RoutingStatus,
  /** Short reason of an error, at most 140 characters; empty where there is none. */
  error: z.string(),
  reason: z.string(),
  /** Set where something failed that may work later: the decision is made again then (design.md, decision 26). */
  fallback: z.nullable(z.enum(['crm', 'meta_json', 'team_missing'])),
  rules: z.array(z.object({ rule: RoutingRule, hit: z.boolean() })),
});
export type RoutingOutcome = z.infer<typeof RoutingOutcome>;

export const Assignment = z.object({
  /**
   * `none`: nothing to assign. `planned`: our record says so, the helpdesk may not know yet. `assigned`: by us.
   * `already_assigned`: somebody had the ticket. `nobody_available`: waits for somebody's return. `withdrawn`: ours was
   * taken back because somebody else had the ticket too, or had set the group.
   */
  state: z.enum(['none', 'planned', 'assigned', 'already_assigned', 'nobody_available', 'withdrawn']),
  agent: text,
  /** Team members in row order. */
  candidates: z.array(z.object({ user: z.string(), reason: AgentReason })),
});
export type Assignment = z.infer<typeof Assignment>;

/** One decision on where a ticket goes, as it was made (design.md section 4). Instants are ISO in UTC. */
export const RoutingDecision = z.object({
  id: z.string(),
  ticket: z.string(),
  /** 1 is the first decision on this ticket. */
  number: z.int(),
  cause: z.enum(['webhook', 'sweep', 'before_insert', 'repair']),
  decided_at: z.string(),
  /** `planned` until the helpdesk has it; `overruled` where a person was faster. */
  state: z.enum(['planned', 'applied', 'overruled']),
  inputs: RoutingInputs,
  outcome: RoutingOutcome,
  assignment: Assignment,
  /** What linking did: the customer that the ticket was given, or that it would have been given were claims trusted. */
  link: z.nullable(z.object({ customer: z.string(), previous: text, done: z.boolean() })),
});
export type RoutingDecision = z.infer<typeof RoutingDecision>;

/** `data` of GET /api/routing/decisions: newest first, empty where Deskside never decided on this ticket. */
export const RoutingDecisions = z.object({ ticket: z.string(), decisions: z.array(RoutingDecision) });
export type RoutingDecisions = z.infer<typeof RoutingDecisions>;

/** `data` of intake on demand. */
export const IntakeData = z.object({
  status: z.enum(['found', 'not_found', 'failed']),
  orgid: z.nullable(OrgId),
  platform_domain: text,
  findings: z.array(Finding),
  meta_failures: z.array(MetaFailure),
  ticket: z.object({ name: z.string() }),
  /** Fields that were written to the ticket. */
  changes: z.array(FieldChange),
});
export type IntakeData = z.infer<typeof IntakeData>;
