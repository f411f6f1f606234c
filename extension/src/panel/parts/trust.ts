import type { LookupTrust, ProfileData, TrustEvidence } from '@deskside/shared/profile';
import { dayOf } from '#i18n/format.ts';
import type { ReasonCode, Texts } from '#panel/texts/texts.ts';
import type { ShownTrust } from '#status/status.ts';
import type { IconName } from '#ui/icon.tsx';

/** How a trust level looks. Its tone is the text's: a level is a sentence, no badge. */
export const trustLooks: Record<ShownTrust, { className: string; icon: IconName }> = {
  confirmed: { className: 'text-ok', icon: 'check' },
  likely: { className: 'text-info', icon: 'shield' },
  claimed: { className: 'text-warn', icon: 'alert' },
  unknown: { className: 'text-warn', icon: 'alert' },
  checking: { className: 'text-ink-2', icon: 'clock' },
};

type Reason = TrustEvidence & { code: ReasonCode };

export function decidingEvidence(trust: LookupTrust | null): Reason | null {
  return trust?.evidence.find((one): one is Reason => !one.code.startsWith('value_')) ?? null;
}

/** The one reason for a trust level; null while it is being worked out. `names`: of agents, by user. */
export function trustReason(
  level: ShownTrust,
  trust: LookupTrust | null,
  { trust: texts, language }: Texts,
  names: ProfileData['names'],
): string | null {
  if (level === 'checking') return null;
  if (level === 'unknown') return texts.noResult;
  const reason = decidingEvidence(trust);
  if (reason === null) return texts.noReason;
  const isTyped = trust?.evidence.some(({ code }) => code === 'value_on_ticket') ?? false;
  if (reason.code === 'sender_not_of_company' && !isTyped) return texts.notListed;
  const said = texts.reason[reason.code];
  if (typeof said === 'string') return said;
  if (reason.value === undefined) return said(texts.somebody);
  const isListed = reason.code === 'signed_in_on_desk_list' || reason.code === 'sender_on_desk_list';
  return said(isListed ? dayOf(language, reason.value) : agentName(reason.value, names));
}

/** An agent's name, with the address where two have the same; only the address if the name is not known. */
export function agentName(user: string, names: ProfileData['names']): string {
  const nameOf = (one: string) => (Object.hasOwn(names, one) ? names[one] : undefined);
  const full = nameOf(user);
  if (full === undefined) return user;
  const isShared = Object.keys(names).some((other) => other !== user && nameOf(other) === full);
  return isShared ? `${full} (${user})` : full;
}

/** A level with its reason: `Probably them: the shop’s own address, not signed in`. */
export function trustSentence(
  level: ShownTrust,
  trust: LookupTrust | null,
  t: Texts,
  names: ProfileData['names'],
): [word: string, reason: string | null] {
  const reason = trustReason(level, trust, t, names);
  const word = t.trust.tag[level];
  if (reason === null) return [word, null];
  // A likely level is one sentence: first what speaks for it, then what it lacks. The others say why they are what they are.
  return level === 'likely'
    ? [`${word}:`, reason.charAt(0).toLocaleLowerCase(t.language) + reason.slice(1)]
    : [`${word}.`, reason];
}
