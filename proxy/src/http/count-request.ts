import type { Logger } from '#ports/runtime/logger.ts';
import type { AnswerOutcome, Metrics } from '#ports/runtime/metrics.ts';

/** A request that has its response. */
interface AnsweredRequest {
  requestId: string;
  method: string;
  /** The pattern of its route, never the path. */
  route: string;
  /** 499, as reverse proxies log it, if the client was gone before the response. */
  status: number;
  /** Code of the error in the response. */
  code: string | undefined;
  /** By `performance.now()`. */
  startedAt: number;
}

export interface CountRequestDeps {
  logger: Logger;
  metrics: Pick<Metrics, 'requestAnswered'>;
}

export type CountRequest = (request: AnsweredRequest) => void;

/** Every request has one log line (endpoint, outcome and duration, never a query or a header), and is counted. */
export function createCountRequest({ logger, metrics }: CountRequestDeps): CountRequest {
  return ({ requestId, method, route, status, code, startedAt }) => {
    const ms = performance.now() - startedAt;
    metrics.requestAnswered({ route, outcome: outcomeOf(status), code, seconds: ms / 1_000 });
    const fields = { request_id: requestId, method, route, status, code, ms: Math.round(ms) };
    if (status >= 500) logger.error(fields, 'request');
    else logger.info(fields, 'request');
  };
}

function outcomeOf(status: number): AnswerOutcome {
  if (status === 499) return 'client_left';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'ok';
}
