import type { ProfileData } from '@deskside/shared/profile';
import type { ShownTrust } from '#i18n/panel/trust.ts';

/**
 * The trust level to show (docs/decisions.md 7): none without a company; `checking` while the helpdesk is still being
 * asked, so that a first guess is not taken for the result; `unknown` if it could not be determined.
 */
export function shownTrust({ bitrix, pending }: ProfileData): ShownTrust | null {
  if (!bitrix.company) return null;
  if (pending.includes('lookup_trust')) return 'checking';
  return bitrix.lookup_trust?.level ?? 'unknown';
}
