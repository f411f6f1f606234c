import type { CrmErrorCode } from '@deskside/shared/status';
import type { CrmRequestKind, Logger } from '#runtime/log.ts';
import type { Clock } from '#runtime/memory.ts';
import type { Lane } from './budget.ts';
import type { OperatingTime } from './rest.ts';

/** No response, or none of the portal's own: may pass in a moment. */
const outage = { after: 5, ms: 10_000 };
/** A response that will not change until a person does something, which agents should see soon after. */
const refusal = { after: 1, ms: 30_000 };

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

/** What one request came to: `code` if it failed as a whole, `isBlocked` if the portal has blocked one of its methods. */
interface Outcome {
  code: CrmErrorCode | null;
  isBlocked: boolean;
}

/**
 * Decides when one kind of request is left alone: a webhook that lost its rights to one may still have those to another.
 * Once its time is over, one request tries for all.
 */
export class Breaker {
  readonly #options: BreakerOptions;
  #failures = 0;
  #open: { code: BreakingCode; until: number } | null = null;
  #isTrying = false;
  #blockedUntil: number | null = null;
  #hasWarned = false;

  constructor(options: BreakerOptions) {
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
    const isSparing = (lane === 'backfill' || kind === 'searches') && (this.#counted()?.seconds ?? 0) >= sparingAt;
    return isSparing || clock() < (this.#blockedUntil ?? 0) ? 'operation_limit' : null;
  }

  /** Sends a request, unless it is open: then gives the code. */
  async send<T extends Outcome>(work: () => Promise<T>): Promise<T | CrmErrorCode> {
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
