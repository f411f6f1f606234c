import { randomUUID } from 'node:crypto';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import type { Clock } from '#runtime/clock.ts';
import type { Logger } from '#runtime/logger.ts';
import type { AnswerOutcome, Metrics } from '#runtime/metrics-port.ts';
import { inRequest } from '#runtime/request-id.ts';
import { answerError } from './errors.ts';
import type { AppEnv } from './http-context.ts';

/** Responses are data for the caller alone: nothing may store, frame, sniff or run them. */
export const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** An id that a client or a reverse proxy has given a request already. */
const usableId = /^[\w-]{16,64}$/;

export interface RequestLogDeps {
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, 'requestAnswered'>;
}

/** Of requests that anybody can send for nothing, one in so long is in the log, and says how many before it are not. */
const anonymousEveryMs = 60_000;

/**
 * Gives each request an id and the headers that every response has. Each has one log line (endpoint, outcome and duration,
 * never a query or a header) unless it is one of many anonymous ones, and is counted: 499, as reverse proxies log it, if the client was gone before the response.
 */
export function requestLog({ clock, logger, metrics }: RequestLogDeps) {
  let anonymousAt = Number.NEGATIVE_INFINITY;
  let unlogged = 0;
  return createMiddleware<AppEnv>(async (c, next) => {
    const startedAt = performance.now();
    const given = c.req.header('x-request-id');
    const requestId = given !== undefined && usableId.test(given) ? given : randomUUID();
    c.set('requestId', requestId);
    c.set('logger', logger);
    try {
      await next();
    } catch (reason) {
      // Hono only handles instances of Error; an aborted request rejects with a string.
      c.res = answerError(reason, c);
    }
    if (!c.get('hasAllHeaders')) {
      const { headers } = c.res;
      headers.set('x-request-id', requestId);
      // A route may have set its own.
      for (const [name, value] of Object.entries(securityHeaders)) if (!headers.has(name)) headers.set(name, value);
    }
    const hasLeft = c.env?.hasLeft?.() ?? c.req.raw.signal.aborted;
    const status = hasLeft ? 499 : c.res.status;
    const code = hasLeft ? 'client_left' : c.get('errorCode');
    const ms = performance.now() - startedAt;
    const route = routePath(c, -1);
    metrics.requestAnswered({ route, outcome: outcomeOf(status), code, seconds: ms / 1_000 });
    const fields = { request_id: requestId, method: c.req.method, route, status, code, ms: Math.round(ms) };
    if (c.get('isAnonymous')) {
      if (clock() - anonymousAt < anonymousEveryMs) unlogged += 1;
      else {
        logger.info(unlogged > 0 ? { ...fields, unlogged } : fields, 'request');
        anonymousAt = clock();
        unlogged = 0;
      }
    } else if (status >= 500) logger.error(fields, 'request');
    else logger.info(fields, 'request');
  });
}

/** Has a request's work done in its name: the lines of the log that it writes, and what it begins, have the id. */
export const inItsName = createMiddleware<AppEnv>((c, next) => inRequest(c.get('requestId'), next));

function outcomeOf(status: number): AnswerOutcome {
  if (status === 499) return 'client_left';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'ok';
}
