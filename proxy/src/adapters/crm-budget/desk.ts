import type { CrmErrorCode } from '@deskside/shared/status';
import type { Urgency } from '../../ports/crm-budget.ts';
import type { Guard, Outcome } from './guard.ts';
import type { Errand, Job } from './job-queue.ts';
import type { Scheduler } from './scheduler.ts';

/** Asks one kind of question, by key. Whoever asks what is being asked already gets the same answer. */
export interface Desk<R> {
  ask(key: string, urgency: Urgency): Promise<R>;
  hurry(key: string, urgency: Urgency): void;
}

export interface DeskOptions<R> {
  scheduler: Scheduler;
  guard: Guard;
  /** Most keys in one request. */
  most: number;
  /** One request; at the signal its time is up. */
  send: (keys: string[], signal: AbortSignal) => Promise<Map<string, R>>;
  /** The reply that says why there is none. */
  failed: (code: CrmErrorCode) => R;
  codeOf: (reply: R) => CrmErrorCode | null;
  /** Longest time that one request may take, its repetitions included, in milliseconds. */
  requestTimeoutMs: number;
}

export function createDesk<R>(options: DeskOptions<R>): Desk<R> {
  const { scheduler, guard, most, failed } = options;
  const asked = new Map<string, { job: Job; reply: Promise<R>; settle: (reply: R) => void }>();

  const errand: Errand = {
    most,
    refusal: (lane) => guard.refusal(lane),
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
    const outcome = await guard.run(
      async () => outcomeOf(await options.send(keys, signal)),
      () => scheduler.pass(urgency),
      urgency.deadline,
    );
    return typeof outcome === 'string' ? outcome : outcome.replies;
  }

  function outcomeOf(replies: Map<string, R>): Outcome<R> {
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
      const refusal = guard.refusal(urgency.lane);
      if (refusal) return Promise.resolve(failed(refusal));
      const { promise, resolve } = Promise.withResolvers<R>();
      const job: Job = { ...urgency, errand, key, refuse: (code) => settle(key, failed(code)) };
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
