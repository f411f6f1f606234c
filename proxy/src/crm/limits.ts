import type { CrmErrorCode } from '@deskside/shared/status';
import type { CrmRequestKind, Logger } from '#runtime/log.ts';
import type { Clock } from '#runtime/memory.ts';
import type { Store } from '#store/database.ts';
import { emptyAt, pour, setEmptyAt } from '#store/notes.ts';
import type { OperatingTime } from './rest.ts';

/** No response, or none of the portal's own: may pass in a moment. */
const outage = { after: 5, ms: 10_000 };
/** A response that will not change until a person does something, which agents should see soon after: panels ask as often. */
const refusal = { after: 1, ms: 10_000 };

/**
 * After how many failures of a code in a row the CRM is left alone, and for how long. A response that cannot be used
 * (`bad_answer`) is none of them: the portal works, and the next question may well be answered.
 */
const rules = {
  timeout: outage,
  unreachable: outage,
  server_error: outage,
  unauthorized: refusal,
  insufficient_scope: refusal,
  redirected: refusal,
  // Asking again would only make it worse (docs/crm.md#errors).
  overloaded: { after: 1, ms: 5 * 60_000 },
} as const;
type BreakingCode = keyof typeof rules;

function isBreaking(code: CrmErrorCode | null): code is BreakingCode {
  return code !== null && code in rules;
}

/** Execution time in ten minutes at which a portal blocks a method, in seconds (docs/crm.md#limits). */
const limitSeconds = 480;
const warnAt = 0.5 * limitSeconds;
const sparingAt = 0.8 * limitSeconds;
/** How long a blocked method is left alone if no response has said when it will be released. */
const unknownBlockMs = 60_000;
const longestBlockMs = 10 * 60_000;

interface BreakerOptions {
  kind: CrmRequestKind;
  /** What the portal has counted for such requests; null if it has not said. */
  operating: () => OperatingTime | null;
  clock: Clock;
  logger: Logger;
}

/**
 * Decides when one kind of request is left alone: a webhook that lost its rights to one may still have those to another.
 * Once its time is over, one request tries for all.
 */
export class Breaker {
  readonly kind: CrmRequestKind;
  readonly #options: BreakerOptions;
  #failures = 0;
  #open: { code: BreakingCode; until: number } | null = null;
  #isTrying = false;
  #blockedUntil: number | null = null;
  #hasWarned = false;

  constructor(options: BreakerOptions) {
    this.kind = options.kind;
    this.#options = options;
  }

  /**
   * Why nothing may be asked now; null if it may. A blocked method is closed to all, one that has nearly used its time to
   * bulk work, and to searches, which use the same methods as look-ups.
   */
  refusal(lane: Lane): CrmErrorCode | null {
    const { kind, clock } = this.#options;
    const code = this.#openWith();
    if (code) return code;
    const isSparing = (lane === 'bulk' || kind === 'searches') && (this.#counted()?.seconds ?? 0) >= sparingAt;
    return isSparing || clock() < (this.#blockedUntil ?? 0) ? 'operation_limit' : null;
  }

  /**
   * Sends a request, unless it is open: then gives the code.
   *
   * @param work gives a `code` if the request failed as a whole, and whether the portal has blocked one of its methods
   */
  async send<T extends { code: CrmErrorCode | null; isBlocked: boolean }>(work: () => Promise<T>) {
    const code = this.#openWith();
    if (code) return code;
    const isTrial = this.#open !== null;
    if (isTrial) this.#isTrying = true;
    try {
      const sent = await work();
      this.#note(sent.code, isTrial);
      this.#noteTime(sent.isBlocked);
      return sent;
    } finally {
      if (isTrial) this.#isTrying = false;
    }
  }

  #openWith(): CrmErrorCode | null {
    return this.#open && (this.#isTrying || this.#options.clock() < this.#open.until) ? this.#open.code : null;
  }

  #note(code: CrmErrorCode | null, isTrial: boolean): void {
    const { kind, clock, logger } = this.#options;
    // What was under way when it opened is no news.
    if (this.#open && !isTrial) return;
    const before = this.#open;
    if (!isBreaking(code)) {
      this.#failures = 0;
      this.#open = null;
      if (before) logger.info({ fault_ended: `crm_${before.code}`, kind }, 'The CRM answers again');
      return;
    }
    const { after, ms } = rules[code];
    this.#failures += 1;
    if (!isTrial && this.#failures < after) return;
    if (before && before.code !== code)
      logger.info({ fault_ended: `crm_${before.code}`, kind }, 'The CRM fails otherwise');
    this.#open = { code, until: clock() + ms };
    logger.error({ fault: `crm_${code}`, kind, ms }, 'The CRM keeps failing and is left alone for a while');
  }

  /** What has been counted in a window that has not ended yet. */
  #counted(): OperatingTime | null {
    const time = this.#options.operating();
    return time && this.#options.clock() < time.resetAt ? time : null;
  }

  #noteTime(isBlocked: boolean): void {
    const { kind, clock, logger } = this.#options;
    const now = clock();
    if (isBlocked) {
      const until = this.#counted()?.resetAt ?? now + unknownBlockMs;
      if (now >= (this.#blockedUntil ?? 0))
        logger.error(
          { fault: 'crm_operation_limit', kind, ms: until - now },
          'The CRM blocks requests for their execution time',
        );
      this.#blockedUntil = Math.min(until, now + longestBlockMs);
      return;
    }
    const seconds = this.#counted()?.seconds ?? 0;
    if (seconds >= warnAt && !this.#hasWarned)
      logger.warn({ kind, seconds, limit: limitSeconds }, 'The CRM has counted half of the execution time it allows');
    this.#hasWarned = seconds >= warnAt;
    if (this.#blockedUntil !== null && now >= this.#blockedUntil) {
      this.#blockedUntil = null;
      logger.info({ fault_ended: 'crm_operation_limit', kind }, 'The CRM accepts such requests again');
    }
  }
}

/**
 * Who asks the CRM, the most urgent first. `click`: somebody waits for the answer. `open`: nobody does, but somebody will
 * soon, as after a ticket came in or behind an older answer that was shown at once. `bulk`: bulk work.
 */
export const lanes = ['click', 'open', 'bulk'] as const;
export type Lane = (typeof lanes)[number];

/** How much a portal takes: so many requests at once, and one more after each interval (milliseconds). */
export interface BucketLimits {
  capacity: number;
  intervalMs: number;
}

/**
 * What we allow ourselves, by the portal's plan (`CRM_PLAN`): four fifths of the published bucket, drained at nine tenths
 * of the published rate (docs/crm.md#limits: 50 and 2 a second, 250 and 5 a second), so that others at our address have
 * room and clock differences do no harm.
 */
export const ourLimits: Readonly<Record<'standard' | 'enterprise', BucketLimits>> = {
  standard: { capacity: 40, intervalMs: Math.ceil(1_000 / 1.8) },
  enterprise: { capacity: 200, intervalMs: Math.ceil(1_000 / 4.5) },
};

/** The part of the bucket that bulk work leaves free while nobody else waits, for whoever comes next. */
export const leftFree = 0.5;

/** When one more request may be sent: 0 if now, and then room is taken for it. Then one more each so many milliseconds. */
interface Room {
  inMs: number;
  everyMs: number;
}

interface BudgetOptions {
  /** Where the level stands that all processes share; null for a process that is alone. */
  db: Store['db'] | null;
  limits: BucketLimits;
  portal: string;
  clock: Clock;
  logger: Logger;
}

/** For so many processes the bucket in memory allows while the shared one fails: it is smaller by this factor. */
const processes = 4;

export type Budget = ReturnType<typeof openBudget>;

/**
 * The requests that a portal accepts from this address: a bucket that holds a number of requests and drains at a steady
 * rate (docs/crm.md#limits). Its level is the moment at which it will be empty (epoch milliseconds), so it drains without
 * anybody touching it. While the store fails a bucket in memory stands in, small enough for several processes: the CRM is
 * then asked less, not more.
 */
export function openBudget({ db, limits, portal, clock, logger }: BudgetOptions) {
  const spare =
    db === null ? limits : { capacity: limits.capacity / processes, intervalMs: limits.intervalMs * processes };
  let spareEmptyAt = 0;
  let isFailing = false;

  /** A level further ahead than a full bucket takes to drain comes from a clock that was put back, and counts as full. */
  const levelAt = (stored: number, now: number) =>
    Math.min(Math.max(stored, now), now + limits.capacity * limits.intervalMs);

  /** The latest level at which one more request fits in, `free` of the bucket being left alone. */
  const latestFor = ({ capacity, intervalMs }: BucketLimits, free: number, now: number) =>
    now + (Math.floor(capacity * (1 - free)) - 1) * intervalMs;

  async function takeShared(shared: Store['db'], free: number, now: number): Promise<Room> {
    const everyMs = limits.intervalMs;
    const latest = latestFor(limits, free, now);
    if (await pour(shared, portal, everyMs, latest, now)) return { inMs: 0, everyMs };
    const stored = (await emptyAt(shared, portal)) ?? now;
    const level = levelAt(stored, now);
    // Otherwise a level from a clock that was put back would stay until that time comes again.
    if (level < stored) await setEmptyAt(shared, portal, level);
    return { inMs: Math.max(1, level - latest), everyMs };
  }

  function takeSpare(free: number, now: number): Room {
    const everyMs = spare.intervalMs;
    const latest = latestFor(spare, free, now);
    if (spareEmptyAt > latest) return { inMs: spareEmptyAt - latest, everyMs };
    spareEmptyAt = Math.max(spareEmptyAt, now) + everyMs;
    return { inMs: 0, everyMs };
  }

  /** What the shared bucket says; null while it cannot be used, which is logged once. */
  async function fromShared<T>(ask: (shared: Store['db']) => Promise<T>): Promise<T | null> {
    if (db === null) return null;
    try {
      const said = await ask(db);
      if (isFailing) logger.info({ fault_ended: 'crm_budget_store' }, "The CRM's shared budget works again");
      isFailing = false;
      return said;
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown';
      if (!isFailing)
        logger.error({ fault: 'crm_budget_store', error: name }, "The CRM's shared budget cannot be used");
      isFailing = true;
      return null;
    }
  }

  return {
    /** Takes room for one request, if there is any. `free`: the part of the bucket, 0 to 1, that is left alone. */
    async take(free = 0): Promise<Room> {
      const now = clock();
      return (await fromShared((shared) => takeShared(shared, free, now))) ?? takeSpare(free, now);
    },

    /** The portal reported that its bucket is full; its word overrides our count. */
    async fill(): Promise<void> {
      const now = clock();
      spareEmptyAt = now + Math.floor(spare.capacity) * spare.intervalMs;
      await fromShared((shared) => setEmptyAt(shared, portal, now + limits.capacity * limits.intervalMs));
    },

    /** How many requests each lane may send at once. Changes nothing. */
    async left(): Promise<Record<Lane, number>> {
      const now = clock();
      const level = levelAt((await fromShared((shared) => emptyAt(shared, portal))) ?? spareEmptyAt, now);
      const roomIn = (capacity: number) => Math.max(0, Math.floor(capacity - (level - now) / limits.intervalMs));
      const all = roomIn(limits.capacity);
      return { click: all, open: all, bulk: roomIn(limits.capacity * (1 - leftFree)) };
    },
  };
}
