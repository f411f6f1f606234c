import type { RoutingDecision, RoutingInputs } from '@deskside/shared/routing';

/** Whether only the sender vouches for the org id that a decision rests on. */
export function isClaim({ org_id }: Pick<RoutingInputs, 'org_id'>): boolean {
  return org_id !== null && (org_id.trust?.level ?? 'claimed') === 'claimed';
}

/**
 * Whether a decision is judged again until someone vouches for its claim (docs/decisions.md 10): it was made on a
 * claim, by rules under which claims route. A later change of rules does not affect it.
 */
export function isOpenClaim({ inputs }: Pick<RoutingDecision, 'inputs'>): boolean {
  return inputs.claims === 'route' && isClaim(inputs);
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const firstLooks = [minute, 10 * minute, hour];
const openForMs = 7 * day;

/**
 * When a claim is judged again on schedule: a minute, ten minutes and an hour after the first decision, then daily for
 * a week; null afterwards. All in epoch milliseconds.
 */
export function claimDueAt(firstDecidedAt: number, now: number): number | null {
  const age = now - firstDecidedAt;
  const next = firstLooks.find((look) => look > age) ?? (Math.floor(age / day) + 1) * day;
  return next > openForMs ? null : firstDecidedAt + next;
}
