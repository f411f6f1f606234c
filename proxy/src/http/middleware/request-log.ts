import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import type { AppEnv } from '#http/context.ts';
import { type CountRequestDeps, createCountRequest } from '#http/count-request.ts';
import { answerError } from '#http/errors.ts';
import { requestIdOf } from '#http/request-id.ts';
import { addSecurityHeaders } from './secure-headers.ts';

export interface RequestLogDeps extends CountRequestDeps {
  /** Does the work, and what it begins, in the name of a request: its lines in the log have the id. */
  inRequest: <T>(id: string, work: () => T) => T;
}

/** Gives each request an id and the headers that every response has; logs and counts it. */
export function requestLog(deps: RequestLogDeps) {
  const countRequest = createCountRequest(deps);
  return createMiddleware<AppEnv>(async (c, next) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(c.req.header('x-request-id'));
    c.set('requestId', requestId);
    c.set('logger', deps.logger);
    await deps.inRequest(requestId, next).catch((reason: unknown) => {
      // Hono only handles instances of Error; an aborted request rejects with a string.
      c.res = answerError(reason, c);
    });
    if (!c.get('hasAllHeaders')) {
      c.res.headers.set('x-request-id', requestId);
      addSecurityHeaders(c.res.headers);
    }
    const hasLeft = c.env?.hasLeft?.() ?? c.req.raw.signal.aborted;
    countRequest({
      ...{ requestId, method: c.req.method, route: routePath(c, -1), startedAt },
      status: hasLeft ? 499 : c.res.status,
      code: hasLeft ? 'client_left' : c.get('errorCode'),
    });
  });
}
