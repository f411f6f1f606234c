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
    return c.json({ success: true, data, message: 'Customer profile loaded.' });
  };
}
