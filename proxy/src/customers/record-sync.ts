import type { TicketLink } from '#helpdesk/tickets.ts';
import { AppError } from '#runtime/app-error.ts';
import type { StateDb } from '#store/schema.ts';
import type { Sender } from '#store/syncs.ts';
import * as syncs from '#store/syncs.ts';
import type { Match } from './apply-match.ts';

interface NewSync {
  ticket: string;
  /** The agent's user id. */
  agent: string;
  match: Match;
  customer: string;
  previousCustomer: string | null;
  sender: Sender | null;
  at: number;
}

/** What happens must still be what the agent agreed to; having pressed twice is not a change. Throws `changed_since`. */
export async function requireAsPreviewed(
  db: StateDb,
  link: TicketLink,
  expected: string | null,
  agent: string,
): Promise<void> {
  if (expected === null || (link.customer ?? '') === expected) return;
  const latest = await syncs.latest(db, link.name);
  const isOwn = latest?.agent === agent && latest.customer === link.customer;
  if (!isOwn || (latest.previousCustomer ?? '') !== expected) throw new AppError('changed_since');
}

/**
 * Records a Sync and gives its id. Pressing twice is one sync: otherwise the second would forget what the ticket had
 * before the first.
 */
export async function recordSync(db: StateDb, sync: NewSync): Promise<string> {
  const { match, ...entry } = sync;
  const { ticket, agent, customer, previousCustomer } = entry;
  const latest = await syncs.latest(db, ticket);
  const isRepeated = latest?.customer === customer && latest.orgId === match.orgId && latest.agent === agent;
  if (isRepeated && previousCustomer === customer) return latest.id;
  return syncs.record(db, { ...entry, ...idsOf(match) });
}

/** The ids of the company that was found. */
export function idsOf({ orgId, company }: Match) {
  return { orgId, crmCompanyId: company.fields.bitrix_id };
}
