import type { RoutingDecision, RoutingInputs } from '@deskside/shared/routing';
import type { Context } from '#context.ts';
import type { RoutingFields } from '#helpdesk/fields.ts';
import type { PipelineTicket } from '#helpdesk/tickets.ts';
import type { DecisionDraft } from '#store/decisions.ts';
import * as decisions from '#store/decisions.ts';
import type { TicketWork } from '#store/tickets.ts';
import * as tickets from '#store/tickets.ts';
import { isHeld, isOpenClaim } from '#trust/claims.ts';
import { isAsInserted, isLastFromSender, isRoutingOf, readIfThere } from './assign.ts';
import { isKeptReason, leftAsItIs, otherShop } from './decide.ts';
import { finishDecision, keepDecision, planDecision } from './decision.ts';
import { gatherRoutingInputs } from './gather.ts';
import { awaitCrm, judgeAgain, repair } from './retry.ts';

const done = { again: null };

/** Half a minute in all; after that a ticket is routed without its customer. */
const enrichTries = 5;

/**
 * Takes one ticket through to the end, from wherever it is: decides if nothing has been decided, finishes what a crash
 * left half done, and decides again if the CRM or a shop's meta.json had failed (`decide-again.ts`). Must not run
 * twice at once for one ticket. Throws when the helpdesk fails; the work is then tried again. `again`: when to look at the
 * ticket again (epoch milliseconds); null if nothing is left to do.
 */
export async function runTicketPipeline(
  ctx: Context,
  work: TicketWork,
  signal: AbortSignal,
): Promise<{ again: number | null }> {
  const { again } = await advance(ctx, work, signal);
  return { again };
}

async function advance(ctx: Context, work: TicketWork, signal: AbortSignal): Promise<{ again: number | null }> {
  const latest = await decisions.latest(ctx.db, work);
  const waits = latest && (await awaitCrm(ctx, latest));
  if (waits) return waits;
  const ticket = await readIfThere(ctx, work.name, signal);
  // Ticket names can be reused, and a restored backup of the helpdesk can bring older tickets back.
  if (ticket === null || ticket.file.ticket.creation !== work.creation) return done;
  if (latest === null) return (await isPast(ctx, ticket, signal)) ? done : decideFirst(ctx, ticket, work, signal);
  if (latest.state === 'planned') return finishDecision(ctx, latest, foundBefore(latest), signal);
  const isRouted = latest.state === 'overruled' || latest.outcome.fallback === null;
  if (!isRouted) return repair(ctx, latest, ticket, signal);
  return isOpenClaim(latest) ? judgeAgain(ctx, latest, ticket, signal) : done;
}

/** Whether the ticket is no new one: its decisions have been deleted, or may have been (docs/decisions.md 24). */
async function isPast(ctx: Context, { file }: PipelineTicket, signal: AbortSignal): Promise<boolean> {
  const { creation } = file.ticket;
  if (creation < (await ctx.helpdesk.stampOf(ctx.clock() - ctx.retentionMs, signal))) return true;
  return tickets.isForgotten(ctx.db, file.ticket);
}

/** Whether nobody has it, nor has written to it since its insert: who routes a ticket does both. */
async function isUntouched({ helpdesk }: Context, ticket: PipelineTicket, signal: AbortSignal): Promise<boolean> {
  const { assignees, modifiedBy, file } = ticket;
  if (assignees.length > 0 || !isAsInserted(ticket)) return false;
  return file.ticket.agentGroup === null || modifiedBy !== (await helpdesk.people.serviceUser(signal));
}

async function decideFirst(ctx: Context, ticket: PipelineTicket, work: TicketWork, signal: AbortSignal) {
  const routed = (await isUntouched(ctx, ticket, signal)) ? null : await findRouted(ctx, ticket, work.foundBy, signal);
  if (routed !== null) {
    // Recorded, so that it is not looked at again; nothing is written to it.
    await decisions.add(ctx.db, routed, 0, null);
    return done;
  }
  const insists = work.attempts < enrichTries;
  const gathered = await gatherRoutingInputs(ctx, ticket, await groupSetBy(ctx, ticket, signal), signal, insists);
  const before = gathered.inputs.agent_group;
  const cause = before?.set_by === 'deskside' ? 'before_insert' : work.foundBy;
  const planned = await planDecision(ctx, gathered, null, signal);
  return keepDecision(ctx, gathered, { cause, found_by: work.foundBy, after: 0 }, planned, signal);
}

/**
 * Who set the ticket's group: our own Before Insert decision, its sender, or else a person, which any program counts as. Null
 * if it has none.
 */
async function groupSetBy(ctx: Context, ticket: PipelineTicket, signal: AbortSignal) {
  const { key, file } = ticket;
  const { agentGroup } = file.ticket;
  if (agentGroup === null) return null;
  const preliminary = key === null ? null : await decisions.preliminary(ctx.db, key);
  if (preliminary?.team === agentGroup) return 'deskside';
  const insert = await tickets.insertOf(ctx.db, file.ticket);
  if (insert?.agentGroup === agentGroup) return (await isDesks(ctx, insert.owner, signal)) ? 'person' : 'sender';
  return isLastFromSender(ticket) && !(await isDesks(ctx, ticket.modifiedBy, signal)) ? 'sender' : 'person';
}

async function isDesks({ helpdesk }: Context, account: string, signal: AbortSignal): Promise<boolean> {
  return account === (await helpdesk.people.serviceUser(signal)) || helpdesk.people.isDesk(account, signal);
}

/** What else was to be written when the decision was made, for a ticket to which a crash kept it from being written. */
function foundBefore({ inputs }: RoutingDecision): RoutingFields {
  return { ...intakeOf(inputs), ...(!isHeld(inputs, inputs.claims) && checkOf(inputs)) };
}

/** When the CRM was asked; that it had nothing is known where it has just said so. */
function checkOf({ crm }: RoutingInputs): RoutingFields {
  if (crm === null || crm.status === 'error' || crm.checked_at === null) return {};
  const crmLastCheckedAt = Date.parse(crm.checked_at);
  return { crmLastCheckedAt, ...(crm.status === 'not_found' && { crmNotFoundAt: crmLastCheckedAt }) };
}

function intakeOf(inputs: RoutingInputs): RoutingFields {
  if (otherShop(inputs) !== null) return {};
  const { org_id, findings } = inputs;
  const domain = findings.find(({ kind }) => kind === 'platform_domain');
  return {
    ...(org_id && findings.some(({ value }) => value === org_id.value) && { orgId: org_id.value }),
    ...(domain && { platformDomain: domain.value }),
  };
}

/**
 * The record of a ticket that our service account has already routed, of which our records know nothing: because an older
 * store was put back, or another installation did it (docs/decisions.md 20). It is left as it is. Null for every other ticket.
 * Throws HelpdeskError.
 */
async function findRouted(
  ctx: Context,
  ticket: PipelineTicket,
  cause: TicketWork['foundBy'],
  signal: AbortSignal,
): Promise<DecisionDraft | null> {
  const isRouted = (await isAssignedByUs(ctx, ticket, signal)) || (await isWrittenByUs(ctx, ticket, signal));
  if (!isRouted) return null;
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

/** Whether our service account has ever assigned it, with our text. */
async function isAssignedByUs(ctx: Context, { file, assignees }: PipelineTicket, signal: AbortSignal) {
  const service = await ctx.helpdesk.people.serviceUser(signal);
  const assignments = await ctx.helpdesk.assignments.list(file.ticket.name, signal, assignees);
  return assignments.some((assignment) => isRoutingOf(service, assignment));
}

/**
 * Whether group and reason are ours: nobody was available, or the group was kept. Both can be the sender's own, so we or the
 * desk must have written to the ticket since. A ticket whose insert we know, or whose group we gave before the insert, is a
 * new one: nothing of ours was lost.
 */
async function isWrittenByUs(ctx: Context, { key, file, reason, modifiedBy }: PipelineTicket, signal: AbortSignal) {
  const { agentGroup: group } = file.ticket;
  if (group === null || reason === null) return false;
  if (!reason.includes(`Target team=${group}.`) && !isKeptReason(reason, group)) return false;
  if ((await tickets.insertOf(ctx.db, file.ticket)) !== null) return false;
  if (key !== null && (await decisions.preliminary(ctx.db, key)) !== null) return false;
  return (
    modifiedBy === (await ctx.helpdesk.people.serviceUser(signal)) || ctx.helpdesk.people.isDesk(modifiedBy, signal)
  );
}
