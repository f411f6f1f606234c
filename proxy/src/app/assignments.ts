import type { TicketAssignment } from '../ports/helpdesk-tickets.ts';

/** How our assignments are told from others': by who made them and by these words (facts/domain.md section 5). */
export function assignmentText(team: string): string {
  return `${prefix}${team}`;
}

const prefix = 'Auto round-robin assignment for ';

/** Open assignments of a ticket by whose they are. */
export interface Sorted {
  ours: TicketAssignment[];
  /** Made by a native rule of the helpdesk. */
  native: TicketAssignment[];
  /** Made by a person or another program. */
  others: TicketAssignment[];
}

/** `service` is the user of the service account; what it assigned otherwise, a person did with its key. */
export function sortOpen(assignments: readonly TicketAssignment[], service: string): Sorted {
  const open = assignments.filter((assignment) => assignment.open);
  const isOurs = (a: TicketAssignment) =>
    a.rule === null && a.assignedBy === service && a.description.startsWith(prefix);
  const ours = open.filter(isOurs);
  const native = open.filter(({ rule }) => rule !== null);
  return { ours, native, others: open.filter((a) => !ours.includes(a) && !native.includes(a)) };
}
