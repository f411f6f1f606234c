import type { RoutingDecision } from '@deskside/shared/routing';
import type { Context } from '#context.ts';
import { clearIfRead } from '#customers/ticket-writes.ts';
import type { TicketAssignment } from '#helpdesk/assignments.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import type { RoutingFields } from '#helpdesk/fields.ts';
import type { Helpdesk } from '#helpdesk/helpdesk.ts';
import { systemAccount } from '#helpdesk/people.ts';
import type { PipelineTicket, Ticket } from '#helpdesk/tickets.ts';
import { stampBefore } from '#helpdesk/time.ts';
import { retryIfChanged } from '#runtime/retry-if-changed.ts';
import * as decisions from '#store/decisions.ts';
import { isHeld } from '#trust/claims.ts';
import { senderAddress } from '#trust/evidence.ts';
import { blanksOf, writtenFields } from './written-fields.ts';

/**
 * Carries out a decision in the helpdesk: first the assignment, then group, reason and profile fields in one write
 * (docs/decisions.md 23). Every step checks what is already there, so that after a crash only the rest is done. What a
 * person did meanwhile stays. Throws HelpdeskError, and `changed_since` if the ticket keeps changing.
 *
 * @param how.fields what else to write to the ticket; null: only the reason, if the rest has been written before
 * @param how.asRead the ticket as it was read just now; null: something of ours may have failed, so that it is read here,
 *   and its assignments whomever it names
 */
export async function applyDecision(
  ctx: Context,
  decision: RoutingDecision,
  { fields, asRead }: { fields: RoutingFields | null; asRead: PipelineTicket | null },
  signal: AbortSignal,
): Promise<RoutingDecision['state']> {
  return retryIfChanged(async (isFirst) => {
    const known = isFirst ? asRead : null;
    const ticket = known ?? (await ctx.helpdesk.tickets.read(decision.ticket, signal));
    // Who has written since it was judged may have filled in the contact.
    const judged = { name: decision.ticket, contact: known?.file.ticket.contact ?? null };
    if (staysPut(decision)) {
      const inPlace = inPlaceFields(decision, ticket, fields);
      const written = await ctx.helpdesk.tickets.write(ticket, inPlace, signal);
      if (written === 'changed_meanwhile') return written;
      await takeBackIfRead(ctx, decision, judged, inPlace, signal);
      await decisions.update(ctx.db, decision.id, { state: 'applied' });
      return 'applied';
    }
    if (await isDealtWith(ctx, decision, ticket, signal)) {
      await decisions.update(ctx.db, decision.id, { state: 'overruled' });
      return 'overruled';
    }
    if (isOverruled(decision, ticket)) {
      return (await overrule(ctx, decision, ticket, signal)) ? 'overruled' : 'changed_meanwhile';
    }
    const isMoving = movesAssignment(decision) && ticket.file.ticket.agentGroup !== decision.outcome.team;
    const before = () =>
      known === null ? readOpen(ctx, decision.ticket, signal, ticket.assignees) : openOn(ctx, known, signal);
    const assignment = await settleAssignment(ctx, decision, before, isMoving, signal);
    const blanks = await blanksOf(decision, fields, () => isLastFromDesk(ctx, ticket, signal));
    const desired = { ...blanks, ...writtenFields(decision, assignment, ticket, fields) };
    const written = await ctx.helpdesk.tickets.write(ticket, desired, signal);
    if (written === 'changed_meanwhile') return written;
    await takeBackIfRead(ctx, decision, judged, desired, signal);
    // Setting the group makes a native rule assign: then somebody has it, and the reason says so.
    if (assignment === 'nobody_available' && written.length > 0 && (await isTaken(ctx, decision.ticket, signal)))
      return 'changed_meanwhile';
    const agent = assignment === 'assigned' ? decision.assignment.agent : null;
    await decisions.update(ctx.db, decision.id, { state: 'applied', assignment: { state: assignment, agent } });
    return 'applied';
  });
}

/** By our own write, or another's, the helpdesk may have filled in a contact by which somebody else reads the ticket. */
async function takeBackIfRead(
  ctx: Context,
  { inputs, link, outcome }: RoutingDecision,
  judged: Pick<Ticket, 'name' | 'contact'>,
  { segment, shopplan, servicePlan, reason }: RoutingFields,
  signal: AbortSignal,
) {
  if (inputs.org_id === null || isHeld(inputs, inputs.claims)) return;
  const fields = { segment, shopplan, servicePlan, reason, orgId: inputs.org_id.value };
  const instead = { reason: `Auto-routed: unconfirmed OrgID. Target team=${outcome.team}.` };
  await clearIfRead(ctx, judged, { fields, instead, customer: link?.done ? link.customer : null }, signal);
}

/** A repair moves nothing that an agent has taken up since it was decided (docs/decisions.md 23). */
async function isDealtWith(
  ctx: Context,
  { cause, inputs }: RoutingDecision,
  ticket: PipelineTicket,
  signal: AbortSignal,
) {
  if (cause !== 'repair') return false;
  if (ticket.replied || ticket.status !== inputs.ticket_status) return true;
  return (await openOn(ctx, ticket, signal)).others.length > 0;
}

/** The ticket has a group that is neither the one we decided on nor the one we decided to replace, and not its sender's. */
function isOverruled({ inputs, outcome }: RoutingDecision, ticket: PipelineTicket): boolean {
  const group = ticket.file.ticket.agentGroup;
  if (group === null || group === outcome.team || group === inputs.agent_group?.name) return false;
  return !isLastFromSender(ticket);
}

/**
 * Someone has set the group: it stays, with their assignments, and ours is removed. False if the ticket has changed.
 */
async function overrule(
  ctx: Context,
  decision: RoutingDecision,
  ticket: PipelineTicket,
  signal: AbortSignal,
): Promise<boolean> {
  const { ours } = await readOpen(ctx, decision.ticket, signal);
  for (const { id } of ours) await ctx.helpdesk.assignments.withdraw(id, signal);
  const reason = `Manual routing kept: ${ticket.file.ticket.agentGroup}.`;
  if ((await ctx.helpdesk.tickets.write(ticket, { reason }, signal)) === 'changed_meanwhile') return false;
  const state = decision.assignment.state === 'planned' || ours.length > 0 ? 'withdrawn' : decision.assignment.state;
  await decisions.update(ctx.db, decision.id, { state: 'overruled', reason, assignment: { state } });
  return true;
}

async function settleAssignment(
  ctx: Context,
  decision: RoutingDecision,
  readBefore: () => Promise<Sorted>,
  isMoving: boolean,
  signal: AbortSignal,
): Promise<RoutingDecision['assignment']['state']> {
  const { state, agent } = decision.assignment;
  const { team } = decision.outcome;
  if (team === null || !['planned', 'nobody_available', 'already_assigned'].includes(state)) return state;
  const text = assignmentText(team);
  const isOurs = (a: { user: string; description: string }) => a.user === agent && a.description === text;
  const before = await readBefore();
  if (state === 'already_assigned') return state;
  if (isMoving) {
    // Never two open assignments: one made by a native rule or by an earlier decision of ours goes first.
    for (const { id } of [...before.ours.filter((a) => !isOurs(a)), ...before.native])
      await ctx.helpdesk.assignments.withdraw(id, signal);
  } else if (before.native.length > 0) return withdrawOurs(ctx, before, signal);
  if (before.others.length > 0) return withdrawOurs(ctx, before, signal);
  if (state === 'nobody_available' || agent === null) return 'nobody_available';
  if (!before.ours.some(isOurs))
    await assign(
      ctx,
      decision.ticket,
      { team, agent, text, replaces: decision.inputs.agent_group?.name ?? null },
      signal,
    );
  return lookAgain(ctx, decision.ticket, isOurs, signal);
}

/**
 * Assigns an agent. Where the helpdesk refuses whoever is not of the ticket's team (frappe/helpdesk#3763) the group goes
 * first; what a native rule then assigns at once is withdrawn.
 */
async function assign(
  { helpdesk }: Context,
  ticket: string,
  { team, agent, text, replaces }: { team: string; agent: string; text: string; replaces: string | null },
  signal: AbortSignal,
): Promise<void> {
  try {
    await helpdesk.assignments.add(ticket, agent, text, signal);
  } catch (error) {
    if (!(error instanceof HelpdeskError) || error.kind !== 'rejected') throw error;
    const now = await helpdesk.tickets.read(ticket, signal);
    // Of the team and refused all the same, or somebody has set a group: assigning first was not what was wrong.
    const { agentGroup } = now.file.ticket;
    if (agentGroup === team || (agentGroup !== null && agentGroup !== replaces)) throw error;
    await helpdesk.tickets.write(now, { agentGroup: team }, signal);
    for (const { id, rule, open } of await helpdesk.assignments.list(ticket, signal))
      if (open && rule !== null) await helpdesk.assignments.withdraw(id, signal);
    await helpdesk.assignments.add(ticket, agent, text, signal);
  }
}

/**
 * Simultaneous calls can leave two open assignments (docs/helpdesk.md#assignment): the oldest of ours stays, if any
 * may.
 */
async function lookAgain(
  ctx: Context,
  ticket: string,
  isOurs: (a: { user: string; description: string }) => boolean,
  signal: AbortSignal,
) {
  const after = await readOpen(ctx, ticket, signal);
  if (after.others.length > 0 || after.native.length > 0) return withdrawOurs(ctx, after, signal);
  const [kept, ...surplus] = after.ours.filter(isOurs);
  // It said yes and has nothing, as after a rollback: told as a failure, it is tried again.
  if (kept === undefined)
    throw new HelpdeskError('bad_answer', 'The helpdesk took an assignment and does not have it.');
  for (const { id } of surplus) await ctx.helpdesk.assignments.withdraw(id, signal);
  return 'assigned' as const;
}

async function isTaken(ctx: Context, ticket: string, signal: AbortSignal): Promise<boolean> {
  const assignees = await ctx.helpdesk.assignments.users(ticket, signal);
  if (assignees.length === 0) return false;
  const { native, others } = await readOpen(ctx, ticket, signal, assignees);
  return native.length + others.length > 0;
}

async function withdrawOurs(ctx: Context, { ours }: Sorted, signal: AbortSignal) {
  for (const { id } of ours) await ctx.helpdesk.assignments.withdraw(id, signal);
  return 'already_assigned' as const;
}

/** Whether to move assignments that no person made: the decision replaces a group that was already set. */
function movesAssignment({ inputs, outcome }: RoutingDecision): boolean {
  return inputs.agent_group !== null && inputs.agent_group.name !== outcome.team;
}

/**
 * Whether team and agent stay as they are: a claim is confirmed. Not while somebody is being assigned to a ticket that had
 * waited for it.
 */
function staysPut({ cause, assignment }: RoutingDecision): boolean {
  return cause === 'confirmed' && assignment.state !== 'planned';
}

/** What a claim's ticket shows once the claim is confirmed. A person may have changed its team by now: the reason is then theirs. */
function inPlaceFields(decision: RoutingDecision, ticket: PipelineTicket, fields: RoutingFields | null): RoutingFields {
  const { agentGroup: _, reason, ...desired } = writtenFields(decision, decision.assignment.state, ticket, fields);
  const isOurs = ticket.file.ticket.agentGroup === decision.outcome.team;
  return { ...desired, ...(isOurs && reason && { reason }) };
}

/** The ticket with who has it; null if there is none of this name. Throws HelpdeskError. */
export async function readIfThere(
  { helpdesk }: { helpdesk: Helpdesk },
  name: string,
  signal: AbortSignal,
): Promise<PipelineTicket | null> {
  return helpdesk.tickets.read(name, signal).catch((error: unknown) => {
    if (error instanceof HelpdeskError && error.kind === 'not_found') return null;
    throw error;
  });
}

/** Our assignments are recognised by who made them and by this text (docs/routing.md#round-robin). */
function assignmentText(team: string): string {
  return `${prefix}${team}`;
}

const prefix = 'Auto round-robin assignment for ';

/** Open assignments of a ticket, by who made them; each list oldest first. */
export interface Sorted {
  ours: TicketAssignment[];
  /** Made by a native rule of the helpdesk. */
  native: TicketAssignment[];
  /** Made by a person or another program. */
  others: TicketAssignment[];
}

/** The open assignments of a ticket that has just been read. Where it names nobody, there are none to look for. */
export async function openOn(ctx: Context, { file, assignees }: PipelineTicket, signal: AbortSignal): Promise<Sorted> {
  if (assignees.length === 0) return { ours: [], native: [], others: [] };
  return readOpen(ctx, file.ticket.name, signal, assignees);
}

/**
 * A ticket's open assignments as they are now. Those by the service account without our text were made by a person with
 * its key. `assignees` as for `listAssignments`.
 */
async function readOpen(
  ctx: Context,
  ticket: string,
  signal: AbortSignal,
  assignees?: readonly string[],
): Promise<Sorted> {
  const sorted: Sorted = { ours: [], native: [], others: [] };
  const service = await ctx.helpdesk.people.serviceUser(signal);
  for (const assignment of await ctx.helpdesk.assignments.list(ticket, signal, assignees)) {
    if (!assignment.open) continue;
    if (assignment.rule !== null) sorted.native.push(assignment);
    else sorted[isRoutingOf(service, assignment) ? 'ours' : 'others'].push(assignment);
  }
  return sorted;
}

/** Whether Deskside made it. */
export function isRoutingOf(service: string, { rule, assignedBy, description }: TicketAssignment): boolean {
  return rule === null && assignedBy === service && description.startsWith(prefix);
}

/** The helpdesk goes on writing a new ticket for a moment (docs/helpdesk.md#inserting-a-ticket: a quarter of a second). */
const insertTakesMs = 1_000;

/** Whether nobody has written to the ticket since it was inserted. */
export function isAsInserted({ file, modified }: PipelineTicket): boolean {
  return stampBefore(modified, insertTakesMs) <= file.ticket.creation;
}

/** Whether its sender wrote to the ticket last. */
export function isLastFromSender({ file, modifiedBy }: PipelineTicket): boolean {
  return modifiedBy.trim().toLowerCase() === senderAddress(file.ticket.origin);
}

/**
 * Whether the desk wrote to the ticket last. The helpdesk's own account writes on behalf of anyone: after it the ticket's
 * creator counts. Throws HelpdeskError.
 */
async function isLastFromDesk(
  { helpdesk }: { helpdesk: Helpdesk },
  { file, modifiedBy }: PipelineTicket,
  signal: AbortSignal,
): Promise<boolean> {
  const { owner } = file.ticket.origin;
  const writer = modifiedBy === systemAccount ? owner : modifiedBy;
  return writer !== systemAccount && helpdesk.people.isDesk(writer, signal);
}
