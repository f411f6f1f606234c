import type { WholeHelpdesk } from '#helpdesk/whole.ts';
import type { Clock } from '#runtime/memory.ts';
import type { Purged } from './purge.ts';
import { namesSubject, type PurgeSubject } from './purge-subject.ts';
import type { Store } from './store.ts';

/**
 * Deletes what our records hold of one person, company or ticket, and the tickets' records as a whole
 * (docs/operate.md#deleting-one-persons-or-companys-data). The helpdesk says which tickets are theirs, since our
 * records need not name them. Throws HelpdeskError before anything is deleted.
 */
export async function purgeRecords(
  { search, purge, clock }: { search: WholeHelpdesk; purge: Store['purge']; clock: Clock },
  subject: PurgeSubject,
  isDry: boolean,
  signal: AbortSignal,
): Promise<Purged> {
  const { tickets, customers } = await ofHelpdesk(search, subject, signal);
  const names = subject.kind === 'ticket' ? null : namesSubject(subject, customers);
  return purge({ tickets, names, now: clock(), isDry });
}

async function ofHelpdesk(search: WholeHelpdesk, subject: PurgeSubject, signal: AbortSignal) {
  if (subject.kind === 'ticket') return { tickets: [subject.value], customers: [] };
  if (subject.kind === 'org_id') return search.ticketsOfCompany(subject.value, signal);
  return { tickets: await search.ticketsOfPerson(subject.value, signal), customers: [] };
}
