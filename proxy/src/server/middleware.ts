import { contractRevision, type ErrorEnvelope, revisionHeader } from '@deskside/shared/envelope';
import { type ErrorCode, errorStatuses } from '@deskside/shared/status';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import { AppError } from '#runtime/app-error.ts';
import { type AnswerOutcome, inRequest, type Logger, type Metrics, unexpected } from '#runtime/log.ts';
import { machine } from '#runtime/machine.ts';
import type { Clock } from '#runtime/memory.ts';
import { StoreUnavailable } from '#store/engine.ts';

/** What every request carries through the layers. */
export interface AppEnv {
  /** What the server knows about a request's connection; empty if the app is called without a server. */
  Bindings: {
    /** Where the request comes from (docs/operate.md#the-reverse-proxy). */
    client?: string;
    /** Whether the client is gone already. */
    hasLeft?: () => boolean;
  };
  Variables: {
    requestId: string;
    logger: Logger;
    /** Set by a response that has been made with its headers. */
    hasAllHeaders: boolean | undefined;
    /** Refused for it brings no credential, or none that can be read. */
    isAnonymous: boolean | undefined;
    /** Stable code of the error in the response, for the log line. */
    errorCode: string | undefined;
  };
}

/**
 * Answers `other_revision` to an extension that speaks another revision of the contract (docs/api.md#errors): browsers
 * update extensions before operators update proxies. Who names none is served.
 */
export const sameRevision = createMiddleware<AppEnv>((c, next) => {
  const revision = c.req.header(revisionHeader);
  if (revision !== undefined && revision !== String(contractRevision)) throw new AppError('other_revision');
  return next();
});

/** Rejects bodies larger than `maxSize` bytes with 413, whatever length they claim to have. */
export function limitBody(maxSize: number) {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new AppError('body_too_large');
    },
  });
}

/** Responses are data for the caller alone: nothing may store, frame, sniff or run them. */
const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** A JSON text with all headers at once: to add them to a response takes as long as to make it. */
export function answerJson(c: Context<AppEnv>, text: string): Response {
  c.set('hasAllHeaders', true);
  return c.body(text, 200, {
    ...securityHeaders,
    'content-type': 'application/json',
    'x-request-id': c.get('requestId'),
  });
}

/** An id that a client or a reverse proxy has given a request already. */
const usableId = /^[\w-]{16,64}$/;

export interface RequestLogDeps {
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, 'requestAnswered'>;
}

/**
 * Of requests that anybody can send for nothing, one of each code in so long is in the log, and says how many before it are not:
 * without a credential or with an invented one, of an address that is none, with a wrong signature, and of all who ask too often.
 */
const gatheredEveryMs = 60_000;
const gathered: ReadonlySet<string | undefined> = new Set([
  'unauthenticated',
  'route_not_found',
  'method_not_allowed',
  'wrong_webhook_secret',
  'rate_limited',
]);

/**
 * Gives each request an id and the headers that every response has. Each has one log line (endpoint, outcome and duration,
 * never a query or a header) unless it is one of many that are refused for nothing, and is counted: 499, as reverse proxies log it, if the client was gone before the response.
 */
export function requestLog({ clock, logger, metrics }: RequestLogDeps) {
  const loggedAt = new Map<string, number>();
  const unlogged = new Map<string, number>();
  return createMiddleware<AppEnv>(async (c, next) => {
    const startedAt = machine.elapsed();
    const sentId = c.req.header('x-request-id');
    const requestId = sentId !== undefined && usableId.test(sentId) ? sentId : machine.uuid();
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
    const ms = machine.elapsed() - startedAt;
    const route = routePath(c, -1);
    metrics.requestAnswered({ route, outcome: outcomeOf(status), code, seconds: ms / 1_000 });
    const fields = { request_id: requestId, method: c.req.method, route, status, code, ms: Math.round(ms) };
    if (c.get('isAnonymous') || gathered.has(code)) {
      const kind = code ?? '';
      const left = unlogged.get(kind) ?? 0;
      if (clock() - (loggedAt.get(kind) ?? Number.NEGATIVE_INFINITY) < gatheredEveryMs) unlogged.set(kind, left + 1);
      else {
        logger.info(left > 0 ? { ...fields, unlogged: left } : fields, 'request');
        loggedAt.set(kind, clock());
        unlogged.delete(kind);
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

/**
 * Responds with an error of the contract. Anything other than an AppError is our fault and is not disclosed to the caller.
 */
export function answerError(error: unknown, c: Context<AppEnv>): Response {
  const known = knownOf(error);
  // A request aborted by its client is not an error, and nobody reads the response.
  if (known !== error && !c.req.raw.signal.aborted) {
    const line = { request_id: c.get('requestId') };
    if (error instanceof StoreUnavailable) c.get('logger').error({ ...line, code: error.code }, error.message);
    else c.get('logger').error({ ...line, ...unexpected(error) }, 'Unexpected error');
  }
  c.set('errorCode', known.code);
  if (known.code === 'unauthenticated') c.header('www-authenticate', 'Bearer');
  if (known.retryAfterSeconds !== null) c.header('retry-after', String(known.retryAfterSeconds));
  const body: ErrorEnvelope = {
    success: false,
    data: {
      code: known.code,
      request_id: c.get('requestId'),
      ...(known.issues.length > 0 && { issues: known.issues }),
      ...(known.retryAfterSeconds !== null && { retry_after_seconds: known.retryAfterSeconds }),
      ...(known.conflict && { conflict: known.conflict }),
    },
    message: known.message,
  };
  return c.json(body, errorStatuses[known.code satisfies ErrorCode]);
}

function knownOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return error instanceof StoreUnavailable ? AppError.storeUnavailable() : new AppError('internal');
}
