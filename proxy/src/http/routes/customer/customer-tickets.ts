import type { Context } from 'hono';
import type { ListAround } from '#app/profile/list-around.ts';
import { callerOf } from '#http/caller.ts';
import type { AppEnv } from '#http/context.ts';
import { inputOf } from '#http/input.ts';

/** GET /api/customer/tickets: the other tickets of a ticket's customer (docs/api.md#other-tickets). */
export function customerTicketsRoute(listAround: ListAround) {
  return async (c: Context<AppEnv>) => {
    const caller = callerOf(c);
    const { ticket } = inputOf(c, 'aroundTicket');
    const data = await listAround({ caller, ticket, signal: c.req.raw.signal });
    return c.json({ success: true, data, message: 'Other tickets loaded.' });
  };
}
