import type { CustomerRefreshData } from '@deskside/shared/enrichment';
import type { Context } from 'hono';
import type { RefreshCustomer } from '#app/customer/refresh-customer.ts';
import type { GetLegacyProfile } from '#app/profile/get-legacy-profile.ts';
import { callerOf } from '#http/caller.ts';
import type { AppEnv } from '#http/context.ts';
import { bodyInputOf, inputOf } from '#http/input.ts';

/** Sentences that older clients show as they are (docs/api.md#envelope). */
const messages: Readonly<Record<string, string>> = {
  disabled: 'CRM enrichment is disabled.',
  missing_config: 'CRM is not configured.',
  missing_orgid: 'Customer has no Company ID for CRM lookup.',
  error: 'CRM fetch failed.',
};

/** POST …customer_profile.refresh_customer_profile: asks the CRM about a customer (docs/api.md#refresh). */
export function refreshCustomerRoute(refreshCustomer: RefreshCustomer) {
  return async (c: Context<AppEnv>) => {
    const caller = callerOf(c);
    const { hd_customer: customer, contact } = await bodyInputOf(c, 'refreshCustomer');
    return answer(c, await refreshCustomer({ caller, customer, contact, signal: c.req.raw.signal }));
  };
}

/**
 * GET …customer_profile.get_ticket_customer_profile: the profile as an older panel expects it
 * (docs/api.md#legacy-profile).
 */
export function legacyProfileRoute(getLegacyProfile: GetLegacyProfile) {
  return async (c: Context<AppEnv>) => {
    const caller = callerOf(c);
    const { ticket, refresh } = inputOf(c, 'legacyProfile');
    return answer(c, await getLegacyProfile({ caller, ticket, refresh, signal: c.req.raw.signal }));
  };
}

function answer(c: Context<AppEnv>, data: CustomerRefreshData) {
  const { status } = data.bitrix;
  const stored = data.bitrix.enabled === null;
  const known = stored ? undefined : messages[status];
  const message = status === 'idle' ? 'Ticket has no linked HD Customer.' : (known ?? 'Customer profile loaded.');
  return c.json({ success: true, data, message });
}
