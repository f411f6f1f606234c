import type { SweepMark } from '#ports/intake/inbox.ts';
import type { MissingAnchors } from '#ports/operator/missing-anchors.ts';
import type { Upkeep } from '#ports/operator/upkeep.ts';
import type { Decisions } from '#ports/routing/decisions.ts';
import { type Deadline, type HelpdeskReader, textOf } from './helpdesk-reader.ts';

/** Our own records, opened for reading only. Its methods throw Unreadable. */
export interface OwnRecords {
  sweepMark: Pick<SweepMark, 'read'>;
  decisions: Pick<Decisions, 'list'>;
  missingAnchors: Pick<MissingAnchors, 'list'>;
  upkeep: Pick<Upkeep, 'lastBackup'>;
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
    const unknown = new Set<string>();
    for (const todo of await service.list('ToDo', { fields, filters }, deadline())) {
      const ticket = String(todo.reference_name);
      const agents = (await records.decisions.list(ticket)).map(({ assignment }) => assignment.agent);
      if (!agents.includes(textOf(todo.allocated_to))) unknown.add(ticket);
    }
    return { unknown: [...unknown] };
  } finally {
    await records.close();
  }
}
