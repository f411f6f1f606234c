import type { TrustEvidence } from '@deskside/shared/profile';
import type { Texts } from '#i18n/panel/texts.ts';

/** The evidence of a trust level as sentences. */
export function evidenceSentences(evidence: readonly TrustEvidence[], t: Texts): string[] {
  return evidence.map(({ code, field, value }) => {
    const where = field === undefined ? null : fieldLabel(field, t);
    return t.trust.evidence[code](value ?? null, where);
  });
}

/** A field's label in the helpdesk's form, or its name if the label is unknown. */
export function fieldLabel(field: string, t: Texts): string {
  return Object.hasOwn(t.trust.field, field) ? (t.trust.field[field] ?? field) : field;
}
