import type { CrmErrorCode } from '@deskside/shared/status';
import type { Urgency } from '#ports/crm-budget.ts';
import type { BatchReply, CircuitBreaker } from './circuit-breaker.ts';
import type { Batcher, Job } from './job-queue.ts';
import type { Scheduler } from './scheduler.ts';

/** Asks one kind of question, by key. Callers that ask what is already being asked get the same answer. */
export interface RequestCoalescer<R> {
  ask(key: string, urgency: Urgency): Promise<R>;
  hurry(key: string, urgency: Urgency): void;
}

export interface RequestCoalescerOptions<R> {
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
  const asked = new Map<string, { job: Job; reply: Promise<R>; settle: (reply: R) => void }>();

  const batcher: Batcher = {
    maxPerRequest,
    refusal: (lane) => breaker.refusal(lane),
    async run(jobs) {
      const replies = await replyTo(jobs).catch((): CrmErrorCode => 'bad_answer');
      for (const { key } of jobs)
        settle(key, typeof replies === 'string' ? failed(replies) : (replies.get(key) ?? failed('bad_answer')));
    },
  };

  async function replyTo(jobs: readonly Job[]): Promise<Map<string, R> | CrmErrorCode> {
    const keys = jobs.map(({ key }) => key);
    const urgency = {
      lane: jobs[0]?.lane ?? 'backfill',
      deadline: jobs.reduce((latest, { deadline }) => Math.max(latest, deadline), 0),
    };
    const signal = AbortSignal.timeout(options.requestTimeoutMs);
    const outcome = await breaker.run(
      async () => outcomeOf(await options.send(keys, signal)),
      () => scheduler.pass(urgency),
      urgency.deadline,
    );
    return typeof outcome === 'string' ? outcome : outcome.replies;
  }

  function outcomeOf(replies: Map<string, R>): BatchReply<R> {
    const codes = [...replies.values()].map(options.codeOf);
    return {
      replies,
      code: codes.includes(null) ? null : (codes[0] ?? null),
      blocked: codes.includes('operation_limit'),
    };
  }

  function settle(key: string, reply: R): void {
    asked.get(key)?.settle(reply);
    asked.delete(key);
  }

  return {
    ask(key, urgency) {
      const known = asked.get(key);
      if (known) {
        scheduler.hurry(known.job, urgency);
        return known.reply;
      }
      const refusal = breaker.refusal(urgency.lane);
      if (refusal) return Promise.resolve(failed(refusal));
      const { promise, resolve } = Promise.withResolvers<R>();
      const job: Job = { ...urgency, batcher, key, refuse: (code) => settle(key, failed(code)) };
      asked.set(key, { job, reply: promise, settle: resolve });
      scheduler.add(job);
      return promise;
    },
    hurry(key, urgency) {
      const known = asked.get(key);
      if (known) scheduler.hurry(known.job, urgency);
    },
  };
}
