import type { Context } from '#context.ts';
import type { TicketAssignment } from '#helpdesk/assignments.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import type { Helpdesk } from '#helpdesk/helpdesk.ts';
import { systemAccount } from '#helpdesk/people.ts';
import type { PipelineTicket } from '#helpdesk/tickets.ts';
import { stampBefore } from '#helpdesk/time.ts';
import { senderAddress } from '#trust/evidence.ts';

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
export function assignmentText(team: string): string {
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
export async function readOpen(
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
export async function isLastFromDesk(
  { helpdesk }: { helpdesk: Helpdesk },
  { file, modifiedBy }: PipelineTicket,
  signal: AbortSignal,
): Promise<boolean> {
  const { owner } = file.ticket.origin;
  const writer = modifiedBy === systemAccount ? owner : modifiedBy;
  return writer !== systemAccount && helpdesk.people.isDesk(writer, signal);
}
