import { randomUUID } from 'node:crypto';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import type { AppEnv } from '#http/context.ts';
import { answerError } from '#http/errors.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import type { AnswerOutcome, Metrics } from '#ports/runtime/metrics.ts';
import { addSecurityHeaders } from './secure-headers.ts';

export interface RequestLogDeps {
  logger: Logger;
  metrics: Pick<Metrics, 'requestAnswered'>;
  /** Does the work, and what it begins, in the name of a request: its lines in the log have the id. */
  inRequest: <T>(id: string, work: () => T) => T;
}

/** An id that a client or a reverse proxy has given a request already. */
const usable = /^[\w-]{16,64}$/;

/**
 * Gives each request an id, its own if it has one, the headers that every response has, and one log line: endpoint,
 * outcome and duration; and counts it. Never a query or a header.
 */
export function requestLog({ logger, metrics, inRequest }: RequestLogDeps) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const startedAt = performance.now();
    const given = c.req.header('x-request-id') ?? '';
    const requestId = usable.test(given) ? given : randomUUID();
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
