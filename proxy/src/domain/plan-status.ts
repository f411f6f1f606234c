import type { PlanStatus } from '@deskside/shared/status';

const day = 86_400_000;
const soon = 30;

/**
 * How long the shop plan still runs: whole days, rounded down, so negative from the first moment after expiry
 * (facts/domain.md 1.5). Both times in epoch milliseconds; without an expiry neither key is there.
 */
export function planStatus(
  expiresAt: number | null,
  now: number,
): { shopplan_status?: PlanStatus; shopplan_days_left?: number } {
  if (expiresAt === null) return {};
  const left = Math.floor((expiresAt - now) / day);
  return { shopplan_status: left < 0 ? 'expired' : left < soon ? 'expiring_soon' : 'active', shopplan_days_left: left };
}
