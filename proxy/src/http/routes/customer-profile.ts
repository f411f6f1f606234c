import type { Context } from 'hono';
import type { GetTicketProfile } from '../../app/get-ticket-profile.ts';
import { callerOf } from '../caller.ts';
import type { AppEnv } from '../context.ts';
import { inputOf } from '../input.ts';

/** GET /api/method/platform_crm_customer_profile: the customer profile of a ticket (spec.md, "Endpoints"). */
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
