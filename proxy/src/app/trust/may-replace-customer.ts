import type { OrgId } from '@deskside/shared/orgid';
import type { CrmCompany } from '#ports/crm.ts';
import type { TicketFile } from '#ports/helpdesk.ts';
import type { SyncLog } from '#ports/sync-log.ts';
import type { JudgeMatch } from './judge-match.ts';

/**
 * Whether an org id may replace the customer that a ticket has (docs/decisions.md 10): not on a claim, and not if an
 * agent linked that customer by Sync. Throws HelpdeskError.
 */
export async function mayReplaceCustomer(
  { judgeMatch, syncLog }: { judgeMatch: JudgeMatch; syncLog: Pick<SyncLog, 'latest'> },
  { file: { ticket }, orgId, company }: { file: TicketFile; orgId: OrgId; company: CrmCompany },
  signal: AbortSignal,
): Promise<boolean> {
  if ((await syncLog.latest(ticket.name))?.customer === ticket.customer) return false;
  const candidate = { orgId, source: 'ticket', field: '' } as const;
  return (await judgeMatch({ ticket, candidate, company }, signal)).level !== 'claimed';
}
