import type { CrmStretch, OperatorToday } from '@deskside/shared/operator/today';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Metrics } from '#ports/runtime/metrics.ts';

type Shown = Pick<NonNullable<OperatorToday['crm']>, 'since' | 'last_hour' | 'stretches' | 'errors'>;

/** What this process asked the CRM in the last hour. In memory only: figures that last are the metrics' matter. */
export interface RecentCrm {
  /** `outcome`: `ok` or why it failed. */
  note(request: { outcome: string; seconds: number }): void;
  shown(): Shown;
  /** Whether a request has failed since a moment (epoch milliseconds). */
  failedSince(moment: number): boolean;
}

const hourMs = 3_600_000;
const stretchMs = 5 * 60_000;
/** Twice of what the portal lets one address ask in an hour (docs/crm.md#limits). */
const maxKept = 20_000;

export function createRecentCrm(clock: Clock): RecentCrm {
  const began = clock();
  let kept: { at: number; outcome: string; ms: number }[] = [];

  function recent(now: number) {
    const from = kept.findIndex(({ at }) => at > now - hourMs);
    kept = from === -1 ? [] : kept.slice(from);
    return kept;
  }

  return {
    note({ outcome, seconds }) {
      kept.push({ at: clock(), outcome, ms: Math.round(seconds * 1_000) });
      if (kept.length > maxKept) kept = recent(clock()).slice(-maxKept / 2);
    },

    failedSince: (moment) => recent(clock()).some(({ at, outcome }) => at > moment && outcome !== 'ok'),

    shown() {
      const now = clock();
      const all = recent(now);
      const first = now - hourMs;
      const stretches = Array.from({ length: hourMs / stretchMs }, (_, nth) => first + nth * stretchMs).map((at) =>
        stretchOf(
          at,
          all.filter((one) => one.at > at && one.at <= at + stretchMs),
        ),
      );
      const errors = new Map<string, number>();
      for (const { outcome } of all) if (outcome !== 'ok') errors.set(outcome, (errors.get(outcome) ?? 0) + 1);
      return {
        since: new Date(Math.max(began, first)).toISOString(),
        last_hour: stretchOf(first, all),
        stretches,
        errors: [...errors].map(([code, requests]) => ({ code, requests })).toSorted((a, b) => b.requests - a.requests),
      };
    },
  };
}

/** What the proxy asks the CRM, seen by the page as well as by the metrics. */
export function alsoSeenBy<M extends Metrics>(metrics: M, recent: RecentCrm): M {
  return {
    ...metrics,
    crmAnswered(request) {
      metrics.crmAnswered(request);
      recent.note(request);
    },
  };
}

function stretchOf(at: number, requests: readonly { outcome: string; ms: number }[]): CrmStretch {
  const times = requests.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const part = (share: number) => times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? null;
  return {
    at: new Date(at).toISOString(),
    requests: requests.length,
    failed: requests.filter(({ outcome }) => outcome !== 'ok').length,
    p50_ms: part(0.5),
    p95_ms: part(0.95),
  };
}
