import type { CrmBlock } from '@deskside/shared/profile';
import { ago } from '#i18n/format.ts';
import type { Texts } from '#i18n/panel/texts.ts';

/** Milliseconds since the CRM was checked, never negative; null if it was not. */
export function ageOf(asOf: string | null, now: number): number | null {
  const at = asOf === null ? Number.NaN : Date.parse(asOf);
  return Number.isNaN(at) ? null : Math.max(0, now - at);
}

/** The age of the CRM data as a phrase such as `3 minutes ago`; null for just now and for never. */
export function agePhrase(asOf: string | null, now: number, t: Texts): string | null {
  const age = ageOf(asOf, now);
  return age === null ? null : ago(t.language, age);
}

/** When the CRM was last checked, and where this answer came from. */
export function freshnessLine(bitrix: CrmBlock, now: number, t: Texts): string {
  const age = ageOf(bitrix.as_of, now);
  if (age === null) return t.shell.neverChecked;
  const phrase = ago(t.language, age);
  if (bitrix.stale) return phrase ? t.shell.oldChecked(phrase) : t.shell.oldJustChecked;
  const checked = phrase ? t.shell.checked(phrase) : t.shell.justChecked;
  return `${checked} · ${bitrix.cached ? t.shell.fromCopy : t.shell.fromCrm}`;
}
