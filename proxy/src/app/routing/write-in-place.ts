import type { RoutingDecision } from '@deskside/shared/routing';
import type { Context } from '#app/context.ts';
import type { PipelineTicket, RoutingFields } from '#ports/helpdesk/helpdesk-tickets.ts';
import { isLastFromDesk } from './assignments.ts';
import { writtenFields } from './written-fields.ts';

type Needs = Pick<Context, 'decisions'> & {
  helpdesk: Pick<Context['helpdesk'], 'writeRouting' | 'clearRouting' | 'isDesk' | 'systemAccount'>;
};

/**
 * Writes what a claim's ticket shows once the claim is confirmed, or is one again: team and agent stay. False if the ticket
 * has changed meanwhile. Throws HelpdeskError.
 */
export async function writeInPlace(
  ctx: Needs,
  decision: RoutingDecision,
  ticket: PipelineTicket,
  fields: RoutingFields | null,
  signal: AbortSignal,
): Promise<boolean> {
  const written =
    decision.cause === 'confirmed'
      ? await writeConfirmed(ctx, decision, ticket, fields, signal)
      : await writeReopened(ctx, decision, ticket, signal);
  if (written === 'changed_meanwhile') return false;
  await ctx.decisions.update(decision.id, { state: 'applied' });
  return true;
}

/**
 * What to write to a claim's ticket once the claim is confirmed. A person may have changed its team and agent by now.
 */
function writeConfirmed(
  ctx: Needs,
  decision: RoutingDecision,
  ticket: PipelineTicket,
  fields: RoutingFields | null,
  signal: AbortSignal,
) {
  const { agentGroup: _, reason, ...desired } = writtenFields(decision, decision.assignment.state, ticket, fields);
  const isOurs = ticket.file.ticket.agentGroup === decision.outcome.team;
  return ctx.helpdesk.writeRouting(ticket, { ...desired, ...(isOurs && reason && { reason }) }, signal);
}

/** What a person has changed since the claim was confirmed stays. */
async function writeReopened(ctx: Needs, claim: RoutingDecision, ticket: PipelineTicket, signal: AbortSignal) {
  const confirmed = (await ctx.decisions.list(claim.ticket)).find(({ number }) => number === claim.number - 1);
  if (confirmed === undefined) return [];
  const { written, instead } = reopenedFields(claim, confirmed, ticket, await isLastFromDesk(ctx, ticket, signal));
  return ctx.helpdesk.clearRouting(ticket, written, instead, signal);
}

/**
 * What to write once a claim that had been confirmed is one again: `written` is what the confirmation wrote, `instead`
 * what belongs in its place where the ticket still shows it. `isDesks`: whether the desk wrote to it last.
 */
function reopenedFields(
  claim: RoutingDecision,
  confirmed: RoutingDecision,
  ticket: PipelineTicket,
  isDesks: boolean,
): { written: RoutingFields; instead: RoutingFields } {
  const { segment, shopplan, servicePlan, status, error, reason } = writtenFields(
    confirmed,
    confirmed.assignment.state,
    ticket,
    {},
  );
  const then = writtenFields(claim, claim.assignment.state, ticket, {});
  return {
    written: { segment, shopplan, servicePlan, status, error, reason },
    instead: {
      segment: confirmed.inputs.ticket_segment ?? '',
      shopplan: '',
      servicePlan: '',
      status: then.status,
      error: then.error,
      reason: then.reason,
      checkedAt: null,
      crmLastCheckedAt: null,
      crmNotFoundAt: null,
      ...(!isDesks && { responsible: '' }),
    },
  };
}
