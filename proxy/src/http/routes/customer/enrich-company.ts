import type { LookupStatus } from '@deskside/shared/status';
import type { Context } from 'hono';
import type { EnrichCompany } from '#app/customer/enrich-company.ts';
import { callerOf } from '#http/caller.ts';
import type { AppEnv } from '#http/context.ts';
import { bodyInputOf } from '#http/input.ts';

const messages: Record<LookupStatus, string> = {
  missing_orgid: 'No orgid supplied.',
  disabled: 'CRM enrichment is disabled.',
  missing_config: 'CRM webhook is not configured.',
  cached: 'CRM check skipped by TTL.',
  not_found: 'No CRM company found.',
  error: 'CRM company fetch failed.',
  matched: 'CRM company data synced.',
};

/**
 * POST /api/method/platform_crm_metajson_company_enrichment: enriches an org id's customer (docs/api.md#enrichment).
 */
export function enrichCompanyRoute(enrichCompany: EnrichCompany) {
  return async (c: Context<AppEnv>) => {
    const caller = callerOf(c);
    const input = await bodyInputOf(c, 'enrichCompany');
    const data = await enrichCompany({ ...input, caller, requestId: c.get('requestId'), signal: c.req.raw.signal });
    return c.json({ success: data.status !== 'error', data, message: messages[data.status] });
  };
}
