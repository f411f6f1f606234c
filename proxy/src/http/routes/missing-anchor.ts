import type { Context } from 'hono';
import type { NoteMissingAnchor } from '#app/runtime/note-missing-anchor.ts';
import { callerOf } from '#http/caller.ts';
import type { AppEnv } from '#http/context.ts';
import { bodyInputOf } from '#http/input.ts';

/** POST /api/extension/missing-anchor: the helpdesk's page has changed (docs/monitoring.md#after-an-update-of-the-helpdesk). */
export function missingAnchorRoute(noteMissingAnchor: NoteMissingAnchor) {
  return async (c: Context<AppEnv>) => {
    const caller = callerOf(c);
    await noteMissingAnchor({ caller, ...(await bodyInputOf(c, 'missingAnchor')), signal: c.req.raw.signal });
    return c.json({ success: true, data: {}, message: 'Noted.' });
  };
}
