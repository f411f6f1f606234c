import type { Context } from 'hono';
import type { ListDecisions } from '#app/routing/list-decisions.ts';
import { callerOf } from '#http/caller.ts';
import type { AppEnv } from '#http/context.ts';
import { inputOf } from '#http/input.ts';

/** GET /api/routing/decisions: why a ticket went where it went (docs/api.md#decisions). */
export function routingDecisionsRoute(listDecisions: ListDecisions) {
  return async (c: Context<AppEnv>) => {
    const caller = callerOf(c);
    const { ticket } = inputOf(c, 'routingDecisions');
    const data = await listDecisions({ caller, ticket, signal: c.req.raw.signal });
    const message = data.decisions.length > 0 ? 'Routing decisions loaded.' : 'There are no decisions on this ticket.';
    return c.json({ success: true, data, message });
  };
}
