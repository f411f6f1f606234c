import { setTimeout as wait } from 'node:timers/promises';
import type { CrmErrorCode } from '@deskside/shared/status';
import type { Clock } from '#runtime/clock.ts';
import type { Logger } from '#runtime/logger.ts';
import type { CrmRequestKind, Metrics } from '#runtime/metrics-port.ts';
import type { Breaker } from './breaker.ts';
import type { Budget, Lane } from './budget.ts';
import { CrmFailure, codeOfException } from './rest.ts';

/** How urgent a question is. `deadline` (epoch milliseconds): there is no point in sending it later than this. */
export interface Urgency {
  lane: Lane;
  deadline: number;
}

/** A kind of question, several of which go into one request. */
export interface Kind<R> {
  name: string;
  /** As what it is counted, here and by the CRM; several kinds may share it. */
  counted: CrmRequestKind;
  breaker: Breaker;
  /** Most keys per request. */
  maxPerRequest: number;
  /** Sends one request; the signal fires when its time is up. May throw. */
  send(keys: string[], signal: AbortSignal): Promise<Map<string, R>>;
  /** The reply for a failure, and the failure that a reply is. */
  failed(code: CrmErrorCode): R;
  codeOf(reply: R): CrmErrorCode | null;
}

/** A question waiting to be asked in one lane. */
interface Question extends Urgency {
  kind: Kind<unknown>;
  key: string;
  /** Of kind and key: the same question in every lane. */
  id: string;
  reply: Promise<unknown>;
  settle: (reply: unknown) => void;
}

/** The result of one request. `code`: why it failed as a whole. */
interface Sent {
  replies: Map<string, unknown>;
  code: CrmErrorCode | null;
  isBlocked: boolean;
}

/** Waits for the given milliseconds; rejects once the signal fires. */
type Sleep = (ms: number, value?: undefined, options?: { signal: AbortSignal }) => Promise<void>;

export interface QueueOptions {
  budget: Budget;
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, 'crmAnswered'>;
  /** Longest time for one request including retries, in milliseconds (`CRM_TIMEOUT_SECONDS`). */
  requestTimeoutMs: number;
  /** For a clock that does not follow real time. */
  sleep?: Sleep | undefined;
}

/** More questions in a lane would wait longer than anybody does, and cost memory. */
const longest = 2_000;

/** Waits before a repetition: once after a broken connection or a server hiccup, twice, at random, after "too many". */
const hiccupMs = [300];
const limitMs = [600, 1_500];

/**
 * The questions to the CRM, within its budget (ARCHITECTURE.md#the-crms-budget). Those that wait are sent together, the
 * same question from many is asked once, and none is sent after its deadline: it fails as `rate_limited` as soon as that
 * is known. Each lane waits for its own share of the budget. What a kind's breaker refuses fails at once, with the reason.
 */
export class Queue {
  readonly #options: QueueOptions;
  readonly #sleep: Sleep;
  readonly #queues: Record<Lane, Question[]> = { click: [], open: [], backfill: [] };
  /** The same questions by id; each lane waits for itself, and the first to be sent answers all. */
  readonly #waiting = new Map<string, Question[]>();
  readonly #underWay = new Map<string, Promise<unknown>>();
  readonly #serving = new Set<Lane>();
  readonly #naps = new Map<Lane, AbortController>();
  /** The portal has said that it takes nothing before this moment (epoch milliseconds). */
  #closedUntil = 0;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#sleep = options.sleep ?? wait;
  }

  /** Asks a question. Never throws: a failure is a reply, too. Who asks for what is under way gets its reply. */
  ask<R>(kind: Kind<R>, key: string, { lane, deadline }: Urgency): Promise<R> {
    const id = idOf(kind, key);
    const sent = this.#underWay.get(id);
    if (sent) return sent as Promise<R>;
    const same = this.#waiting.get(id) ?? [];
    const known = same.find((question) => question.lane === lane);
    if (known) {
      known.deadline = Math.max(known.deadline, deadline);
      return known.reply as Promise<R>;
    }
    const refusal = this.#queues[lane].length >= longest ? 'rate_limited' : kind.breaker.refusal(lane);
    if (refusal) return Promise.resolve(kind.failed(refusal));
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const question: Question = { kind, key, id, lane, deadline, reply: promise, settle: resolve };
    this.#waiting.set(id, [...same, question]);
    this.#queues[lane].push(question);
    // It may have no time to wait.
    this.#naps.get(lane)?.abort();
    void this.#serve(lane);
    return promise as Promise<R>;
  }

  /** How many questions wait in each lane. */
  waiting(): Record<Lane, number> {
    const { click, open, backfill } = this.#queues;
    return { click: click.length, open: open.length, backfill: backfill.length };
  }

  /** Sends what waits in a lane, as the budget allows, until nothing waits. */
  async #serve(lane: Lane): Promise<void> {
    if (this.#serving.has(lane)) return;
    this.#serving.add(lane);
    while (this.#queues[lane].length > 0) await this.#sendNext(lane);
    this.#serving.delete(lane);
  }

  async #sendNext(lane: Lane): Promise<void> {
    const closedFor = Math.max(0, this.#closedUntil - this.#options.clock());
    const hopeless = this.#hopeless(lane, () => closedFor);
    this.#refuse(hopeless, 'rate_limited');
    const kind = this.#queues[lane][0]?.kind;
    if (kind === undefined) return;
    const refusal = kind.breaker.refusal(lane);
    if (refusal) {
      const refused = this.#queues[lane].filter((question) => question.kind === kind);
      this.#refuse(refused, refusal);
      return;
    }
    const nap = new AbortController();
    this.#naps.set(lane, nap);
    if (closedFor > 0) {
      await this.#sleep(closedFor, undefined, { signal: nap.signal }).catch(() => {});
      return;
    }
    const allowance = await this.#options.budget.take(lane);
    if (allowance.ok) {
      // What has arrived meanwhile goes along.
      void this.#request(this.#nextBatch(lane));
      return;
    }
    this.#refuse(this.#hopeless(lane, allowance.waitFor), 'rate_limited');
    if (this.#queues[lane].length > 0)
      await this.#sleep(allowance.waitFor(1), undefined, { signal: nap.signal }).catch(() => {});
  }

  /**
   * The questions that cannot be sent before their deadline if so many requests take at least that long (milliseconds).
   * Never overestimates how many are ahead of one.
   */
  #hopeless(lane: Lane, waitFor: (requests: number) => number): Question[] {
    const now = this.#options.clock();
    const ahead = new Map<Kind<unknown>, number>();
    return this.#queues[lane].filter(({ kind, deadline }) => {
      const before = ahead.get(kind) ?? 0;
      if (now + waitFor(1 + Math.floor(before / kind.maxPerRequest)) > deadline) return true;
      ahead.set(kind, before + 1);
      return false;
    });
  }

  /** The questions of the next request: the first one, and those behind it of its kind. */
  #nextBatch(lane: Lane): Question[] {
    const kind = this.#queues[lane][0]?.kind;
    if (kind === undefined) return [];
    return this.#queues[lane].filter((question) => question.kind === kind).slice(0, kind.maxPerRequest);
  }

  #refuse(questions: readonly Question[], code: CrmErrorCode): void {
    this.#remove(questions);
    for (const { kind, settle } of questions) settle(kind.failed(code));
  }

  #remove(questions: readonly Question[]): void {
    const removed = new Set(questions);
    for (const lane of new Set(questions.map((question) => question.lane)))
      this.#queues[lane] = this.#queues[lane].filter((question) => !removed.has(question));
    for (const { id } of removed) {
      const left = (this.#waiting.get(id) ?? []).filter((question) => !removed.has(question));
      if (left.length > 0) this.#waiting.set(id, left);
      else this.#waiting.delete(id);
    }
  }

  /** Asks a batch in one request, for everybody who waits for the same in any lane, and settles them. */
  async #request(batch: readonly Question[]): Promise<void> {
    const [first] = batch;
    if (first === undefined) return;
    const { kind, lane } = first;
    const keys = batch.map(({ key }) => key);
    const asked = batch.flatMap(({ id }) => this.#waiting.get(id) ?? []);
    this.#remove(asked);
    const deadline = Math.max(...asked.map((question) => question.deadline));
    const replies = this.#sendPatiently(kind, keys, { lane, deadline });
    const replyTo = async (key: string) => (await replies).get(key) ?? kind.failed('bad_answer');
    for (const { id, key } of batch) this.#underWay.set(id, replyTo(key));
    for (const { id, settle } of asked) settle(this.#underWay.get(id));
    await replies;
    for (const { id } of batch) this.#underWay.delete(id);
  }

  /** Sends a request, and again if that helps and there is time; each repetition costs the budget another one. */
  async #sendPatiently(kind: Kind<unknown>, keys: string[], urgency: Urgency): Promise<Map<string, unknown>> {
    const { clock, requestTimeoutMs } = this.#options;
    const signal = AbortSignal.timeout(requestTimeoutMs);
    const [hiccups, limits] = [[...hiccupMs], limitMs.map((ms) => Math.random() * ms)];
    let replies: Map<string, unknown> | null = null;
    for (;;) {
      const sent = await kind.breaker.send(() => this.#send(kind, keys, signal));
      if (typeof sent === 'string') return replies ?? new Map(keys.map((key) => [key, kind.failed(sent)]));
      replies = sent.replies;
      if (sent.code === 'rate_limited') await this.#options.budget.fill();
      const isHiccup = sent.code === 'unreachable' || sent.code === 'server_error';
      const ms = sent.code === 'rate_limited' ? limits.shift() : isHiccup ? hiccups.shift() : undefined;
      if (ms === undefined) return replies;
      const pause = Math.max(ms, this.#closedUntil - clock());
      if (clock() >= urgency.deadline || this.#closedUntil > urgency.deadline) return replies;
      await this.#sleep(pause);
      if (!(await this.#mayRepeat(urgency))) return replies;
    }
  }

  /** Waits for the budget to allow one more request; false if that is not before the deadline. */
  async #mayRepeat({ lane, deadline }: Urgency): Promise<boolean> {
    for (;;) {
      const allowance = await this.#options.budget.take(lane);
      if (allowance.ok) return true;
      const ms = allowance.waitFor(1);
      if (this.#options.clock() + ms > deadline) return false;
      await this.#sleep(ms);
    }
  }

  /** Sends one request, which fails as a whole if all of its replies do, and counts it. */
  async #send(kind: Kind<unknown>, keys: string[], signal: AbortSignal): Promise<Sent> {
    const startedAt = performance.now();
    let isPage = false;
    const replies = await kind.send(keys, signal).catch((error: unknown) => {
      const code = codeOfException(error, signal.aborted);
      if (error instanceof CrmFailure) {
        isPage = error.isPage;
        if (code === 'rate_limited') this.#closedUntil = this.#options.clock() + (error.retryAfterMs ?? 0);
      }
      return new Map(keys.map((key) => [key, kind.failed(code)]));
    });
    const codes = [...replies.values()].map((reply) => kind.codeOf(reply));
    const code = codes.includes(null) ? null : (codes[0] ?? null);
    const seconds = (performance.now() - startedAt) / 1_000;
    this.#options.metrics.crmAnswered({ kind: kind.counted, outcome: code ?? 'ok', seconds });
    if (code) this.#options.logger.warn({ kind: kind.counted, code, page: isPage }, 'A request to the CRM failed');
    return { replies, code, isBlocked: codes.includes('operation_limit') };
  }
}

function idOf(kind: Kind<unknown>, key: string): string {
  return `${kind.name} ${key}`;
}
