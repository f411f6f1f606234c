import { randomUUID } from 'node:crypto';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import type { Logger } from '../../ports/logger.ts';
import type { AppEnv } from '../context.ts';

/** Gives each request an id and one log line: which endpoint, how it ended, how long it took. Never a query or a header. */
export function requestLog(logger: Logger) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const startedAt = performance.now();
    const requestId = randomUUID();
    c.set('requestId', requestId);
    c.set('logger', logger);
    c.header('x-request-id', requestId);
    await next();
    const fields = {
      request_id: requestId,
      method: c.req.method,
      route: routePath(c, -1),
      status: c.res.status,
      code: c.get('errorCode'),
      ms: Math.round(performance.now() - startedAt),
    };
    if (c.res.status >= 500) logger.error(fields, 'request');
    else logger.info(fields, 'request');
  });
}
