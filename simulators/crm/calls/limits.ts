import { errors } from '#crm/http/request.ts';

/** A portal's published limits by plan (docs/crm.md#limits). */
const plans = { standard: { capacity: 50, perSecond: 2 }, enterprise: { capacity: 250, perSecond: 5 } } as const;
export type PortalPlan = keyof typeof plans;

/** Counts requests per client address in a leaky bucket: every request pours one in, so many drain each second. */
export function createRequestLimit(plan: PortalPlan, now: () => number): (address: string) => void {
  const { capacity, perSecond } = plans[plan];
  const buckets = new Map<string, { level: number; at: number }>();
  return (address) => {
    const bucket = buckets.get(address) ?? { level: 0, at: now() };
    const level = Math.max(0, bucket.level - ((now() - bucket.at) / 1_000) * perSecond);
    const full = level + 1 > capacity;
    buckets.set(address, { level: full ? level : level + 1, at: now() });
    if (full) throw errors.limit();
  };
}

const minute = 60_000;
const kept = 10 * minute;

export interface OperatingTimeLimit {
  /** Throws OPERATION_TIME_LIMIT where the last ten minutes have used up the time. */
  check(webhook: string, method: string): void;
  /** Charges the time; gives what has come together, in seconds, and when the oldest minute drops (unix seconds). */
  charge(webhook: string, method: string, seconds: number): { operating: number; operating_reset_at: number };
}

/** Sums the execution time per webhook and method over ten one-minute buckets. The call that crosses the line completes. */
export function createOperatingTime(limitSeconds: () => number, now: () => number): OperatingTimeLimit {
  const spent = new Map<string, Map<number, number>>();
  const current = (webhook: string, method: string) => {
    const key = `${webhook} ${method}`;
    const minutes = spent.get(key) ?? new Map<number, number>();
    spent.set(key, minutes);
    for (const start of minutes.keys()) if (start <= now() - kept) minutes.delete(start);
    return minutes;
  };
  const sum = (minutes: Map<number, number>) => [...minutes.values()].reduce((a, b) => a + b, 0);
  return {
    check(webhook, method) {
      if (sum(current(webhook, method)) >= limitSeconds()) throw errors.operationLimit();
    },
    charge(webhook, method, seconds) {
      const minutes = current(webhook, method);
      const last = [...minutes.keys()].at(-1);
      const start = last !== undefined && now() - last < minute ? last : now();
      minutes.set(start, (minutes.get(start) ?? 0) + seconds);
      const [oldest = now()] = minutes.keys();
      return { operating: sum(minutes), operating_reset_at: Math.ceil((oldest + kept) / 1_000) };
    },
  };
}
