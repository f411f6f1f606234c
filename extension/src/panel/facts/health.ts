import type { Company } from '@deskside/shared/profile';
import { number } from '#i18n/format.ts';
import type { Texts } from '#i18n/panel/texts.ts';
import type { Fact } from './fact.ts';

/** The bands of the CRM, lowest first (docs/data.md#the-crm-company). */
const bands = ['0', '1', '100', '200', '500', '500+'];
export const highestLevel = bands.length - 1;

/** The health score: its band in a word, the score, and what it was before. */
export function healthFact(company: Company, t: Texts): Fact {
  const { current_hsi_segment: segment, current_hsi_detail: score } = company;
  const { last_hsi_segment: lastSegment, last_hsi_detail: lastScore } = company;
  const { fields } = t;
  const before = rounded(lastScore, t) ?? wordFor(lastSegment, t);
  const now = rounded(score, t);
  const trend =
    before === null ? null : before === (now ?? wordFor(segment, t)) ? fields.unchanged : fields.was(before);
  return {
    label: fields.health,
    about: fields.healthIs,
    value: wordFor(segment, t) ?? now ?? fields.unknown,
    whole: [segment, score].filter(Boolean).join(' '),
    detail: [now, trend].filter(Boolean).join(', ') || null,
    level: levelOf(segment),
  };
}

/** The place of a band, `HSI_500+` or `500+`, among all; null if it is none of them. */
export function levelOf(segment: string | null): number | null {
  const at = bands.indexOf(segment?.trim().replace(/^HSI[_ ]?/i, '') ?? '');
  return at < 0 ? null : at;
}

function wordFor(segment: string | null, { fields }: Texts): string | null {
  const level = levelOf(segment);
  return (level === null ? null : fields.levels[level]) ?? segment;
}

/** A score without what is behind its point; as it is if it is no number. */
function rounded(score: string | null, { language }: Texts): string | null {
  const isNumber = score !== null && /^-?\d+(\.\d+)?$/.test(score.trim());
  return isNumber ? number(language, Math.round(Number(score))) : score;
}
