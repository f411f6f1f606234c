import type { Context } from 'hono';
import type { AppEnv } from '../context.ts';

/** One part that must work before requests are welcome; throws if it does not. */
export type ReadinessCheck = () => Promise<void>;

/** GET /livez: the process answers. */
export const livezRoute = (c: Context<AppEnv>) => c.json({ success: true, data: {}, message: 'Alive.' });

/** GET /readyz: every part works; 503 names those that do not. A CRM that is down keeps nobody out: profiles say so themselves. */
export function readyzRoute(checks: Record<string, ReadinessCheck>) {
  return async (c: Context<AppEnv>) => {
    const entries = await Promise.all(
      Object.entries(checks).map(
        async ([part, check]) =>
          [
            part,
            await check().then(
              () => 'ok',
              () => 'failing',
            ),
          ] as const,
      ),
    );
    const ready = entries.every(([, state]) => state === 'ok');
    return c.json(
      { success: ready, data: Object.fromEntries(entries), message: ready ? 'Ready.' : 'Not ready.' },
      ready ? 200 : 503,
    );
  };
}
