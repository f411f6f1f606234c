import type { PlanStatus } from '@deskside/shared/status';

const day = 86_400_000;
const soon = 30;

/**
 * The days left on the shop plan: whole days, rounded down, so negative from the first moment after expiry
 * (docs/data.md#the-crm-company). Both times are epoch milliseconds; without an expiry neither key is set.
 */
export function planStatus(
  expiresAt: number | null,
  now: number,
): { shopplan_status?: PlanStatus; shopplan_days_left?: number } {
  if (expiresAt === null) return {};
  const left = Math.floor((expiresAt - now) / day);
  return { shopplan_status: left < 0 ? 'expired' : left < soon ? 'expiring_soon' : 'active', shopplan_days_left: left };
}
