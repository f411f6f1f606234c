import { revisionHeader, trustForRevision } from '@deskside/shared/compat';
import type { Context } from 'hono';
import type { GetTicketProfile } from '#app/profile/get-ticket-profile.ts';
import { callerOf } from '#http/caller.ts';
import type { AppEnv } from '#http/context.ts';
import { inputOf } from '#http/input.ts';

/** GET /api/method/platform_crm_customer_profile: the customer profile of a ticket (docs/api.md#profile). */
export function customerProfileRoute(getTicketProfile: GetTicketProfile) {
  return async (c: Context<AppEnv>) => {
    const caller = callerOf(c);
    const { ticket, refresh } = inputOf(c, 'customerProfile');
    const data = await getTicketProfile({
      caller,
      ticket,
      refresh,
      requestId: c.get('requestId'),
      signal: c.req.raw.signal,
    });
    const { bitrix } = data;
    const lookup_trust = trustForRevision(c.req.header(revisionHeader), bitrix.lookup_trust);
    const told = { ...data, bitrix: { ...bitrix, lookup_trust } };
    return c.json({ success: true, data: told, message: 'Customer profile loaded.' });
  };
}
