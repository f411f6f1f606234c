import type { TicketAssignment } from '#ports/helpdesk-tickets.ts';

/** Our assignments are recognised by who made them and by this text (docs/routing.md#round-robin). */
export function assignmentText(team: string): string {
  return `${prefix}${team}`;
}

const prefix = 'Auto round-robin assignment for ';

/** Open assignments of a ticket, by who made them. */
export interface Sorted {
  ours: TicketAssignment[];
  /** Made by a native rule of the helpdesk. */
  native: TicketAssignment[];
  /** Made by a person or another program. */
  others: TicketAssignment[];
}

/** `service` is the user of the service account; other assignments by it were made by a person with its key. */
export function sortOpen(assignments: readonly TicketAssignment[], service: string): Sorted {
  const open = assignments.filter((assignment) => assignment.open);
  const isOurs = (a: TicketAssignment) =>
    a.rule === null && a.assignedBy === service && a.description.startsWith(prefix);
  const ours = open.filter(isOurs);
  const native = open.filter(({ rule }) => rule !== null);
  return { ours, native, others: open.filter((a) => !ours.includes(a) && !native.includes(a)) };
}
