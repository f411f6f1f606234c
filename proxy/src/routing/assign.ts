import type { RoutingDecision } from '@deskside/shared/routing';
import type { Work } from '#context.ts';
import type { Lookup } from '#crm/lookup.ts';
import { writeCompanyData } from '#customers/ticket-writes.ts';
import type { TicketAssignment } from '#helpdesk/assignments.ts';
import { HelpdeskError, unless } from '#helpdesk/errors.ts';
import { type RoutingFields, type TeamReason, ticketFieldOf } from '#helpdesk/fields.ts';
import { systemAccount } from '#helpdesk/people.ts';
import { stampBefore } from '#helpdesk/site-time.ts';
import type { PipelineTicket } from '#helpdesk/ticket-file.ts';
import { retryIfChanged } from '#runtime/app-error.ts';
import * as decisions from '#store/decisions.ts';
import * as tickets from '#store/tickets.ts';
import { companyIn, openForWriting, type WritableCase, withoutCrm } from '#trust/case.ts';
import { isHeld } from '#trust/companies.ts';
import { senderAddress } from '#trust/evidence.ts';
import { blanksOf, type DecisionFields, fieldsOf, reasonOfTeam, writtenFields } from './written-fields.ts';

/** When to look at a ticket again (epoch milliseconds); null: nothing is left to do. */
export type Due = number | null;
export const never = null;

/** What failed is looked at again after this long: the CRM, a shop, or the helpdesk's teams. */
const againAfterMs = 60_000;

/**
 * Carries out a decision: one that has just been recorded, on the case that it was made on, or what a crash has left of it. Throws
 * HelpdeskError.
 *
 * @param decision null: another process has decided meanwhile, and anything it left open is picked up in the next round
 * @param opened null: it is opened anew
 * @param found what it writes besides the routing itself, if not all that it says
 */
export async function carryOut(
  ctx: Work,
  decision: RoutingDecision | null,
  opened: WritableCase | null,
  found?: DecisionFields,
): Promise<Due> {
  if (decision === null) return ctx.clock();
  const applying = applyDecision(ctx, decision, opened, found ?? fieldsOf(decision));
  const state = await applying.catch(unless(['not_found'], 'gone' as const));
  return state !== 'gone' && decision.outcome.fallback !== null ? ctx.clock() + againAfterMs : never;
}

/**
 * Carries out a decision in the helpdesk: first the assignment, then group, reason and profile fields in one write
 * (decision 23: assign first). Every step checks what is already there, so that after a crash only the rest is done. What a
 * person did meanwhile stays. Throws HelpdeskError, and `changed_since` if the ticket keeps changing.
 *
 * @param known the case as it was opened just now. Null: something of ours may have failed, so the case is opened anew, and the
 * ticket's assignments are read whomever it names.
 * @param found what else to write to the ticket; null: only the reason, if the rest has been written before
 */
export async function applyDecision(
  ctx: Work,
  decision: RoutingDecision,
  known: WritableCase | null,
  found: DecisionFields | null,
): Promise<RoutingDecision['state']> {
  const orgId = decision.inputs.org_id?.value;
  return retryIfChanged(async (isFirst) => {
    const asRead = isFirst ? known : null;
    const opened =
      asRead ?? (await openDecided(ctx, decision, decision.ticket, known && companyIn(known, orgId)?.lookup));
    const { ticket } = opened;
    if (staysPut(decision)) {
      const written = await write(ctx, decision, opened, inPlaceFields(decision, ticket, found));
      if (written === 'changed_meanwhile') return written;
      await decisions.update(ctx.db, decision, { state: 'applied' });
      return 'applied';
    }
    if (await isDealtWith(ctx, decision, ticket)) {
      await decisions.update(ctx.db, decision, { state: 'overruled', assignment: await leftAssignment(ctx, decision) });
      return 'overruled';
    }
    if (await isOverruled(ctx, decision, ticket))
      return (await overrule(ctx, decision, ticket)) ? 'overruled' : 'changed_meanwhile';
    const assignment = await settleAssignment(ctx, decision, ticket, asRead !== null);
    const { plain, data } = writtenFields(decision, assignment, ticket, found);
    const blanks = found === null ? {} : await blanksFor(ctx, decision, opened);
    const written = await write(ctx, decision, opened, { plain: { ...blanks, ...plain }, data });
    if (written === 'changed_meanwhile') return written;
    // Setting the group makes a native rule assign: then somebody has it, and the reason says so.
    if (assignment === 'nobody_available' && (await isTakenByOther(ctx, ticket))) return 'changed_meanwhile';
    const agent = assignment === 'assigned' ? decision.assignment.agent : null;
    await decisions.update(ctx.db, decision, { state: 'applied', assignment: { state: assignment, agent } });
    if (agent !== null && decision.assignment.state === 'planned') ctx.metrics.ticketAssigned(decision);
    return 'applied';
  });
}

/**
 * The case of a decided ticket, with the company that the decision goes by.
 *
 * @param lookup what the CRM has said of it just now
 */
export function openDecided(
  ctx: Work,
  { inputs: { org_id } }: RoutingDecision,
  ticket: string | PipelineTicket,
  lookup: Lookup | null = null,
): Promise<WritableCase> {
  return openForWriting(ctx, ticket, org_id === null ? withoutCrm : { lane: 'open', only: org_id.value, lookup });
}

/** Writes what a decision tells, as far as that may stand on the ticket. */
function write(ctx: Work, decision: RoutingDecision, opened: WritableCase, { plain, data }: DecisionFields) {
  const { inputs, link } = decision;
  return writeCompanyData(ctx, opened, companyIn(opened, inputs.org_id?.value), {
    plain,
    data,
    ...(data.reason !== undefined && { otherwise: reasonOfTeam(decision) }),
    // Where the ticket's customer stands for another company, segment and plan are the customer's.
    ofCustomer: inputs.looked_up === null ? (inputs.customer?.name ?? null) : null,
    ...(link?.done && { earlier: { customer: link.customer } }),
  });
}

function blanksFor(ctx: Work, decision: RoutingDecision, opened: WritableCase) {
  const { ticket } = opened.file;
  const { inputs } = decision;
  // Somebody may vouch for the company since it was decided.
  const { trust = null, lookup = null } = companyIn(opened, inputs.org_id?.value) ?? {};
  // While the CRM fails nobody knows that nobody does.
  const isTold = lookup?.status === 'error' || !isHeld({ ...inputs, org_id: { trust } }, ctx.routing.claims);
  // An agent may have set the customer of another company than the ticket names.
  const { name = null, org_id: ofCustomer = null } = inputs.customer ?? {};
  const told = [isTold ? inputs.org_id?.value : null, name === ticket.customer ? ofCustomer : null];
  const owners = async () => {
    const of = told.map((orgId) => (orgId ? tickets.ownersOf(ctx.db, ticket, orgId) : []));
    return (await Promise.all(of)).flat();
  };
  return blanksOf(decision, ticket, () => isLastFromDesk(ctx, opened.ticket), owners);
}

/**
 * Writes these values of a decision that was carried out without them, because the helpdesk lacked their fields. What stands
 * there by now stays, and nothing is written where somebody has changed the team.
 */
export function writeLacking(ctx: Work, decision: RoutingDecision, members: readonly string[]): Promise<unknown> {
  return retryIfChanged(async () => {
    const ticket = await readIfThere(ctx, decision.ticket);
    const { creation, agentGroup = null } = ticket?.file.ticket ?? {};
    const { team } = decision.outcome;
    if (ticket === null || creation !== decision.inputs.ticket_creation || (team !== null && agentGroup !== team))
      return;
    const opened = await openDecided(ctx, decision, ticket);
    const written = writtenFields(decision, decision.assignment.state, opened.ticket, fieldsOf(decision));
    const isLacking = (member: string) =>
      members.includes(member) && !opened.ticket.stored[ticketFieldOf[member as keyof RoutingFields]];
    const lacking = <T extends object>(fields: T) =>
      Object.fromEntries(Object.entries(fields).filter(([member]) => isLacking(member))) as Partial<T>;
    return write(ctx, decision, opened, { plain: lacking(written.plain), data: lacking(written.data) });
  });
}

/**
 * What has a team of ours, by a decision or from before its insert, is not moved once an agent has taken it up
 * (decision 23: assign first).
 */
async function isDealtWith(ctx: Work, { cause, inputs, outcome }: RoutingDecision, ticket: PipelineTicket) {
  const isMoved = cause === 'before_insert' && ticket.file.ticket.agentGroup !== outcome.team;
  if (cause !== 'repair' && !isMoved) return false;
  if (ticket.replied || ticket.status !== inputs.ticket_status) return true;
  return (await openOn(ctx, ticket)).others.length > 0;
}

/** The assignment of a decision whose ticket stays as somebody has it: an agent to whom it was given by then keeps it. */
async function leftAssignment(ctx: Work, { ticket, assignment }: RoutingDecision) {
  if (assignment.state !== 'planned') return assignment;
  const { ours } = await readOpen(ctx, ticket);
  const isGiven = ours.some(({ user }) => user === assignment.agent);
  return { state: isGiven ? ('assigned' as const) : ('withdrawn' as const) };
}

/** The ticket has a group that is neither the one we decided on nor the one we decided to replace, and not its sender's. */
async function isOverruled(ctx: Work, { inputs, outcome }: RoutingDecision, ticket: PipelineTicket): Promise<boolean> {
  const group = ticket.file.ticket.agentGroup;
  if (group === null || group === outcome.team || group === inputs.agent_group?.name) return false;
  const insert = await tickets.insertOf(ctx.db, ticket.file.ticket);
  // A flow of the helpdesk writes in the sender's name.
  return insert !== null || !isLastFromSender(ticket);
}

/** Someone has set the group: it stays, with their assignments, and ours is removed. False if the ticket has changed. */
async function overrule(ctx: Work, decision: RoutingDecision, ticket: PipelineTicket): Promise<boolean> {
  const { ours } = await readOpen(ctx, decision.ticket);
  for (const assignment of ours) await ctx.helpdesk.assignments.withdraw(assignment, ctx.signal);
  const reason = `Manual routing kept: ${ticket.file.ticket.agentGroup}.` as TeamReason;
  if ((await ctx.helpdesk.tickets.write(ticket, { reason }, ctx.signal)) === 'changed_meanwhile') return false;
  const state = decision.assignment.state === 'planned' || ours.length > 0 ? 'withdrawn' : decision.assignment.state;
  await decisions.update(ctx.db, decision, { state: 'overruled', reason, assignment: { state } });
  return true;
}

/**
 * Gives the ticket the agent of the decision, unless somebody has it. One that the decision moves from another group loses
 * the assignments that no person made.
 *
 * @param isFresh whether the ticket has just been read, so that the assignees it names are all there are
 */
async function settleAssignment(
  ctx: Work,
  decision: RoutingDecision,
  ticket: PipelineTicket,
  isFresh: boolean,
): Promise<RoutingDecision['assignment']['state']> {
  const { state, agent } = decision.assignment;
  const { team } = decision.outcome;
  if (team === null || (state !== 'planned' && state !== 'nobody_available')) return state;
  const text = `${prefix}${team}`;
  const isOurs = (a: { user: string; description: string }) => a.user === agent && a.description === text;
  const before = isFresh ? await openOn(ctx, ticket) : await readOpen(ctx, decision.ticket, ticket.assignees);
  if (decision.inputs.agent_group !== null && ticket.file.ticket.agentGroup !== team) {
    // Never two open assignments: one made by a native rule or by an earlier decision of ours goes first.
    const going = [...before.ours.filter((a) => !isOurs(a)), ...before.native];
    for (const assignment of going) await ctx.helpdesk.assignments.withdraw(assignment, ctx.signal);
  } else if (before.native.length > 0) return withdrawOurs(ctx, before);
  if (before.others.length > 0) return withdrawOurs(ctx, before);
  if (agent === null) return 'nobody_available';
  if (!before.ours.some(isOurs))
    await assign(ctx, decision.ticket, { team, agent, text, replaces: decision.inputs.agent_group?.name ?? null });
  return lookAgain(ctx, decision.ticket, isOurs);
}

/**
 * Assigns an agent. Where the helpdesk refuses whoever is not of the ticket's team (frappe/helpdesk#3763) the group goes
 * first; what a native rule then assigns at once is withdrawn.
 */
async function assign(
  { helpdesk, signal }: Work,
  ticket: string,
  { team, agent, text, replaces }: { team: string; agent: string; text: string; replaces: string | null },
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
    for (const assignment of await helpdesk.assignments.list(ticket, signal))
      if (assignment.open && assignment.rule !== null) await helpdesk.assignments.withdraw(assignment, signal);
    await helpdesk.assignments.add(ticket, agent, text, signal);
  }
}

/**
 * Simultaneous calls can leave two open assignments (docs/helpdesk.md#assignment): the oldest of ours stays, if any may.
 */
async function lookAgain(ctx: Work, ticket: string, isOurs: (a: { user: string; description: string }) => boolean) {
  const after = await readOpen(ctx, ticket);
  if (after.others.length > 0 || after.native.length > 0) return withdrawOurs(ctx, after);
  const [kept, ...surplus] = after.ours.filter(isOurs);
  // It said yes and has nothing, as after a rollback: told as a failure, it is tried again.
  if (kept === undefined)
    throw new HelpdeskError('bad_answer', 'The helpdesk took an assignment and does not have it.');
  for (const assignment of surplus) await ctx.helpdesk.assignments.withdraw(assignment, ctx.signal);
  return 'assigned' as const;
}

async function isTakenByOther(ctx: Work, ticket: PipelineTicket): Promise<boolean> {
  const assignees = await ctx.helpdesk.assignments.users(ticket.file.ticket.name, ctx.signal);
  const { native, others } = await openOn(ctx, { ...ticket, assignees });
  return native.length > 0 || others.length > 0;
}

async function withdrawOurs(ctx: Work, { ours }: OpenAssignments) {
  for (const assignment of ours) await ctx.helpdesk.assignments.withdraw(assignment, ctx.signal);
  return 'already_assigned' as const;
}

/**
 * Whether team and agent stay as they are: a claim is confirmed. Not while somebody is being assigned to a ticket that had
 * waited for it.
 */
function staysPut({ cause, assignment }: RoutingDecision): boolean {
  return cause === 'confirmed' && assignment.state !== 'planned';
}

/** What a claim's ticket shows once the claim is confirmed. If a person has changed its team by now, the reason stays. */
function inPlaceFields(
  decision: RoutingDecision,
  ticket: PipelineTicket,
  found: DecisionFields | null,
): DecisionFields {
  const { plain, data } = writtenFields(decision, decision.assignment.state, ticket, found);
  const { agentGroup: _, ...here } = plain;
  if (ticket.file.ticket.agentGroup === decision.outcome.team) return { plain: here, data };
  const [{ reason: __, ...withoutPlain }, { reason: ___, ...withoutData }] = [here, data];
  return { plain: withoutPlain, data: withoutData };
}

/** The ticket with who has it; null if there is none of this name. Throws HelpdeskError. */
export async function readIfThere({ helpdesk, signal }: Work, name: string): Promise<PipelineTicket | null> {
  return helpdesk.tickets.read(name, signal).catch(unless(['not_found'], null));
}

/** Our assignments are recognised by who made them and by this text, with the team (docs/routing.md#round-robin). */
const prefix = 'Auto round-robin assignment for ';

/** Open assignments of a ticket, by who made them; each list oldest first. */
export interface OpenAssignments {
  ours: TicketAssignment[];
  /** Made by a native rule of the helpdesk. */
  native: TicketAssignment[];
  /** Made by a person or another program. */
  others: TicketAssignment[];
}

/** The open assignments of a ticket that has just been read. Where it names nobody, there are none to look for. */
export async function openOn(ctx: Work, { file, assignees }: PipelineTicket): Promise<OpenAssignments> {
  if (assignees.length === 0) return { ours: [], native: [], others: [] };
  return readOpen(ctx, file.ticket.name, assignees);
}

/**
 * A ticket's open assignments as they are now. Those by the service account without our text were made by a person with
 * its key. `assignees` as for `listAssignments`.
 */
async function readOpen(
  { helpdesk, signal }: Work,
  ticket: string,
  assignees?: readonly string[],
): Promise<OpenAssignments> {
  const open: OpenAssignments = { ours: [], native: [], others: [] };
  const service = await helpdesk.people.serviceUser(signal);
  for (const assignment of await helpdesk.assignments.list(ticket, signal, assignees)) {
    if (!assignment.open) continue;
    if (assignment.rule !== null) open.native.push(assignment);
    else open[isRoutingOf(service, assignment) ? 'ours' : 'others'].push(assignment);
  }
  return open;
}

/** Whether Deskside made it. */
export function isRoutingOf(service: string, { assignedBy, description }: TicketAssignment): boolean {
  return assignedBy === service && description.startsWith(prefix);
}

/** The helpdesk goes on writing a new ticket for a moment (docs/helpdesk.md#inserting-a-ticket: a quarter of a second). */
const insertTakesMs = 1_000;

/** Whether nobody has written to the ticket since it was inserted. */
export function isAsInserted({ file, modified }: PipelineTicket): boolean {
  return stampBefore(modified, insertTakesMs) <= file.ticket.creation;
}

/** Whether its sender wrote to the ticket last. */
export function isLastFromSender({ file, modifiedBy }: PipelineTicket): boolean {
  return modifiedBy.toLowerCase() === senderAddress(file.ticket.origin);
}

/**
 * Whether the desk wrote to the ticket last. The helpdesk's own account writes on behalf of anyone: after it the ticket's
 * creator counts. Throws HelpdeskError.
 */
async function isLastFromDesk({ helpdesk, signal }: Work, { file, modifiedBy }: PipelineTicket): Promise<boolean> {
  const { owner } = file.ticket.origin;
  const writer = modifiedBy === systemAccount ? owner : modifiedBy;
  return writer !== systemAccount && helpdesk.people.isDesk(writer, signal);
}
