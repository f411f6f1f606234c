import type { ProfileData } from '@deskside/shared/profile';
import type { TrustLevel } from '@deskside/shared/status';
import { days } from '#i18n/format.ts';
import type { CompactStatus, PanelErrorCode, Result } from '#messaging/protocol.ts';
import type { UiLanguage } from '#messaging/settings.ts';
import { statusTexts } from './texts.ts';

type StatusTone = CompactStatus['tone'];

/** A trust level as shown, including those for a check that is still running or gave no result. */
export type ShownTrust = TrustLevel | 'checking' | 'unknown';

/**
 * The status on the launcher's button. Warnings come first, so that an agent who never opens the panel still sees that
 * the CRM failed, that the plan has expired, or that the company is only claimed.
 */
export function compactStatus(result: Result<ProfileData>, language: UiLanguage): CompactStatus {
  const t = statusTexts[language];
  const isFailure = result.ok ? result.data.bitrix.status === 'error' : !failures[result.error.code];
  const say = (tone: StatusTone, label: string): CompactStatus => ({
    tone,
    label: label.slice(0, 40),
    ...(isFailure && { isFailure }),
  });
  if (!result.ok) {
    const [tone, text] = failures[result.error.code] ?? (['bad', 'failed'] as const);
    return say(tone, t[text]);
  }
  const { status, company, rejected, error } = result.data.bitrix;
  if (result.data.pending.includes('crm')) return say('neutral', t.checking);
  if (status === 'disabled') return say('neutral', t.disabled);
  if (status === 'missing_config') return say('neutral', t.missingConfig);
  // What was rejected took its org id along; saying that none is there would hide that somebody has looked at it.
  if (status === 'missing_orgid') return say('warn', rejected.length > 0 ? t.rejected : t.missingOrgid);
  if (error?.code === 'unauthorized' || error?.code === 'insufficient_scope') return say('bad', t.crmKey);
  if (status === 'error' && !company) return say('bad', t.crmError);
  if (!company) return say('warn', t.notFound);
  return say(...found(result.data, company, language));
}

function found(
  profile: ProfileData,
  company: NonNullable<ProfileData['bitrix']['company']>,
  language: UiLanguage,
): [StatusTone, string] {
  const t = statusTexts[language];
  const level = shownTrust(profile);
  if (level === 'claimed' || level === 'unknown') return ['warn', t[level]];
  const { also_named, alternatives } = profile.bitrix;
  const others = also_named.length + alternatives.length;
  if (others > 0) return ['warn', t.companies(others + 1)];
  if (profile.bitrix.stale) return ['bad', t.oldData];
  if (company.shopplan_status === 'expired') return ['bad', t.expired];
  const { shopplan_status: plan, shopplan_days_left: left } = company;
  if (plan === 'expiring_soon' && left !== undefined)
    return ['warn', left === 0 ? t.endsToday : t.expiring(days(language, left))];
  return [level === 'confirmed' ? 'ok' : 'neutral', t[level ?? 'unknown']];
}

/** Why there is no profile; every other code is somebody's failure. */
const failures: Partial<
  Record<PanelErrorCode, [StatusTone, 'signedOut' | 'notAllowed' | 'notConfigured' | 'offline' | 'access' | 'reload']>
> = {
  signed_out: ['neutral', 'signedOut'],
  unauthenticated: ['neutral', 'signedOut'],
  other_user: ['neutral', 'signedOut'],
  not_an_agent: ['neutral', 'notAllowed'],
  ticket_not_readable: ['neutral', 'notAllowed'],
  not_configured: ['neutral', 'notConfigured'],
  offline: ['neutral', 'offline'],
  access_withheld: ['warn', 'access'],
  extension_updated: ['neutral', 'reload'],
};

/**
 * The trust level to show (decision 7: who vouches): none without a company; `checking` while the helpdesk is still being
 * asked, so that a first guess is not taken for the result; `unknown` if it could not be determined.
 */
export function shownTrust({ bitrix, pending }: ProfileData): ShownTrust | null {
  if (!bitrix.company) return null;
  if (pending.includes('lookup_trust')) return 'checking';
  return bitrix.lookup_trust?.level ?? 'unknown';
}
