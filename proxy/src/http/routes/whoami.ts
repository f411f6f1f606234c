import type { Context } from 'hono';
import type { DescribeCaller } from '#app/access/describe-caller.ts';
import { callerOf } from '#http/caller.ts';
import type { AppEnv } from '#http/context.ts';

/** GET /api/whoami: who the credential belongs to, and what keeps Deskside from working fully for them. */
export function whoamiRoute(describeCaller: DescribeCaller) {
  return async (c: Context<AppEnv>) => {
    const data = await describeCaller({ caller: callerOf(c), signal: c.req.raw.signal });
    return c.json({
      success: true,
      data,
      message: data.is_agent ? 'You are signed in as an agent.' : 'You are signed in, but not as an agent.',
    });
  };
}
