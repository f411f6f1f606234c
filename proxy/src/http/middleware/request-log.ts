import { randomUUID } from 'node:crypto';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import type { AppEnv } from '#http/context.ts';
import { answerError } from '#http/errors.ts';
import type { Logger } from '#ports/logger.ts';
import type { AnswerOutcome, Metrics } from '#ports/metrics.ts';

/**
 * Gives each request an id and one log line: endpoint, outcome and duration; and counts it. Never a query or a header.
 */
export function requestLog(logger: Logger, metrics: Pick<Metrics, 'requestAnswered'>) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const startedAt = performance.now();
    const requestId = randomUUID();
    c.set('requestId', requestId);
    c.set('logger', logger);
    c.header('x-request-id', requestId);
    await next().catch((reason: unknown) => {
      // Hono only handles instances of Error; an aborted request rejects with a string.
      c.res = answerError(reason, c);
    });
    const hasLeft = c.req.raw.signal.aborted;
    const route = routePath(c, -1);
    const ms = performance.now() - startedAt;
    const fields = {
      request_id: requestId,
      method: c.req.method,
      route,
      // 499, as reverse proxies log it: the client was gone before the response.
      status: hasLeft ? 499 : c.res.status,
      code: hasLeft ? 'client_left' : c.get('errorCode'),
      ms: Math.round(ms),
    };
    metrics.requestAnswered({ route, outcome: outcomeOf(fields.status), code: fields.code, seconds: ms / 1_000 });
    if (c.res.status >= 500 && !hasLeft) logger.error(fields, 'request');
    else logger.info(fields, 'request');
  });
}

function outcomeOf(status: number): AnswerOutcome {
  if (status === 499) return 'client_left';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'ok';
}
