import type { CrmErrorCode } from '@deskside/shared/status';
import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  ConstantBackoff,
  circuitBreaker,
  DelegateBackoff,
  handleWhenResult,
  isBrokenCircuitError,
  type RetryPolicy,
  retry,
} from 'cockatiel';
import type { Lane } from '#domain/crm/request-bucket.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import type { OperatingWatch } from './operating-time.ts';

/** The result of one request: `code` if it failed as a whole. */
export interface BatchReply<R> {
  replies: Map<string, R>;
  code: CrmErrorCode | null;
  /** Whether at least one question failed because the portal has blocked the method. */
  blocked: boolean;
}

/** Decides which failures are retried, and when the CRM is left alone. */
export interface CircuitBreaker {
  /** Why nothing may be asked now; null if it may. */
  refusal(lane: Lane): CrmErrorCode | null;
  /**
   * Sends a request. It is repeated if that helps, but only before `deadline`, and each repetition asks `pass` for
   * permission. If the result is a code instead of an outcome, nothing was sent.
   */
  run<R>(
    send: () => Promise<BatchReply<R>>,
    pass: () => Promise<boolean>,
    deadline: number,
  ): Promise<BatchReply<R> | CrmErrorCode>;
}

/** No response, or none that makes sense: may pass in a moment. */
const outages = ['timeout', 'unreachable', 'server_error', 'bad_answer'] as const satisfies readonly CrmErrorCode[];
/** Worth an immediate retry: a broken connection, a server hiccup. */
const passing: readonly CrmErrorCode[] = ['unreachable', 'server_error'];
/** A response that will not change until a person does something: asking again only makes it worse. */
const refusals = [
  'overloaded',
  'unauthorized',
  'insufficient_scope',
  'redirected',
] as const satisfies readonly CrmErrorCode[];

type BreakingCode = (typeof outages | typeof refusals)[number];

const outageMs = 10_000;
const outageAfter = 5;
const refusalMs = 5 * 60_000;
const passingRetryMs = 300;
/** Longest waits before the first and second retry after "too many requests"; the actual ones are random. */
const limitRetryMs = [600, 1_500];

export interface GuardDeps {
  kind: string;
  operating: OperatingWatch;
  clock: Clock;
  logger: Logger;
  /** Called when the portal reports too many requests. */
  onLimit: () => Promise<void>;
}

export function createCircuitBreaker({ kind, operating, clock, logger, onLimit }: GuardDeps): CircuitBreaker {
  const outage = breaker(outages, { ms: outageMs, after: outageAfter });
  const refusal = breaker(refusals, { ms: refusalMs, after: 1 });

  function breaker<Code extends BreakingCode>(
    codes: readonly [Code, ...Code[]],
    { ms, after }: { ms: number; after: number },
  ) {
    const policy = circuitBreaker(handleWhenResult(failedWith(codes)), {
      // The library measures its pause by the machine's time; ours is measured by the service's clock.
      halfOpenAfter: 0,
      breaker: new ConsecutiveBreaker(after),
    });
    let until = 0;
    let code: Code = codes[0];
    let isBroken = false;
    policy.onBreak((reason) => {
      until = clock() + ms;
      const now = codes.find((one) => 'value' in reason && one === codeOf(reason.value)) ?? code;
      if (isBroken && now !== code) logger.info({ alert_ended: `crm_${code}`, kind }, 'The CRM fails otherwise');
      [code, isBroken] = [now, true];
      logger.error({ alert: `crm_${code}`, kind, ms }, 'The CRM keeps failing and is left alone for a while');
    });
    policy.onReset(() => {
      isBroken = false;
      logger.info({ alert_ended: `crm_${code}`, kind }, 'The CRM answers again');
    });
    const leftAlone = () =>
      policy.state === CircuitState.HalfOpen || (policy.state === CircuitState.Open && clock() < until);
    return {
      async execute<T>(send: () => Promise<T>): Promise<T> {
        if (leftAlone()) throw new BrokenCircuitError();
        return policy.execute(send);
      },
      openWith: () => (leftAlone() ? code : null),
      lastCode: () => code,
    };
  }

  return {
    refusal: (lane) => refusal.openWith() ?? outage.openWith() ?? (operating.closed(lane) ? 'operation_limit' : null),

    async run<R>(send: () => Promise<BatchReply<R>>, pass: () => Promise<boolean>, deadline: number) {
      let last: BatchReply<R> | undefined;
      async function attempt(): Promise<BatchReply<R>> {
        if (last && !(await pass())) return last;
        const sent = await refusal.execute(() => outage.execute(send));
        last = sent;
        if (sent.code === 'rate_limited') await onLimit();
        if (sent.blocked) operating.block();
        else operating.observe();
        return sent;
      }
      const inTime = (codes: readonly CrmErrorCode[]) => (result: unknown) =>
        failedWith(codes)(result) && clock() < deadline;
      try {
        return await limited(inTime(['rate_limited'])).execute(() => once(inTime(passing)).execute(attempt));
      } catch (error) {
        if (!isBrokenCircuitError(error)) throw error;
        return last ?? refusal.openWith() ?? outage.lastCode();
      }
    },
  };
}

function codeOf(result: unknown): CrmErrorCode | null {
  return (result as BatchReply<unknown>).code;
}

function failedWith(codes: readonly CrmErrorCode[]) {
  return (result: unknown): boolean => {
    const code = codeOf(result);
    return code !== null && codes.includes(code);
  };
}

function limited(again: (result: unknown) => boolean): RetryPolicy {
  const backoff = new DelegateBackoff(
    ({ attempt }: { attempt: number }) => Math.random() * (limitRetryMs[attempt - 1] ?? 0),
  );
  return retry(handleWhenResult(again), { maxAttempts: limitRetryMs.length, backoff });
}

function once(again: (result: unknown) => boolean): RetryPolicy {
  return retry(handleWhenResult(again), { maxAttempts: 1, backoff: new ConstantBackoff(passingRetryMs) });
}
