import type { ProfileData } from '@deskside/shared/profile';
import type { ShownTrust } from '../i18n/trust.ts';

/**
 * The trust level to show (design.md, decision 9): none without a company; `checking` while the helpdesk is still being
 * asked, so that a first guess is never taken for the result; `unknown` where nobody could tell.
 */
export function shownTrust({ bitrix, pending }: ProfileData): ShownTrust | null {
  if (!bitrix.company) return null;
  if (pending.includes('lookup_trust')) return 'checking';
  return bitrix.lookup_trust?.level ?? 'unknown';
}
