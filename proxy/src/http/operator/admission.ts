import { operatorHeader } from '@deskside/shared/operator/contract';
import { createMiddleware } from 'hono/factory';
import { AppError } from '#app/runtime/app-error.ts';
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

/**
 * Lets through what the page itself asks. The cookie is strict already; a write must also name our own origin and carry a
 * header that a page elsewhere cannot send without asking us first, which we do not answer. Throws `bad_input`.
 */
export function ownRequests(origin: string | undefined) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (c.req.header(operatorHeader) === undefined) throw foreign(operatorHeader, 'Expected this header.');
    if (c.req.method !== 'GET' && (origin === undefined || c.req.header('origin') !== origin))
      throw foreign('origin', 'Expected a request of the operator page itself.');
    await next();
  });
}

function foreign(field: string, message: string): AppError {
  return new AppError('bad_input', [{ field, message }]);
}
