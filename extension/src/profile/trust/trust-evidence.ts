import type { TrustEvidence } from '@deskside/shared/profile';
import { labelFor } from '#i18n/format.ts';
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
  return labelFor(t.trust.field, field);
}
