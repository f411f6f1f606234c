import type { CrmErrorCode } from '@deskside/shared/status';
import type { CrmRequestKind, Metrics } from '#runtime/metrics-port.ts';
import type { BatchReply, CircuitBreaker } from './circuit-breaker.ts';
import type { Lane, Urgency } from './crm-budget.ts';
import type { Batcher, Job, Scheduler } from './scheduler.ts';

/**
 * Asks one kind of question, by key. Callers that want what is under way get its answer, whatever their lane; while it
 * waits, each lane waits for itself, and the first to be sent answers all of them.
 */
export interface RequestCoalescer<R> {
  ask(key: string, urgency: Urgency): Promise<R>;
}

export interface RequestCoalescerOptions<R> {
  kind: CrmRequestKind;
  metrics: Pick<Metrics, 'crmAnswered'>;
  scheduler: Scheduler;
  breaker: CircuitBreaker;
  /** Most keys per request. */
  maxPerRequest: number;
  /** Sends one request; the signal fires when its time is up. */
  send: (keys: string[], signal: AbortSignal) => Promise<Map<string, R>>;
  /** The reply for a failure. */
  failed: (code: CrmErrorCode) => R;
  codeOf: (reply: R) => CrmErrorCode | null;
  /** Longest time for one request including retries, in milliseconds. */
  requestTimeoutMs: number;
}

export function createRequestCoalescer<R>(options: RequestCoalescerOptions<R>): RequestCoalescer<R> {
  const { scheduler, breaker, maxPerRequest, failed } = options;
  // Both are bounded by the queues and by what is under way.
  const waiting = new Map<string, Map<Lane, Waiting<R>>>();
  const underWay = new Map<string, Promise<R>>();

  const batcher: Batcher = {
    maxPerRequest,
    refusal: (lane) => breaker.refusal(lane),
    async run(jobs) {
      const asked = jobs.map(({ key }) => ({ key, callers: [...(waiting.get(key)?.values() ?? [])] }));
      const urgency = {
        lane: jobs[0]?.lane ?? 'backfill',
        deadline: Math.max(...asked.flatMap(({ callers }) => callers.map(({ job }) => job.deadline))),
      };
      const replies = replyTo(jobs, urgency).catch((): CrmErrorCode => 'bad_answer');
      for (const { key, callers } of asked) {
        scheduler.withdraw(callers.map(({ job }) => job));
        waiting.delete(key);
        const reply = replies.then((all) =>
          typeof all === 'string' ? failed(all) : (all.get(key) ?? failed('bad_answer')),
        );
        underWay.set(key, reply);
        for (const { settle } of callers) settle(reply);
      }
      await replies;
      for (const { key } of asked) underWay.delete(key);
    },
  };

  async function replyTo(jobs: readonly Job[], urgency: Urgency): Promise<Map<string, R> | CrmErrorCode> {
    const keys = jobs.map(({ key }) => key);
    const signal = AbortSignal.timeout(options.requestTimeoutMs);
    const outcome = await breaker.run(
      () => send(keys, signal),
      () => scheduler.pass(urgency),
      urgency.deadline,
    );
    return typeof outcome === 'string' ? outcome : outcome.replies;
  }

  /** Sends one request, which fails as a whole if all of its replies do, and counts it. */
  async function send(keys: string[], signal: AbortSignal): Promise<BatchReply<R>> {
    const startedAt = performance.now();
    const replies = await options.send(keys, signal);
    const codes = [...replies.values()].map(options.codeOf);
    const code = codes.includes(null) ? null : (codes[0] ?? null);
    const seconds = (performance.now() - startedAt) / 1_000;
    options.metrics.crmAnswered({ kind: options.kind, outcome: code ?? 'ok', seconds });
    return { replies, code, blocked: codes.includes('operation_limit') };
  }

  /** A caller waits no longer: the others of the same question go on. */
  function leave({ key, lane }: Job): void {
    const lanes = waiting.get(key);
    lanes?.delete(lane);
    if (lanes?.size === 0) waiting.delete(key);
  }

  return {
    ask(key, urgency) {
      const sent = underWay.get(key);
      if (sent) return sent;
      const known = waiting.get(key)?.get(urgency.lane);
      if (known) {
        known.job.deadline = Math.max(known.job.deadline, urgency.deadline);
        return known.reply;
      }
      const refusal = breaker.refusal(urgency.lane);
      if (refusal) return Promise.resolve(failed(refusal));
      const { promise, resolve } = Promise.withResolvers<R>();
      const job: Job = {
        ...urgency,
        batcher,
        key,
        refuse(code) {
          leave(job);
          resolve(failed(code));
        },
      };
      const lanes = waiting.get(key) ?? new Map<Lane, Waiting<R>>();
      waiting.set(key, lanes.set(urgency.lane, { job, reply: promise, settle: resolve }));
      scheduler.add(job);
      return promise;
    },
  };
}

/** A question as one lane waits for it. */
interface Waiting<R> {
  job: Job;
  reply: Promise<R>;
  settle: (reply: Promise<R>) => void;
}
