import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import type { TicketFile } from '#helpdesk/tickets.ts';
import { type Candidates, orderCandidates } from '#intake/org-id-candidates.ts';
import { hasGiven } from '#routing/written-of.ts';
import * as decisions from '#store/decisions.ts';
import type { StateDb } from '#store/schema.ts';

/**
 * The org ids that a ticket and its customer carry, in order. What stands in one of the ticket's former fields because we
 * copied it there is none of its own: it goes by what the current field says by now (docs/decisions.md 5).
 */
export async function carriedOrgIds(db: StateDb, { ticket, customer }: TicketFile): Promise<Candidates> {
  const { orgIdFields } = ticket;
  const current = orgIdFields.find(({ kind }) => kind === 'current');
  if (current === undefined) return orderCandidates(orgIdFields, customer);
  const now = parseOrgId(current.value);
  const differs = orgIdFields.some(({ value }) => (parseOrgId(value) ?? now) !== now);
  const decided = differs ? await decisions.list(db, ticket.name) : [];
  const isCopy = (value: OrgId | null) =>
    value !== null && (value === now || decided.some((decision) => hasGiven(decision, value)));
  const own = orgIdFields.filter(({ kind, value }) => kind === 'current' || !isCopy(parseOrgId(value)));
  return orderCandidates(own, customer);
}
