import type { LookupStatus } from '@deskside/shared/status';

const loaded = 'Customer profile loaded.';

/** What the message of a profile says of the CRM: a sentence that older clients show as it is (docs/api.md#envelope). */
export const profileMessages: Readonly<Record<LookupStatus, string>> = {
  matched: loaded,
  cached: loaded,
  not_found: 'No CRM company found.',
  missing_orgid: 'No Company ID for CRM lookup.',
  disabled: 'CRM enrichment is disabled.',
  missing_config: 'CRM is not configured.',
  error: 'CRM fetch failed.',
};
