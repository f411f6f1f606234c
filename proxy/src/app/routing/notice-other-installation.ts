import type { Context } from '#app/context.ts';
import { isAsInserted } from '#app/trust/set-by-person.ts';
import { leftToAnother } from '#domain/routing/decide-routing.ts';
import type { HelpdeskTickets, PipelineTicket } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { TicketWork } from '#ports/intake/inbox.ts';
import type { DecisionDraft } from '#ports/routing/decisions.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import { isRoutingOf } from './assignments.ts';

type Needs = Pick<Context, 'decisions' | 'sweepMark' | 'logger'> & {
  helpdesk: Pick<HelpdeskTickets, 'listAssignments' | 'serviceUser' | 'stampBefore'>;
};

/**
 * Whether a ticket without any record of ours has an assignment by Deskside: another installation with our service
 * account, or an earlier life of this one, has dealt with it (docs/decisions.md 20). Alerts if the ticket is newer than
 * our records, also where only group and reason were written. Throws HelpdeskError.
 */
export async function isRoutedElsewhere(ctx: Needs, ticket: PipelineTicket, signal: AbortSignal): Promise<boolean> {
  const { name } = ticket.file.ticket;
  const service = await ctx.helpdesk.serviceUser(signal);
  const { agentGroup } = ticket.file.ticket;
  // Nobody has it, and since its insert nobody has written to it: whoever had it would have given it a group.
  const isWithoutTrace = isAsInserted(ctx.helpdesk, ticket) && (agentGroup === null || ticket.modifiedBy !== service);
  if (ticket.assignees.length === 0 && isWithoutTrace) return false;
  const assignments = await ctx.helpdesk.listAssignments(name, signal, ticket.assignees);
  const isAssigned = assignments.some((assignment) => isRoutingOf(service, assignment));
  if ((isAssigned || (await isWritten(ctx, ticket, service))) && (await isNew(ctx, ticket)))
    alertOtherInstallation(ctx.logger, name);
  return isAssigned;
}

/** Reason and group can be the sender's own, so they count only until we write to the ticket ourselves. */
async function isWritten(ctx: Needs, { file, key, creation, modifiedBy, reason }: PipelineTicket, service: string) {
  const { name, agentGroup } = file.ticket;
  if (modifiedBy !== service || agentGroup === null || !reason?.startsWith('Auto-routed:')) return false;
  if (key !== null && (await ctx.decisions.preliminary(key)) !== null) return false;
  return (await ctx.decisions.firstState(name, creation)) === null;
}

async function isNew(ctx: Needs, { creation }: PipelineTicket): Promise<boolean> {
  const mark = await ctx.sweepMark.read();
  return mark !== null && creation >= mark.from;
}

/** The record of a ticket that is left to another installation. */
export function leftAlone({ file, ...seen }: PipelineTicket, cause: TicketWork['cause'], now: number): DecisionDraft {
  const { name, agentGroup } = file.ticket;
  return {
    ticket: name,
    cause,
    found_by: cause,
    decided_at: new Date(now).toISOString(),
    state: 'applied',
    inputs: {
      org_id: null,
      customer: null,
      crm: null,
      findings: [],
      meta_failures: [],
      ticket_segment: seen.segment,
      ticket_status: seen.status,
      ticket_creation: seen.creation,
      agent_group: agentGroup === null ? null : { name: agentGroup, set_by: 'deskside' },
    },
    outcome: leftToAnother(agentGroup),
    assignment: { state: 'already_assigned', candidates: [] },
    link: null,
  };
}

export function alertOtherInstallation(logger: Logger, ticket: string): void {
  logger.error(
    { alert: 'another_installation', ticket },
    'Another installation of Deskside routes tickets of this helpdesk with the same service account',
  );
}
