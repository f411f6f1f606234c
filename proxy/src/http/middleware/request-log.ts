import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import type { AppEnv } from '#http/context.ts';
import { answerError } from '#http/errors.ts';
import { requestIdOf } from '#http/request-id.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import type { AnswerOutcome, Metrics } from '#ports/runtime/metrics.ts';
import { addSecurityHeaders } from './secure-headers.ts';

export interface RequestLogDeps {
  logger: Logger;
  metrics: Pick<Metrics, 'requestAnswered'>;
  /** Does the work, and what it begins, in the name of a request: its lines in the log have the id. */
  inRequest: <T>(id: string, work: () => T) => T;
}

/**
 * Gives each request an id and the headers that every response has. Each has one log line (endpoint, outcome and duration,
 * never a query or a header), and is counted: 499, as reverse proxies log it, if the client was gone before the response.
 */
export function requestLog({ logger, metrics, inRequest }: RequestLogDeps) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(c.req.header('x-request-id'));
    c.set('requestId', requestId);
    c.set('logger', logger);
    await inRequest(requestId, next).catch((reason: unknown) => {
      // Hono only handles instances of Error; an aborted request rejects with a string.
      c.res = answerError(reason, c);
    });
    if (!c.get('hasAllHeaders')) {
      c.res.headers.set('x-request-id', requestId);
      addSecurityHeaders(c.res.headers);
    }
    const hasLeft = c.env?.hasLeft?.() ?? c.req.raw.signal.aborted;
    const status = hasLeft ? 499 : c.res.status;
    const code = hasLeft ? 'client_left' : c.get('errorCode');
    const ms = performance.now() - startedAt;
    const route = routePath(c, -1);
    metrics.requestAnswered({ route, outcome: outcomeOf(status), code, seconds: ms / 1_000 });
    const fields = { request_id: requestId, method: c.req.method, route, status, code, ms: Math.round(ms) };
    if (status >= 500) logger.error(fields, 'request');
    else logger.info(fields, 'request');
  });
}

function outcomeOf(status: number): AnswerOutcome {
  if (status === 499) return 'client_left';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'ok';
}
