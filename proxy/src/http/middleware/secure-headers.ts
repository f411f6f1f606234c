import { createMiddleware } from 'hono/factory';
import type { AppEnv } from '../context.ts';

/** Answers are data for the one who asked: nothing may keep, frame, sniff or run them. */
export const secureHeaders = createMiddleware<AppEnv>(async (c, next) => {
  c.header('cache-control', 'no-store');
  c.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  c.header('x-content-type-options', 'nosniff');
  c.header('referrer-policy', 'no-referrer');
  await next();
});
