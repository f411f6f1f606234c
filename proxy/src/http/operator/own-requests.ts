import { operatorHeader } from '@deskside/shared/operator/contract';
import { createMiddleware } from 'hono/factory';
import { AppError } from '#app/runtime/app-error.ts';
import type { AppEnv } from '#http/context.ts';

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
