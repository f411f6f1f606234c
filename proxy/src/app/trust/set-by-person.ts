import { orderCandidates } from '#domain/intake/org-id-candidates.ts';
import { isSameSender } from '#domain/trust/sender.ts';
import type { FilledField, HelpdeskTickets, InsertedTicket, PipelineTicket } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Store } from '#store/store.ts';

type Accounts = Pick<HelpdeskTickets, 'isDesk' | 'systemAccount' | 'stampBefore'>;

/** The helpdesk goes on writing a new ticket for a moment (docs/helpdesk.md#inserting-a-ticket: a quarter of a second). */
const insertTakesMs = 1_000;

/** Whether nobody has written to the ticket since it was inserted. */
export function isAsInserted(
  { stampBefore }: Pick<HelpdeskTickets, 'stampBefore'>,
  { creation, modified }: Pick<PipelineTicket, 'creation' | 'modified'>,
): boolean {
  return stampBefore(modified, insertTakesMs) <= creation;
}

/**
 * Whether the desk answers for what is on a ticket, as its last writer (docs/routing.md#who-is-of-the-desk). The helpdesk's
 * own account writes on behalf of anyone: after it the creator counts, for what came with the ticket. Throws HelpdeskError.
 */
export async function setByPerson(accounts: Accounts, ticket: PipelineTicket, signal: AbortSignal): Promise<boolean> {
  const { modifiedBy, file } = ticket;
  if (modifiedBy !== accounts.systemAccount) return accounts.isDesk(modifiedBy, signal);
  return isAsInserted(accounts, ticket) && accounts.isDesk(file.ticket.origin.owner, signal);
}

/**
 * Which of the fields that people fill in the desk answers for: all, if it wrote to the ticket last, else those that still
 * show what it had filled in when the ticket was first seen. Throws HelpdeskError.
 */
export async function fieldsOfDesk(
  { helpdesk, decisions }: { helpdesk: Accounts; decisions: Pick<Store['decisions'], 'firstState'> },
  ticket: PipelineTicket,
  signal: AbortSignal,
): Promise<ReadonlySet<FilledField>> {
  const first = await decisions.firstState(ticket.file.ticket.name, ticket.creation);
  const shown = Object.entries(ticket.filled) as [FilledField, string][];
  const all = await setByPerson(helpdesk, ticket, signal);
  return new Set(shown.filter(([field, value]) => all || first?.filled[field] === value).map(([field]) => field));
}

/** A ticket as if it had just been inserted as it is. */
export function insertedOf({ file: { ticket }, creation, splitFrom }: PipelineTicket): InsertedTicket {
  const { origin, agentGroup, orgIdFields } = ticket;
  const ids = orgIdFields.map(({ field, value }) => ({ field, value: value ? String(value) : null }));
  return { creation, owner: origin.owner, raisedBy: origin.raisedBy, agentGroup, splitFrom, orgIdFields: ids };
}

/** Whether a ticket is nobody's copy: it came by mail, or its sender made it and no org id with it. */
export function isOriginal(
  { systemAccount }: Pick<HelpdeskTickets, 'systemAccount'>,
  { owner, raisedBy, splitFrom, orgIdFields }: InsertedTicket,
): boolean {
  const [own] = orderCandidates(orgIdFields, null).candidates;
  return splitFrom === null && (owner === systemAccount || (!own && isSameSender(owner, raisedBy)));
}
