import type { Context } from 'hono';
import type { Readiness } from '#app/runtime/readiness.ts';
import type { AppEnv } from '#http/context.ts';

/** GET /livez: the process responds. */
export const livezRoute = (c: Context<AppEnv>) => c.json({ success: true, data: {}, message: 'Alive.' });

/** GET /readyz: every part works; otherwise 503, with what is wrong. Not the CRM: without it, profiles still work. */
export function readyzRoute(readiness: Pick<Readiness, 'checks'>) {
  return async (c: Context<AppEnv>) => {
    const checks = await readiness.checks();
    const failing = checks.filter(({ ok }) => !ok).map(({ message }) => message);
    const isReady = failing.length === 0;
    const message = isReady ? 'Ready.' : `Not ready. ${failing.join(' ')}`;
    return c.json({ success: isReady, data: { checks }, message }, isReady ? 200 : 503);
  };
}
