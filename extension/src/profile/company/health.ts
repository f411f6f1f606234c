import type { Company } from '@deskside/shared/profile';
import type { Texts } from '#i18n/texts.ts';
import type { Part } from '#profile/rows/row.ts';

export type Trend = 'up' | 'down' | 'same';

export interface HealthModel {
  /** The band as the CRM names it, and the score within all bands. */
  segment: Part;
  detail: Part;
  lastSegment: Part;
  lastDetail: Part;
  /** The place of the band, 0 to `highestLevel`, and the word for it; null for a band that is not known. */
  level: number | null;
  word: string | null;
  trend: Trend | null;
}

/** The bands of the CRM, lowest first (docs/data.md#the-crm-company). */
const bands = ['0', '1', '100', '200', '500', '500+'];
export const highestLevel = bands.length - 1;

/** What the panel shows of the health score: band, score, and how both have changed. */
export function healthModel(company: Company, t: Texts): HealthModel {
  const { current_hsi_segment: segment, current_hsi_detail: detail } = company;
  const { last_hsi_segment: lastSegment, last_hsi_detail: lastDetail } = company;
  const level = levelOf(segment);
  return {
    segment: { key: 'hsi.segment', text: segment, tone: 'muted' },
    detail: { key: 'hsi.detail', text: detail },
    lastSegment: { key: 'hsi.last.segment', text: lastSegment },
    lastDetail: { key: 'hsi.last.detail', text: lastDetail },
    level,
    word: level === null ? null : (t.fields.hsiLevels[level] ?? null),
    trend: trendOf([detail, lastDetail].map(scoreOf)) ?? trendOf([segment, lastSegment].map(levelOf)),
  };
}

/** The place of a band, `HSI_500+` or `500+`, among all; null if it is none of them. */
export function levelOf(segment: string | null): number | null {
  const at = bands.indexOf(segment?.trim().replace(/^HSI[_ ]?/i, '') ?? '');
  return at < 0 ? null : at;
}

function scoreOf(detail: string | null): number | null {
  return detail !== null && /^-?\d+(\.\d+)?$/.test(detail.trim()) ? Number(detail) : null;
}

function trendOf([now, before]: readonly (number | null)[]): Trend | null {
  if (now === undefined || before === undefined || now === null || before === null) return null;
  return now === before ? 'same' : now > before ? 'up' : 'down';
}
