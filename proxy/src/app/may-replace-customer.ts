import type { OrgId } from '@deskside/shared/orgid';
import { isDeskOwner } from '../domain/desk-owner.ts';
import { judgeTrust } from '../domain/trust.ts';
import type { CrmCompany } from '../ports/crm.ts';
import type { Helpdesk, TicketFile } from '../ports/helpdesk.ts';
import type { HelpdeskTickets } from '../ports/helpdesk-tickets.ts';
import type { SyncLog } from '../ports/sync-log.ts';

/** What the helpdesk knows of a sender and of who wrote his ticket down. */
export type SenderFacts = Pick<Helpdesk, 'readSenderTies'> & Pick<HelpdeskTickets, 'isAgent'>;

/**
 * Whether an org id may take a ticket away from the customer that it has (design.md, decision 10): not on a claim, and
 * not from a customer that an agent linked by Sync. Throws HelpdeskError.
 */
export async function mayReplaceCustomer(
  { helpdesk, syncLog }: { helpdesk: SenderFacts; syncLog: SyncLog },
  { file, orgId, company }: { file: TicketFile; orgId: OrgId; company: CrmCompany },
  signal: AbortSignal,
): Promise<boolean> {
  const { origin, name, customer } = file.ticket;
  if ((await syncLog.latest(name))?.customer === customer) return false;
  const known = {
    origin,
    candidate: { orgId, source: 'ticket', field: 'custom_orgid' },
    companyEmails: company.emails,
    ties: null,
    ownerIsDesk: isDeskOwner(origin) ?? (await helpdesk.isAgent(origin.owner, signal)),
  } as const;
  if (judgeTrust(known).level !== 'claimed') return true;
  if (!origin.raisedBy) return false;
  const { customers } = await helpdesk.readSenderTies(origin.raisedBy, orgId, signal);
  return judgeTrust({ ...known, ties: customers }).level !== 'claimed';
}
