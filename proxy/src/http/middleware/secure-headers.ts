import { createMiddleware } from 'hono/factory';
import type { AppEnv } from '#http/context.ts';

/** Responses are data for the caller alone: nothing may store, frame, sniff or run them. */
export const secureHeaders = createMiddleware<AppEnv>(async (c, next) => {
  c.header('cache-control', 'no-store');
  c.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  c.header('x-content-type-options', 'nosniff');
  c.header('referrer-policy', 'no-referrer');
  await next();
});
