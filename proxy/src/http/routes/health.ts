import type { Context } from 'hono';
import type { AppEnv } from '#http/context.ts';

/** Checks one part that must work before requests are welcome; throws if it does not. */
export type ReadinessCheck = () => Promise<void>;

/** GET /livez: the process responds. */
export const livezRoute = (c: Context<AppEnv>) => c.json({ success: true, data: {}, message: 'Alive.' });

/** Open to everyone, so the checks run at most once in this time, however many ask. */
const checkEveryMs = 5_000;

/** GET /readyz: every part works; 503 names those that do not. Not the CRM: without it, profiles still work. */
export function readyzRoute(checks: Record<string, ReadinessCheck>, clock: () => number = Date.now) {
  let last: { entries: ReturnType<typeof checkAll>; startedAt: number } | undefined;

  return async (c: Context<AppEnv>) => {
    if (last === undefined || clock() - last.startedAt >= checkEveryMs)
      last = { entries: checkAll(checks), startedAt: clock() };
    const entries = await last.entries;
    const ready = entries.every(([, state]) => state === 'ok');
    return c.json(
      { success: ready, data: Object.fromEntries(entries), message: ready ? 'Ready.' : 'Not ready.' },
      ready ? 200 : 503,
    );
  };
}

async function checkAll(checks: Record<string, ReadinessCheck>): Promise<[part: string, state: 'ok' | 'failing'][]> {
  return Promise.all(
    Object.entries(checks).map(async ([part, check]): Promise<[string, 'ok' | 'failing']> => {
      const isOk = await check().then(
        () => true,
        () => false,
      );
      return [part, isOk ? 'ok' : 'failing'];
    }),
  );
}
