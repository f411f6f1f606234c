import type { RoutingInputs } from '@deskside/shared/routing';
import type { Work } from '#context.ts';
import type { PipelineTicket } from '#helpdesk/tickets.ts';
import type { DecisionDraft } from '#store/decisions.ts';
import * as decisions from '#store/decisions.ts';
import type { Insert, TicketWork } from '#store/tickets.ts';
import * as tickets from '#store/tickets.ts';
import { isAsInserted, isLastFromSender, isRoutingOf } from './assign.ts';
import { isKeptReason, leftAsItIs } from './decide.ts';

/** What is known of a ticket's beginnings, before its first decision. */
export interface Origin {
  /** The ticket as its webhook told of it; null if none did. */
  insert: Insert | null;
  /** The team that we gave it before its insert; null if we gave none. */
  givenTeam: string | null;
}

export async function readOrigin({ db }: Work, { key, file }: PipelineTicket): Promise<Origin> {
  const insert = await tickets.insertOf(db, file.ticket);
  const preliminary = key === null ? null : await decisions.preliminary(db, key);
  return { insert, givenTeam: preliminary?.team ?? null };
}

/**
 * Who set the ticket's group: we before the insert, its sender, or else a person, which any program counts as. A flow of the
 * helpdesk writes in the sender's name, so of a ticket whose insert is known the sender has set only what came with it. Null
 * if it has no group.
 */
export async function whoSetGroup(
  ctx: Work,
  ticket: PipelineTicket,
  { insert, givenTeam }: Origin,
): Promise<NonNullable<RoutingInputs['agent_group']>['set_by'] | null> {
  const { agentGroup } = ticket.file.ticket;
  if (agentGroup === null) return null;
  if (givenTeam === agentGroup) return 'deskside';
  if (insert !== null && insert.agentGroup !== agentGroup) return 'person';
  if (insert === null && !isLastFromSender(ticket)) return 'person';
  return (await isDesks(ctx, insert?.owner ?? ticket.modifiedBy)) ? 'person' : 'sender';
}

async function isDesks({ helpdesk, signal }: Work, account: string): Promise<boolean> {
  return account === (await helpdesk.people.serviceUser(signal)) || helpdesk.people.isDesk(account, signal);
}

/**
 * The record of a ticket that our service account has already routed, of which our records know nothing: because an older
 * store was put back, or another installation did it (docs/decisions.md 20). It is left as it is. Null for every other ticket.
 * Throws HelpdeskError.
 */
export async function recordOfRouted(
  ctx: Work,
  ticket: PipelineTicket,
  origin: Origin,
  cause: TicketWork['foundBy'],
): Promise<DecisionDraft | null> {
  if (await isUntouched(ctx, ticket)) return null;
  if (!(await isAssignedByUs(ctx, ticket)) && !(await isWrittenByUs(ctx, ticket, origin))) return null;
  const { name, creation, agentGroup } = ticket.file.ticket;
  return {
    ticket: name,
    cause,
    found_by: cause,
    decided_at: new Date(ctx.clock()).toISOString(),
    state: 'applied',
    outcome: leftAsItIs(agentGroup),
    assignment: { state: ticket.assignees.length > 0 ? 'already_assigned' : 'none', candidates: [] },
    inputs: {
      org_id: null,
      customer: null,
      looked_up: null,
      claims: ctx.routing.claims,
      crm: null,
      findings: [],
      meta_failures: [],
      ticket_segment: ticket.segment,
      ticket_status: ticket.status,
      ticket_creation: creation,
      agent_group: agentGroup === null ? null : { name: agentGroup, set_by: 'deskside' },
    },
    link: null,
  };
}

/** Whether nobody has it, nor has written to it since its insert: who routes a ticket does both. */
async function isUntouched({ helpdesk, signal }: Work, ticket: PipelineTicket): Promise<boolean> {
  if (ticket.assignees.length > 0 || !isAsInserted(ticket)) return false;
  return ticket.file.ticket.agentGroup === null || ticket.modifiedBy !== (await helpdesk.people.serviceUser(signal));
}

/** Whether our service account has ever assigned it, with our text. */
async function isAssignedByUs({ helpdesk, signal }: Work, { file, assignees }: PipelineTicket): Promise<boolean> {
  const service = await helpdesk.people.serviceUser(signal);
  const assignments = await helpdesk.assignments.list(file.ticket.name, signal, assignees);
  return assignments.some((assignment) => isRoutingOf(service, assignment));
}

/**
 * Whether group and reason are ours: nobody was available, or the group was kept. Both can be the sender's own, so we or the
 * desk must have written to the ticket since. A ticket whose insert we know, or whose group we gave before the insert, is a
 * new one: nothing of ours was lost.
 */
async function isWrittenByUs(
  ctx: Work,
  { file, reason, modifiedBy }: PipelineTicket,
  { insert, givenTeam }: Origin,
): Promise<boolean> {
  const { agentGroup: group } = file.ticket;
  if (group === null || reason === null || insert !== null || givenTeam !== null) return false;
  const isOurReason = reason.includes(`Target team=${group}.`) || isKeptReason(reason, group);
  return isOurReason && isDesks(ctx, modifiedBy);
}
