import type { CustomerRefreshData } from '@deskside/shared/enrichment';
import type { Context } from 'hono';
import type { RefreshCustomer } from '#app/customer/refresh-customer.ts';
import type { GetLegacyProfile } from '#app/profile/get-legacy-profile.ts';
import { callerOf } from '#http/caller.ts';
import type { AppEnv } from '#http/context.ts';
import { bodyInputOf, eitherInputOf } from '#http/input.ts';
import { profileMessages } from './profile-message.ts';

/** POST …customer_profile.refresh_customer_profile: asks the CRM about a customer (docs/api.md#refresh). */
export function refreshCustomerRoute(refreshCustomer: RefreshCustomer) {
  return async (c: Context<AppEnv>) => {
    const caller = callerOf(c);
    const { hd_customer: customer, contact } = await bodyInputOf(c, 'refreshCustomer');
    return answer(c, await refreshCustomer({ caller, customer, contact, signal: c.req.raw.signal }));
  };
}

/**
 * GET or POST …customer_profile.get_ticket_customer_profile: the profile as an older panel expects it
 * (docs/api.md#legacy-profile).
 */
export function legacyProfileRoute(getLegacyProfile: GetLegacyProfile) {
  return async (c: Context<AppEnv>) => {
    const caller = callerOf(c);
    const { ticket, refresh } = await eitherInputOf(c, 'legacyProfile');
    return answer(c, await getLegacyProfile({ caller, ticket, refresh, signal: c.req.raw.signal }));
  };
}

const messages: Readonly<Record<string, string>> = { ...profileMessages, idle: 'Ticket has no linked HD Customer.' };

function answer(c: Context<AppEnv>, data: CustomerRefreshData) {
  const { enabled, status } = data.bitrix;
  const isStored = enabled === null;
  const message = (isStored ? undefined : messages[status]) ?? profileMessages.matched;
  return c.json({ success: true, data, message });
}
