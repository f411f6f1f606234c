import type { CrmErrorCode } from '@deskside/shared/status';
import type { Clock } from '#runtime/clock.ts';
import type { Logger } from '#runtime/logger.ts';
import type { OperatingWatch } from './operating-time.ts';
import type { Lane } from './request-bucket.ts';

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
/** A response that will not change until a person does something, which agents should see soon after. */
const refusals = ['unauthorized', 'insufficient_scope', 'redirected'] as const satisfies readonly CrmErrorCode[];

type BreakingCode = (typeof outages | typeof refusals)[number] | 'overloaded';

const outageMs = 10_000;
const outageAfter = 5;
const refusalMs = 30_000;
/** Asking again would only make it worse (docs/crm.md#errors). */
const overloadMs = 5 * 60_000;
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
  const overload = breaker(['overloaded'], { ms: overloadMs, after: 1 });

  /** Opens after so many failures with these codes in a row. Once its time is over, one request tries for all. */
  function breaker<Code extends BreakingCode>(codes: readonly Code[], { ms, after }: { ms: number; after: number }) {
    let failures = 0;
    let open: { code: Code; until: number } | null = null;
    let isTrying = false;

    function note(code: CrmErrorCode | null, isTrial: boolean): void {
      // What was under way when it opened is no news.
      if (open && !isTrial) return;
      const failed = codes.find((one) => one === code);
      if (failed === undefined) {
        failures = 0;
        if (open) logger.info({ fault_ended: `crm_${open.code}`, kind }, 'The CRM answers again');
        open = null;
        return;
      }
      failures += 1;
      if (!isTrial && failures < after) return;
      if (open && open.code !== failed)
        logger.info({ fault_ended: `crm_${open.code}`, kind }, 'The CRM fails otherwise');
      open = { code: failed, until: clock() + ms };
      logger.error({ fault: `crm_${failed}`, kind, ms }, 'The CRM keeps failing and is left alone for a while');
    }

    const openWith = () => (open && (isTrying || clock() < open.until) ? open.code : null);
    return {
      openWith,
      /** The code with which it is open, if it is: then nothing is sent. */
      async send<R>(work: () => Promise<BatchReply<R> | CrmErrorCode>): Promise<BatchReply<R> | CrmErrorCode> {
        const code = openWith();
        if (code) return code;
        const isTrial = open !== null;
        isTrying = isTrial;
        try {
          const sent = await work();
          if (typeof sent !== 'string') note(sent.code, isTrial);
          return sent;
        } finally {
          if (isTrial) isTrying = false;
        }
      },
    };
  }

  return {
    refusal: (lane) =>
      overload.openWith() ??
      refusal.openWith() ??
      outage.openWith() ??
      (operating.closed(lane) ? 'operation_limit' : null),

    async run<R>(send: () => Promise<BatchReply<R>>, pass: () => Promise<boolean>, deadline: number) {
      async function attempt(): Promise<BatchReply<R> | CrmErrorCode> {
        const sent = await overload.send(() => refusal.send(() => outage.send(send)));
        if (typeof sent === 'string') return sent;
        if (sent.code === 'rate_limited') await onLimit();
        if (sent.blocked) operating.block();
        else operating.observe();
        return sent;
      }
      let last = await attempt();
      /** Again after a pause, if that helps; false if there is nothing more to be had. */
      async function again(codes: readonly CrmErrorCode[], ms: number): Promise<boolean> {
        if (typeof last === 'string' || last.code === null || !codes.includes(last.code)) return false;
        if (clock() >= deadline) return false;
        await wait(ms);
        const sent = (await pass()) ? await attempt() : last;
        if (typeof sent === 'string') return false;
        last = sent;
        return true;
      }
      await again(passing, passingRetryMs);
      for (const ms of limitRetryMs) {
        if (!(await again(['rate_limited'], Math.random() * ms))) break;
        await again(passing, passingRetryMs);
      }
      return last;
    },
  };
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
