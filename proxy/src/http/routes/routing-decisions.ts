import type { Context } from 'hono';
import type { ListDecisions } from '../../app/list-decisions.ts';
import { callerOf } from '../caller.ts';
import type { AppEnv } from '../context.ts';
import { inputOf } from '../input.ts';

/** GET /api/routing/decisions: why a ticket went where it went (design.md section 2). */
export function routingDecisionsRoute(listDecisions: ListDecisions) {
  return async (c: Context<AppEnv>) => {
    const caller = callerOf(c);
    const { ticket } = inputOf(c, 'routingDecisions');
    const data = await listDecisions({ caller, ticket, signal: c.req.raw.signal });
    const message = data.decisions.length > 0 ? 'Routing decisions loaded.' : 'Nothing was decided on this ticket.';
    return c.json({ success: true, data, message });
  };
}
