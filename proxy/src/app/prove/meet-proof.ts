import { OrgId } from '@deskside/shared/orgid';
import type { Context } from '#app/context.ts';
import { hasCrm } from '#app/crm/crm-layers.ts';
import { searchCompany } from '#app/crm/lookup-company.ts';
import { planDecision, type WriterNeeds } from '#app/routing/decision-writer.ts';
import type { DecidedBy } from '#domain/routing/decide-routing.ts';
import { nextInTurn } from '#domain/routing/round-robin.ts';
import type { PipelineTicket } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { TicketWork } from '#store/tickets/inbox.ts';
import type { ProofMet, ProofNote } from '#store/upkeep/run-notes.ts';

export type MeetNeeds = WriterNeeds & Pick<Context, 'upkeep' | 'decisions' | 'crm' | 'crmEnabled' | 'crmTimeoutMs'>;

/** An insert takes no longer than this until its name is known. */
const namedWithinMs = 15_000;
const lookAgainMs = 250;
/** Later the name may be another ticket's, in a helpdesk that was restored. */
const knownForMs = 10 * 60_000;

/** Where there is no customer yet, any shows whether the CRM answers. */
const anyOrgId = OrgId.parse('1');
const confirmed = { level: 'confirmed' as const, evidence: [] };

/**
 * Deals with a ticket of the service account that `prove` has made: it is looked up and decided like another one, and only
 * noted. The name alone says which it is. While such a ticket is about to be named, others of the account wait a moment.
 * Null for every other ticket: that is the pipeline's. Throws HelpdeskError; `again` as with `runTicketPipeline`.
 */
export async function meetProof(
  ctx: MeetNeeds,
  work: TicketWork,
  ticket: PipelineTicket,
  signal: AbortSignal,
): Promise<{ again: number | null } | null> {
  const note = await ctx.upkeep.proof();
  const age = note === null ? Number.POSITIVE_INFINITY : ctx.clock() - note.begunAt;
  if (note === null || age > knownForMs) return null;
  if (note.ticket === null && age < namedWithinMs) return { again: ctx.clock() + lookAgainMs };
  if (note.ticket !== work.ticket) return null;
  if (note.met === null) await ctx.upkeep.noteProof({ ...note, met: await meet(ctx, note, work, ticket, signal) });
  return { again: null };
}

async function meet(
  ctx: MeetNeeds,
  { orgId }: ProofNote,
  { cause, since }: TicketWork,
  ticket: PipelineTicket,
  signal: AbortSignal,
): Promise<ProofMet> {
  const takenAt = ctx.clock();
  const asks = ctx.crmEnabled && hasCrm(ctx);
  const looked = asks ? await searchCompany(ctx, orgId ?? anyOrgId, { refresh: true, lane: 'open' }) : null;
  const answeredAt = ctx.clock();
  const company = looked?.companies[0]?.fields;
  const checked_at = new Date(answeredAt).toISOString();
  const inputs: DecidedBy = {
    customer: null,
    findings: [],
    meta_failures: [],
    agent_group: null,
    org_id: orgId && { value: orgId, source: 'ticket', field: 'org_id', trust: confirmed },
    crm: looked && { status: looked.status, error: looked.error, checked_at, stale: looked.stale },
    looked_up: {
      source: 'crm' as const,
      checked_at,
      segment: company?.customer_segment ?? null,
      shop_plan: company?.current_shopplan ?? null,
    },
    ticket_segment: null,
  };
  const { outcome, turn } = await planDecision(ctx, { ticket, inputs }, null, signal);
  const last = turn && (await ctx.decisions.lastAgent(turn.team));
  return {
    cause,
    heardAt: since,
    takenAt,
    crm: { status: looked?.status ?? null, error: looked?.error ?? null, answeredAt },
    team: outcome.team,
    reason: outcome.reason,
    next: turn && nextInTurn(turn.members, turn.eligible, last),
    decidedAt: ctx.clock(),
  };
}
