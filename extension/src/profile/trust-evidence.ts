import type { TrustEvidence } from '@deskside/shared/profile';
import type { Texts } from '../i18n/texts.ts';

/** The evidence of a trust level as sentences; fields by the label that the helpdesk's form gives them, where known. */
export function evidenceSentences(evidence: readonly TrustEvidence[], t: Texts): string[] {
  return evidence.map(({ code, field, value }) => {
    const where = field === undefined ? null : fieldLabel(field, t);
    return t.trust.evidence[code](value ?? null, where);
  });
}

/** What the helpdesk's form calls a field; the field's own name where that is not known. */
export function fieldLabel(field: string, t: Texts): string {
  return Object.hasOwn(t.trust.field, field) ? (t.trust.field[field] ?? field) : field;
}
