import type { ProfileData } from '@deskside/shared/profile';
import { shownTrust } from '#summary/shown-trust.ts';

/**
 * Whether the panel helps to find the company: `open` where there is none to show, `folded` where the one on screen is
 * doubtful, null where it is vouched for, or where there is no CRM to find any in.
 */
export function findMode(profile: ProfileData): 'open' | 'folded' | null {
  const { bitrix } = profile;
  if (bitrix.status === 'disabled' || bitrix.status === 'missing_config') return null;
  if (bitrix.company === null) return 'open';
  const trust = shownTrust(profile);
  const isSure = trust === 'confirmed' || trust === 'checking';
  const isAlone = bitrix.also_named.length === 0 && bitrix.alternatives.length === 0;
  return isSure && isAlone && !bitrix.stale && bitrix.status !== 'error' ? null : 'folded';
}
