import type { LookupTrust } from '@deskside/shared/profile';
import type { LookupOutcome } from '@deskside/shared/status';

const ranks = { claimed: 0, likely: 1, confirmed: 2 } as const;

/**
 * Which of the org ids of a ticket leads (docs/decisions.md 10a): the one that is vouched for best, of equals the first.
 * One whose trust is unknown counts as a claim, and a rejected one never leads. Undefined only if there are none.
 */
export function leaderOf<T extends { trust: LookupTrust | null; isRejected: boolean }>(
  weighed: readonly T[],
): T | undefined {
  const rankOf = ({ trust }: T) => ranks[trust?.level ?? 'claimed'];
  return weighed
    .filter(({ isRejected }) => !isRejected)
    .reduce<T | undefined>(
      (leader, next) => (leader === undefined || rankOf(next) > rankOf(leader) ? next : leader),
      undefined,
    );
}

/**
 * Which look-ups, in the order of the candidates, found a company, and which one is the answer if none did. Nothing
 * below an unanswered look-up counts: its company could be the one that matters (docs/decisions.md 2).
 *
 * @returns `otherwise` is undefined only if there are no look-ups
 */
export function namedCompanies<T extends { looked: { outcome: LookupOutcome | null } }>(
  lookups: readonly T[],
): { companies: T[]; otherwise: T | undefined } {
  const unanswered = lookups.findIndex(({ looked }) => looked.outcome === null);
  const counting = unanswered === -1 ? lookups : lookups.slice(0, unanswered);
  return {
    companies: counting.filter(({ looked }) => looked.outcome === 'matched'),
    otherwise: unanswered === -1 ? lookups.at(-1) : lookups[unanswered],
  };
}
