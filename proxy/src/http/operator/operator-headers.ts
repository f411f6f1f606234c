import { createMiddleware } from 'hono/factory';
import type { AppEnv } from '#http/context.ts';

/** Nothing but what this proxy serves, nothing inline, no frame around it, no form that leads elsewhere. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** For everything below /operator: its own policy, and no search engine. */
export const operatorHeaders = createMiddleware<AppEnv>(async (c, next) => {
  c.header('content-security-policy', policy);
  c.header('cross-origin-opener-policy', 'same-origin');
  c.header('cross-origin-resource-policy', 'same-origin');
  c.header('x-robots-tag', 'noindex, nofollow');
  await next();
});
