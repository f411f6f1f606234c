import { createMiddleware } from 'hono/factory';
import type { AppEnv } from '#http/context.ts';

/**
 * For routes that require a credential: a caller who was served has a valid one, so their connection is no longer a
 * stranger's.
 */
export const markKnown = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.res.status < 300) c.env?.markKnown?.();
});
