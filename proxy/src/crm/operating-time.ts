import type { Clock } from '#runtime/clock.ts';
import type { Logger } from '#runtime/logger.ts';
import type { OperatingTime } from './crm.ts';
import type { Lane } from './request-bucket.ts';

/** Execution time in ten minutes at which a portal blocks a method, in seconds (docs/crm.md#limits). */
const limitSeconds = 480;
const warnAt = 0.5 * limitSeconds;
const sparingAt = 0.8 * limitSeconds;
/** How long a blocked method is left alone if no response has said when it will be released. */
const unknownBlockMs = 60_000;
const longestBlockMs = 10 * 60_000;

/** Watches how much execution time one kind of request has used. */
export interface OperatingWatch {
  /** Whether such requests are closed to a lane: to all lanes while blocked, to bulk work and whatever yields well before. */
  closed(lane: Lane): boolean;
  /** Call after a response: reads what has been counted. */
  observe(): void;
  /** The portal has blocked such requests. */
  block(): void;
}

/** @param yields whether such requests leave the last fifth to others, because they use the same methods */
export function watchOperatingTime(
  read: () => OperatingTime | null,
  { kind, clock, logger, yields }: { kind: string; clock: Clock; logger: Logger; yields: boolean },
): OperatingWatch {
  let closedUntil = 0;
  let isBlocked = false;
  let warned = false;
  const current = () => {
    const time = read();
    return time && clock() < time.resetAt ? time : null;
  };
  return {
    closed(lane) {
      return clock() < closedUntil || ((yields || lane === 'backfill') && (current()?.seconds ?? 0) >= sparingAt);
    },
    observe() {
      const seconds = current()?.seconds ?? 0;
      if (seconds >= warnAt && !warned)
        logger.warn({ kind, seconds, limit: limitSeconds }, 'The CRM has counted half of the execution time it allows');
      warned = seconds >= warnAt;
      if (isBlocked && clock() >= closedUntil) {
        isBlocked = false;
        logger.info({ fault_ended: 'crm_operation_limit', kind }, 'The CRM accepts such requests again');
      }
    },
    block() {
      const now = clock();
      const until = current()?.resetAt ?? now + unknownBlockMs;
      if (now >= closedUntil)
        logger.error(
          { fault: 'crm_operation_limit', kind, ms: until - now },
          'The CRM blocks requests for their execution time',
        );
      isBlocked = true;
      closedUntil = Math.min(until, now + longestBlockMs);
    },
  };
}
