import type { Company } from '@deskside/shared/profile';
import { number } from '#i18n/format.ts';
import type { Texts } from '#i18n/panel/texts.ts';
import type { Part } from '#panel/rows/row.ts';

type Trend = 'up' | 'down' | 'same';

export interface HealthModel {
  /** The band in a word, or as the CRM names one that is not known; the score, rounded; and how both have changed. */
  segment: Part;
  detail: Part;
  last: Part;
  /** The place of the band, 0 to `highestLevel`; null for a band that is not known. */
  level: number | null;
  /** Band and score as the CRM has them. */
  code: string;
}

/** The bands of the CRM, lowest first (docs/data.md#the-crm-company). */
const bands = ['0', '1', '100', '200', '500', '500+'];
export const highestLevel = bands.length - 1;

/** What the panel shows of the health score: band, score, and how both have changed. */
export function healthModel(company: Company, t: Texts): HealthModel {
  const { current_hsi_segment: segment, current_hsi_detail: detail } = company;
  const { last_hsi_segment: lastSegment, last_hsi_detail: lastDetail } = company;
  const level = levelOf(segment);
  const trend = trendOf([detail, lastDetail].map(scoreOf)) ?? trendOf([segment, lastSegment].map(levelOf));
  const before = rounded(lastDetail, t) ?? wordFor(lastSegment, t);
  return {
    segment: { key: 'hsi.segment', text: wordFor(segment, t) },
    detail: { key: 'hsi.detail', text: rounded(detail, t) },
    last: { key: 'hsi.last', text: before && (trend ? t.fields.hsiTrend[trend](before) : t.fields.lastHsi(before)) },
    level,
    code: [segment, detail].filter(Boolean).join(' · '),
  };
}

/** The place of a band, `HSI_500+` or `500+`, among all; null if it is none of them. */
export function levelOf(segment: string | null): number | null {
  const at = bands.indexOf(segment?.trim().replace(/^HSI[_ ]?/i, '') ?? '');
  return at < 0 ? null : at;
}

function wordFor(segment: string | null, { fields }: Texts): string | null {
  const level = levelOf(segment);
  return (level === null ? null : fields.hsiLevels[level]) ?? segment;
}

function rounded(detail: string | null, { language }: Texts): string | null {
  const score = scoreOf(detail);
  return score === null ? detail : number(language, Math.round(score));
}

function scoreOf(detail: string | null): number | null {
  return detail !== null && /^-?\d+(\.\d+)?$/.test(detail.trim()) ? Number(detail) : null;
}

function trendOf([now, before]: readonly (number | null)[]): Trend | null {
  if (now === undefined || before === undefined || now === null || before === null) return null;
  return now === before ? 'same' : now > before ? 'up' : 'down';
}
