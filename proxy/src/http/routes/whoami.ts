import type { Context } from 'hono';
import type { DescribeCaller } from '../../app/describe-caller.ts';
import { callerOf } from '../caller.ts';
import type { AppEnv } from '../context.ts';

/** GET /api/whoami: who the credential is, and what keeps Deskside from working fully for this person. */
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
