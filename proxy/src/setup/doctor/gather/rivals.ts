import type { Decisions } from '#ports/decisions.ts';
import type { SweepMark } from '#ports/inbox.ts';
import { type Deadline, type HelpdeskReader, textOf } from './helpdesk-reader.ts';

/** Our own records of routed tickets, opened for reading only. Its methods throw Unreadable. */
export interface OwnRecords {
  sweepMark: Pick<SweepMark, 'read'>;
  decisions: Pick<Decisions, 'decided'>;
  close(): Promise<void>;
}

/** Tickets that our service account assigned although no record of ours knows them; null before anything was routed. */
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
    const todos = await service.list('ToDo', { fields: ['name', 'reference_name'], filters }, deadline());
    const tickets = [
      ...new Set(todos.map(({ reference_name: name }) => (typeof name === 'number' ? `${name}` : textOf(name)))),
    ];
    const known = await records.decisions.decided(tickets);
    return { unknown: tickets.filter((ticket) => !known.has(ticket)) };
  } finally {
    await records.close();
  }
}
