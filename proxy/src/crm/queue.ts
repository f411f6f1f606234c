import type { CrmErrorCode } from '@deskside/shared/status';
import type { Logger, Metrics } from '#runtime/log.ts';
import { machine } from '#runtime/machine.ts';
import type { Clock } from '#runtime/memory.ts';
import { type Breaker, type Budget, type Lane, lanes, leftFree } from './limits.ts';
import { CrmFailure, codeOfException } from './rest.ts';

/** How urgent a question is. `deadline` (epoch milliseconds): there is no point in sending it later than this. */
export interface Urgency {
  lane: Lane;
  deadline: number;
}

/** What a question comes to. `code`: why it failed, if it did, if only in part. */
export interface Reply {
  kind: string;
  code?: CrmErrorCode | null;
}

/** The reply to any kind of question that failed. */
export interface Failure {
  kind: 'failed';
  code: CrmErrorCode;
}

/** A kind of question, several of which go into one request. */
export interface Kind<R extends Reply = Reply> {
  breaker: Breaker;
  /** Most keys per request. */
  maxPerRequest: number;
  /** Sends one request; the signal fires when its time is up. May throw. */
  send(keys: string[], signal: AbortSignal): Promise<Map<string, R>>;
}

const failed = (code: CrmErrorCode): Failure => ({ kind: 'failed', code });

/** Everybody of one lane who waits for a question. */
interface Asker extends Urgency {
  reply: Promise<Reply>;
  settle: (reply: Reply | Promise<Reply>) => void;
}

/** A question that waits, once for all who ask it. `id`: kind and key. */
interface QueuedQuestion {
  id: string;
  kind: Kind;
  key: string;
  askers: Asker[];
}

/** Waits for the given milliseconds; rejects once the signal fires. */
type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

export interface QueueOptions {
  budget: Budget;
  clock: Clock;
  logger: Logger;
  metrics: Pick<Metrics, 'crmAnswered'>;
  /** Longest time for one request including retries, in milliseconds (`CRM_TIMEOUT_SECONDS`). */
  requestTimeoutMs: number;
  /** Fires when the store is closed, and with it the budget that all share: nothing is sent any more. */
  closed: AbortSignal;
  /** For a clock that does not follow real time. */
  sleep?: Sleep | undefined;
}

/** More questions in a lane would wait longer than anybody does, and cost memory. */
const longest = 2_000;

/** Whose turn a request is while several lanes wait: a third goes to tickets and pages, a sixth to bulk work. */
const turns: readonly Lane[] = ['click', 'click', 'open', 'click', 'open', 'bulk'];

/** Waits before a repetition: once after a broken connection or a server hiccup, twice, at random, after "too many". */
const hiccupMs = [300];
const limitMs = [600, 1_500];

/**
 * The questions to the CRM, within its budget (docs/crm.md#limits). Those that wait are sent together, the
 * same question from many is asked once, and none is sent after its deadline: it fails as `rate_limited` as soon as that
 * is known. A request is the turn of one lane; what waits in the others fills it up. What a kind's breaker refuses
 * fails at once, with the reason.
 */
export class Queue {
  readonly #options: QueueOptions;
  readonly #sleep: Sleep;
  /** What waits, by id, the oldest first. */
  readonly #questions = new Map<string, QueuedQuestion>();
  readonly #waiting: Record<Lane, number> = { click: 0, open: 0, bulk: 0 };
  readonly #underWay = new Map<string, Promise<Reply>>();
  #isServing = false;
  #requests = 0;
  /** Ended early when another question comes: it may have no time to wait. */
  #nap = new AbortController();
  /** The portal has said that it takes nothing before this moment (epoch milliseconds). */
  #closedUntil = 0;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#sleep = options.sleep ?? machine.wait;
  }

  /** Asks a question. Never throws: a failure is a reply, too. Who asks for what is under way gets its reply. */
  ask<R extends Reply>(kind: Kind<R>, key: string, { lane, deadline }: Urgency): Promise<R | Failure> {
    const id = `${kind.breaker.kind} ${key}`;
    const sent = this.#underWay.get(id);
    if (sent) return sent as Promise<R | Failure>;
    const question = this.#questions.get(id) ?? { id, kind, key, askers: [] };
    const known = question.askers.find((asker) => asker.lane === lane);
    if (known) {
      known.deadline = Math.max(known.deadline, deadline);
      return known.reply as Promise<R | Failure>;
    }
    const refusal = this.#waiting[lane] >= longest ? 'rate_limited' : kind.breaker.refusal(lane);
    if (refusal) return Promise.resolve(failed(refusal));
    const { promise, resolve } = Promise.withResolvers<Reply>();
    question.askers.push({ lane, deadline, reply: promise, settle: resolve });
    this.#questions.set(id, question);
    this.#waiting[lane] += 1;
    this.#nap.abort();
    void this.#serve();
    return promise as Promise<R | Failure>;
  }

  /** How many questions wait in each lane. */
  waiting(): Record<Lane, number> {
    return { ...this.#waiting };
  }

  /** Sends what waits, as the budget allows, until nothing waits. */
  async #serve(): Promise<void> {
    if (this.#isServing) return;
    this.#isServing = true;
    while (this.#questions.size > 0) await this.#sendNext();
    this.#isServing = false;
  }

  async #sendNext(): Promise<void> {
    this.#nap = new AbortController();
    const closedFor = Math.max(0, this.#closedUntil - this.#options.clock());
    this.#refuseLate(() => closedFor);
    this.#refuse((question, { lane }) => (this.#isOver ? 'unreachable' : question.kind.breaker.refusal(lane)));
    const lane = this.#nextLane();
    if (lane === null) return;
    if (closedFor > 0) return this.#rest(closedFor, this.#nap.signal);
    const isAlone = lane === 'bulk' && this.#waiting.click + this.#waiting.open === 0;
    const room = await this.#options.budget.take(isAlone ? leftFree : 0);
    // Closed while the budget was asked: what waits is refused in the next round.
    if (this.#isOver) return;
    if (room.inMs === 0) {
      this.#requests += 1;
      // What has arrived meanwhile goes along.
      void this.#request(this.#nextBatch(lane));
      return;
    }
    this.#refuseLate((requests) => room.inMs + (requests - 1) * room.everyMs);
    if (this.#questions.size > 0) await this.#rest(room.inMs, this.#nap.signal);
  }

  /** Rests for so many milliseconds, or until one of the signals ends that. */
  async #rest(ms: number, ...signals: AbortSignal[]): Promise<void> {
    const signal = AbortSignal.any([this.#options.closed, ...signals]);
    await this.#sleep(ms, signal).catch(() => {});
  }

  get #isOver(): boolean {
    return this.#options.closed.aborted;
  }

  /** The lane whose turn it is, or the most urgent one that waits; null if nothing does. */
  #nextLane(): Lane | null {
    const turn = turns[this.#requests % turns.length] ?? 'click';
    return [turn, ...lanes].find((lane) => this.#waiting[lane] > 0) ?? null;
  }

  /** The questions of the next request: the lane's first one, those of its kind behind it, and then those of other lanes. */
  #nextBatch(turn: Lane): QueuedQuestion[] {
    const inLane = (lane: Lane) =>
      [...this.#questions.values()].filter(({ askers }) => askers.some((asker) => asker.lane === lane));
    const ordered = [...new Set([turn, ...lanes].flatMap(inLane))];
    return ordered.filter(({ kind }) => kind === ordered[0]?.kind).slice(0, ordered[0]?.kind.maxPerRequest);
  }

  /**
   * Refuses who cannot be answered before their deadline if so many requests take at least that long (milliseconds). Never
   * overestimates how many are ahead of one.
   */
  #refuseLate(waitFor: (requests: number) => number): void {
    const now = this.#options.clock();
    const ahead = new Map<string, number>();
    this.#refuse(({ kind }, { lane, deadline }) => {
      const line = `${lane} ${kind.breaker.kind}`;
      const before = ahead.get(line) ?? 0;
      if (now + waitFor(1 + Math.floor(before / kind.maxPerRequest)) > deadline) return 'rate_limited';
      ahead.set(line, before + 1);
      return null;
    });
  }

  /** Answers whoever is refused. A question that nobody waits for any more is dropped. */
  #refuse(refusal: (question: QueuedQuestion, asker: Asker) => CrmErrorCode | null): void {
    for (const question of this.#questions.values()) {
      question.askers = question.askers.filter((asker) => {
        const code = refusal(question, asker);
        if (code === null) return true;
        this.#waiting[asker.lane] -= 1;
        asker.settle(failed(code));
        return false;
      });
      if (question.askers.length === 0) this.#questions.delete(question.id);
    }
  }

  /** Asks a batch in one request, for everybody who waits for the same in any lane, and settles them. */
  async #request(batch: readonly QueuedQuestion[]): Promise<void> {
    const [first] = batch;
    if (first === undefined) return;
    const { kind } = first;
    const keys = batch.map(({ key }) => key);
    for (const { id, askers } of batch) {
      this.#questions.delete(id);
      for (const { lane } of askers) this.#waiting[lane] -= 1;
    }
    const deadline = Math.max(...batch.flatMap(({ askers }) => askers.map((asker) => asker.deadline)));
    const replies = this.#sendPatiently(kind, keys, deadline);
    for (const { id, key, askers } of batch) {
      const reply = replies.then((all) => all.get(key) ?? failed('bad_answer'));
      this.#underWay.set(id, reply);
      for (const { settle } of askers) settle(reply);
    }
    await replies;
    for (const { id } of batch) this.#underWay.delete(id);
  }

  /** Sends a request, and again if that helps and there is time; each repetition costs the budget another one. */
  async #sendPatiently(kind: Kind, keys: string[], deadline: number): Promise<Map<string, Reply>> {
    const { budget, clock, requestTimeoutMs } = this.#options;
    const signal = machine.timeout(requestTimeoutMs);
    const [hiccups, limits] = [[...hiccupMs], limitMs.map((ms) => machine.random() * ms)];
    let replies: Map<string, Reply> | null = null;
    for (;;) {
      const sent = await kind.breaker.send(() => this.#send(kind, keys, signal));
      if (typeof sent === 'string') return replies ?? new Map(keys.map((key) => [key, failed(sent)]));
      replies = sent.replies;
      if (sent.code === 'rate_limited') await budget.fill();
      const isHiccup = sent.code === 'unreachable' || sent.code === 'server_error';
      const ms = sent.code === 'rate_limited' ? limits.shift() : isHiccup ? hiccups.shift() : undefined;
      if (ms === undefined || clock() >= deadline || this.#closedUntil > deadline) return replies;
      await this.#rest(Math.max(ms, this.#closedUntil - clock()));
      if (!(await this.#mayRepeat(deadline))) return replies;
    }
  }

  /** Waits for the budget to allow one more request; false if that is not before the deadline, or the store is closed. */
  async #mayRepeat(deadline: number): Promise<boolean> {
    while (!this.#isOver) {
      const { inMs } = await this.#options.budget.take();
      if (inMs === 0) return !this.#isOver;
      if (this.#options.clock() + inMs > deadline) return false;
      await this.#rest(inMs);
    }
    return false;
  }

  /** Sends one request, which fails as a whole if all of its replies do (`code`), and counts it. */
  async #send(kind: Kind, keys: string[], signal: AbortSignal) {
    const startedAt = machine.elapsed();
    let isPage = false;
    const counted = kind.breaker.kind;
    const replies = await kind.send(keys, signal).catch((error: unknown) => {
      const code = codeOfException(error, signal.aborted);
      if (error instanceof CrmFailure) {
        isPage = error.isPage;
        if (code === 'rate_limited') this.#closedUntil = this.#options.clock() + (error.retryAfterMs ?? 0);
      }
      return new Map(keys.map((key) => [key, failed(code)]));
    });
    const codes = [...replies.values()].map((reply) => reply.code ?? null);
    const code = codes.includes(null) ? null : (codes[0] ?? null);
    const seconds = (machine.elapsed() - startedAt) / 1_000;
    this.#options.metrics.crmAnswered({ kind: counted, outcome: code ?? 'ok', seconds });
    if (code) this.#options.logger.warn({ kind: counted, code, page: isPage }, 'A request to the CRM failed');
    return { replies, code, isBlocked: codes.includes('operation_limit') };
  }
}
