import type { Context as HonoContext } from 'hono';
import type { Context } from '#context.ts';
import type { CompanyEvent } from '#crm/crm.ts';
import type { WithCrm } from '#crm/crm-layers.ts';
import { markCompanyStale } from '#crm/mark-company-stale.ts';
import { bytesOf } from './body.ts';
import { isOneOf, refuse } from './by-secret.ts';
import type { AppEnv } from './http-context.ts';

/** What the CRM's events need: the valid tokens in the clear, and how to read a body. */
export interface CrmEvents {
  tokens: readonly string[];
  /** The token in a body that nobody has parsed; '' without one. */
  eventToken: (body: Buffer) => string;
  readEvent: (body: Buffer) => CompanyEvent | null;
}

/** An event of the CRM or the helpdesk is a few hundred bytes; anything larger than this is not one. */
export const maxEventBytes = 16 * 1024;

/**
 * POST /webhooks/crm/company: the CRM announces a change (docs/crm.md#events). A wrong application token is 403; events
 * that do not concern us are accepted too, since nobody reads the response.
 */
export function crmEventRoute(ctx: WithCrm<Context>, { tokens, eventToken, readEvent }: CrmEvents) {
  const isKnown = isOneOf(tokens);

  return async (c: HonoContext<AppEnv>) => {
    const body = await bytesOf(c);
    if (!isKnown(eventToken(body))) return refuse(c, 'wrong_event_token', 'The application token is wrong.');
    const event = readEvent(body);
    if (event !== null) await markCompanyStale(ctx, event);
    return c.json({ success: true, data: {}, message: 'Noted.' });
  };
}
