import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskTickets, PipelineTicket, TicketAssignment } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import type { Store } from '#store/store.ts';

/** The ticket with who has it; null if there is none of this name. Throws HelpdeskError. */
export async function readIfThere(
  { helpdesk }: { helpdesk: Pick<HelpdeskTickets, 'readPipelineTicket'> },
  name: string,
  signal: AbortSignal,
): Promise<PipelineTicket | null> {
  return helpdesk.readPipelineTicket(name, signal).catch((error: unknown) => {
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
  /** Made by another installation of Deskside with our service account (docs/decisions.md 20). */
  rivals: TicketAssignment[];
  /** Made by a person or another program. */
  others: TicketAssignment[];
}

interface Needs {
  helpdesk: Pick<HelpdeskTickets, 'listAssignments' | 'serviceUser'>;
  decisions: Pick<Store['decisions'], 'list'>;
}

/** The open assignments of a ticket that has just been read. Where it names nobody, there are none to look for. */
export async function openOn(ctx: Needs, { file, assignees }: PipelineTicket, signal: AbortSignal): Promise<Sorted> {
  if (assignees.length === 0) return { ours: [], native: [], rivals: [], others: [] };
  return readOpen(ctx, file.ticket.name, signal, assignees);
}

/**
 * A ticket's open assignments as they are now. Those by the service account without our text were made by a person with
 * its key. `assignees` as for `listAssignments`.
 */
export async function readOpen(
  ctx: Needs,
  ticket: string,
  signal: AbortSignal,
  assignees?: readonly string[],
): Promise<Sorted> {
  const sorted: Sorted = { ours: [], native: [], rivals: [], others: [] };
  const service = await ctx.helpdesk.serviceUser(signal);
  const agents = (await ctx.decisions.list(ticket)).map(({ assignment }) => assignment.agent);
  for (const assignment of await ctx.helpdesk.listAssignments(ticket, signal, assignees)) {
    if (!assignment.open) continue;
    if (assignment.rule !== null) sorted.native.push(assignment);
    else if (!isRoutingOf(service, assignment)) sorted.others.push(assignment);
    else sorted[agents.includes(assignment.user) ? 'ours' : 'rivals'].push(assignment);
  }
  return sorted;
}

/** Whether Deskside made it, this installation or another with the same service account. */
export function isRoutingOf(service: string, { rule, assignedBy, description }: TicketAssignment): boolean {
  return rule === null && assignedBy === service && description.startsWith(prefix);
}

/** The team for which Deskside made an assignment. */
export function teamOf({ description }: Pick<TicketAssignment, 'description'>): string {
  return description.slice(prefix.length);
}

/** Of two installations that assign at the same moment, the one whose assignment is older keeps the ticket. */
export function rivalIsFirst({ ours: [own], rivals: [rival] }: Sorted): boolean {
  if (rival === undefined || own === undefined) return rival !== undefined;
  return rival.creation === own.creation ? rival.id < own.id : rival.creation < own.creation;
}

export function alertOtherInstallation(logger: Logger, ticket: string): void {
  logger.error(
    { fault: 'another_installation', ticket },
    'Another installation of Deskside routes tickets of this helpdesk with the same service account',
  );
}
