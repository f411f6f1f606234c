import type { IntakeData } from '@deskside/shared/routing';
import type { Context } from 'hono';
import type { EnrichStoreUrl } from '#app/intake/enrich-store-url.ts';
import { callerOf } from '#http/caller.ts';
import type { AppEnv } from '#http/context.ts';
import { bodyInputOf } from '#http/input.ts';

const messages: Record<IntakeData['status'], string> = {
  found: 'Org id found.',
  not_found: 'No org id found.',
  failed: 'No org id found, and a store address did not respond.',
};

/** POST /api/method/platform_ticket_store_url_enrich: intake for one ticket on demand (docs/routing.md#intake). */
export function storeUrlEnrichRoute(enrichStoreUrl: EnrichStoreUrl) {
  return async (c: Context<AppEnv>) => {
    const caller = callerOf(c);
    const input = await bodyInputOf(c, 'storeUrlEnrich');
    const data = await enrichStoreUrl({ ...input, caller, signal: c.req.raw.signal });
    return c.json({ success: data.status !== 'failed', data, message: messages[data.status] });
  };
}
