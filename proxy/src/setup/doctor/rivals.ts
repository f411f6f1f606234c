import { type AreaReport, areaReport, finding, listed } from '#setup/doctor/finding.ts';
import { type Deadline, type HelpdeskReader, textOf } from '#setup/helpdesk-reader.ts';
import type { Store } from '#store/store.ts';

/** Our own records, as far as they are looked at. */
interface OwnRecords {
  sweepMark: Pick<Store['sweepMark'], 'read'>;
  decisions: Pick<Store['decisions'], 'list' | 'decided'>;
  missingAnchors: Pick<Store['missingAnchors'], 'list'>;
  upkeep: Pick<Store['upkeep'], 'lastBackup' | 'lastSignUp'>;
}

/** Opens them for one reading; null if there are none yet. Throws Unreadable. */
export type ReadRecords<Parts extends keyof OwnRecords = keyof OwnRecords> = <T>(
  read: (records: Pick<OwnRecords, Parts>) => Promise<T>,
) => Promise<T | null>;

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
  records: ReadRecords,
  { user, since }: { user: string; since: string },
  deadline: Deadline,
): Promise<RivalFacts> {
  const mark = await records(({ sweepMark }) => sweepMark.read());
  if (mark === null) return null;
  const filters = [
    ['assigned_by', '=', user],
    ['reference_type', '=', 'HD Ticket'],
    ['description', 'like', 'Auto round-robin assignment for %'],
    ['creation', '>=', mark.from > since ? mark.from : since],
  ] as const;
  const fields = ['name', 'reference_name', 'allocated_to'] as const;
  const todos = await service.list('ToDo', { fields, filters }, deadline());
  const unknown = new Set<string>();
  await records(async ({ decisions }) => {
    const decided = await decisions.decided(todos.map(({ reference_name }) => String(reference_name)));
    for (const todo of todos) {
      const ticket = String(todo.reference_name);
      const ours = await decisions.list(ticket);
      // Of a ticket that was purged, or forgotten, it is only known that it was decided here (docs/decisions.md 27).
      const isForgotten = ours.length === 0 && decided.has(ticket);
      const isOurs = ours.some(({ assignment }) => assignment.agent === textOf(todo.allocated_to));
      if (!isForgotten && !isOurs) unknown.add(ticket);
    }
  });
  return { unknown: [...unknown] };
}

/** Judges whether somebody else routes tickets with our service account (docs/decisions.md 20). */
export function judgeRivals(facts: RivalFacts): AreaReport {
  const area = 'Other installations';
  if (facts === null) return areaReport(area, { fine: 'No ticket has been routed yet.' });
  const found = finding(
    'another_installation',
    `Our service account has assigned tickets to people who are not in our records: ${listed(facts.unknown)}.`,
    'Stop the other installation (an old process, a staging copy), or give it an account and a helpdesk of its own.',
  );
  return areaReport(area, {
    findings: [facts.unknown.length > 0 && found],
    fine: 'Only this installation assigns tickets.',
  });
}
