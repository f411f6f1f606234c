import type { Whoami } from '@deskside/shared/contract';
import type { CustomerRefreshData, EnrichmentData, SyncData } from '@deskside/shared/enrichment';
import type { FindData } from '@deskside/shared/find';
import type { ProfileData } from '@deskside/shared/profile';
import type { RejectionData } from '@deskside/shared/reject-customer';
import type { IntakeData, RoutingDecisions } from '@deskside/shared/routing';
import type { LookupStatus } from '@deskside/shared/status';

// The sentences about answers, which older clients show as they are (docs/api.md#envelope).

const profileMessages: Readonly<Record<LookupStatus, string>> = {
  matched: 'Customer profile loaded.',
  cached: 'Customer profile loaded.',
  not_found: 'No CRM company found.',
  missing_orgid: 'No Company ID for CRM lookup.',
  disabled: 'CRM enrichment is disabled.',
  missing_config: 'CRM is not configured.',
  error: 'CRM fetch failed.',
};

export function profileMessage({ bitrix }: ProfileData): string {
  return profileMessages[bitrix.status];
}

const refreshMessages: Readonly<Record<string, string>> = {
  ...profileMessages,
  idle: 'Ticket has no linked HD Customer.',
};

export function refreshMessage({ bitrix: { enabled, status } }: CustomerRefreshData): string {
  const isStored = enabled === null;
  return (isStored ? undefined : refreshMessages[status]) ?? profileMessages.matched;
}

const enrichmentMessages: Readonly<Record<LookupStatus, string>> = {
  missing_orgid: 'No orgid supplied.',
  disabled: 'CRM enrichment is disabled.',
  missing_config: 'CRM webhook is not configured.',
  cached: 'CRM check skipped by TTL.',
  not_found: 'No CRM company found.',
  error: 'CRM company fetch failed.',
  matched: 'CRM company data synced.',
};

export function enrichmentMessage({ status }: EnrichmentData): string {
  return enrichmentMessages[status];
}

const syncMessages: Readonly<Record<Exclude<LookupStatus, 'matched' | 'cached'>, string>> = {
  missing_orgid: 'Ticket has no Company ID.',
  disabled: 'CRM enrichment is disabled.',
  missing_config: 'CRM webhook is not configured.',
  not_found: 'No CRM company found.',
  error: 'CRM company fetch failed.',
};
const syncedMessages: Readonly<Record<SyncData['action'], string>> = {
  preview: 'Nothing has been changed yet.',
  apply: 'Customer synced.',
  undo: 'Sync undone.',
};

export function syncMessage({ action, status }: SyncData): string {
  return status === 'matched' || status === 'cached' ? syncedMessages[action] : syncMessages[status];
}

const intakeMessages: Readonly<Record<IntakeData['status'], string>> = {
  found: 'Org id found.',
  not_found: 'No org id found.',
  failed: 'No org id found, and a store address did not respond.',
};

export function intakeMessage({ status }: IntakeData): string {
  return intakeMessages[status];
}

export function rejectionMessage({ action }: RejectionData): string {
  return action === 'undo' ? 'Rejection undone.' : 'Company rejected.';
}

export function findMessage({ read_as, companies, crm, helpdesk }: FindData): string {
  if (read_as.length === 0) return 'Nothing to search for.';
  if (companies.length > 0) return 'Companies found.';
  return crm.status === 'failed' || helpdesk.status === 'failed' ? 'The search failed in part.' : 'No company found.';
}

export function decisionsMessage({ decisions }: RoutingDecisions): string {
  return decisions.length > 0 ? 'Routing decisions loaded.' : 'There are no decisions on this ticket.';
}

export function callerMessage({ is_agent }: Whoami): string {
  return is_agent ? 'You are signed in as an agent.' : 'You are signed in, but not as an agent.';
}
