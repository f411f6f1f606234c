import type { LookupTrust, TrustEvidence } from '@deskside/shared/profile';
import { labelFor } from '#i18n/format.ts';
import type { Texts } from '#i18n/panel/texts.ts';
import type { ReasonCode, ShownTrust } from '#i18n/panel/trust.ts';

type Reason = TrustEvidence & { code: ReasonCode };

/** The evidence that decided; null if there is none. */
function reasonOf(trust: LookupTrust | null): Reason | null {
  return trust?.evidence.find((one): one is Reason => !one.code.startsWith('value_')) ?? null;
}

/** A trust level in words, a likely one with what it lacks. */
export function trustWords(level: ShownTrust, trust: LookupTrust | null, { trust: texts }: Texts): string {
  if (level !== 'likely') return texts.tag[level];
  const reason = reasonOf(trust);
  return reason?.code === 'entered_by_agent' ? texts.enteredBy(reason.value ?? null) : texts.addressNotVerified;
}

/** The one reason for a trust level, as a sentence; null while it is being worked out. */
export function trustReason(level: ShownTrust, trust: LookupTrust | null, { trust: texts }: Texts): string | null {
  if (level === 'checking') return null;
  if (level === 'unknown') return texts.noResult;
  const reason = reasonOf(trust);
  if (reason === null) return texts.noReason;
  const isTyped = trust?.evidence.some(({ code }) => code === 'value_on_ticket') ?? false;
  return texts.reason[reason.code](reason.value ?? null, isTyped);
}

/** What an agent does about a trust level; null where there is nothing to do. */
export function trustAdvice(level: ShownTrust, trust: LookupTrust | null, { trust: { advice } }: Texts): string | null {
  if (level === 'confirmed' || level === 'checking') return null;
  if (level === 'unknown') return advice.unknown;
  const code = reasonOf(trust)?.code;
  if (level === 'likely') return code === 'entered_by_agent' ? advice.entered : advice.forged;
  return code === 'contact_of_other' ? advice.contact : code === 'made_by_other' ? advice.account : advice.claimed;
}

/** Whether an account of somebody else may read the ticket. */
export function mayBeReadByOther(trust: LookupTrust | null): boolean {
  const code = reasonOf(trust)?.code;
  return code === 'contact_of_other' || code === 'made_by_other';
}

/** A field's label in the helpdesk's form, or its name if the label is unknown. */
export function fieldLabel(field: string, t: Texts): string {
  return labelFor(t.trust.field, field);
}
