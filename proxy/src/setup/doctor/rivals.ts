import type { SweepMark } from '#ports/intake/inbox.ts';
import type { MissingAnchors } from '#ports/operator/missing-anchors.ts';
import type { Upkeep } from '#ports/operator/upkeep.ts';
import type { Decisions } from '#ports/routing/decisions.ts';
import { type AreaReport, finding, listed } from '#setup/doctor/finding.ts';
import { type Deadline, type HelpdeskReader, textOf } from '#setup/helpdesk-reader.ts';

/** Our own records, opened for reading only. Its methods throw Unreadable. */
export interface OwnRecords {
  sweepMark: Pick<SweepMark, 'read'>;
  decisions: Pick<Decisions, 'list' | 'decided'>;
  missingAnchors: Pick<MissingAnchors, 'list'>;
  upkeep: Pick<Upkeep, 'lastBackup' | 'lastSignUp'>;
  close(): Promise<void>;
}

/** Tickets that our service account gave to somebody whom no record of ours names; null before anything was routed. */
export type RivalFacts = { unknown: string[] } | null;

/**
 * Compares what the service account assigned lately with our own records (docs/decisions.md 20).
 *
 * @param seen.user the service account's user
 * @param seen.since earlier assignments do not count; as the site writes it
 */
export async function gatherRivals(
  service: HelpdeskReader,
  openRecords: () => Promise<OwnRecords | null>,
  { user, since }: { user: string; since: string },
  deadline: Deadline,
): Promise<RivalFacts> {
  const records = await openRecords();
  if (records === null) return null;
  try {
    const mark = await records.sweepMark.read();
    if (mark === null) return null;
    const filters = [
      ['assigned_by', '=', user],
      ['reference_type', '=', 'HD Ticket'],
      ['description', 'like', 'Auto round-robin assignment for %'],
      ['creation', '>=', mark.from > since ? mark.from : since],
    ] as const;
    const fields = ['name', 'reference_name', 'allocated_to'] as const;
    const todos = await service.list('ToDo', { fields, filters }, deadline());
    const decided = await records.decisions.decided(todos.map(({ reference_name }) => String(reference_name)));
    const unknown = new Set<string>();
    for (const todo of todos) {
      const ticket = String(todo.reference_name);
      const decisions = await records.decisions.list(ticket);
      // Of a ticket that was purged, or forgotten, it is only known that it was decided here (docs/decisions.md 27).
      const isForgotten = decisions.length === 0 && decided.has(ticket);
      const isOurs = decisions.some(({ assignment }) => assignment.agent === textOf(todo.allocated_to));
      if (!isForgotten && !isOurs) unknown.add(ticket);
    }
    return { unknown: [...unknown] };
  } finally {
    await records.close();
  }
}

/** Judges whether somebody else routes tickets with our service account (docs/decisions.md 20). */
export function judgeRivals(facts: RivalFacts): AreaReport {
  const area = 'Other installations';
  if (facts === null) return { area, findings: [], passed: ['No ticket has been routed yet.'], unchecked: [] };
  if (facts.unknown.length === 0)
    return { area, findings: [], passed: ['Only this installation assigns tickets.'], unchecked: [] };
  const found = finding(
    'another_installation',
    `Our service account has assigned tickets to people who are not in our records: ${listed(facts.unknown)}.`,
    'Stop the other installation (an old process, a staging copy), or give it an account and a helpdesk of its own.',
  );
  return { area, findings: [found], passed: [], unchecked: [] };
}
