import { expect, test } from 'vitest';
import { textsFor } from '#i18n/panel/texts.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { healthModel, highestLevel, levelOf } from './health.ts';

const health = (
  segment: string | null,
  detail: string | null,
  lastSegment: string | null,
  lastDetail: string | null,
) => {
  const { company } = sampleProfile({
    company: {
      ...{ current_hsi_segment: segment, current_hsi_detail: detail },
      ...{ last_hsi_segment: lastSegment, last_hsi_detail: lastDetail },
    },
  }).bitrix;
  if (!company) throw new Error('The sample has a company.');
  return healthModel(company, textsFor('en'));
};

test.each([
  ['HSI_0', 0],
  ['HSI_1', 1],
  ['HSI_100', 2],
  ['HSI_200', 3],
  ['HSI_500', 4],
  ['HSI_500+', 5],
  ['500+', 5],
  [' hsi 200 ', 3],
  ['HSI_9', null],
  ['n/a', null],
  ['', null],
  [null, null],
])('the band %j is level %j', (segment, level) => expect(levelOf(segment)).toBe(level));

test.each(['en', 'vi'] as const)('every level has a word (%s)', (language) => {
  expect(new Set(textsFor(language).fields.hsiLevels).size).toBe(highestLevel + 1);
});

test.each<[string, Parameters<typeof health>, string | null]>([
  ['a higher score', ['HSI_500+', '580', 'HSI_500+', '402.1'], 'up from 402'],
  ['a lower score', ['HSI_1', '0', 'HSI_100', '12.3457'], 'down from 12'],
  ['the same', ['HSI_1', '0', 'HSI_1', '0'], 'unchanged'],
  ['the band, where a score is missing', ['HSI_200', null, 'HSI_100', '99'], 'up from 99'],
  ['the band, where a score is no number', ['HSI_1', 'n/a', 'HSI_200', 'n/a'], 'down from n/a'],
  ['nothing before', ['HSI_200', '240', null, null], null],
  ['nothing known', [null, null, null, null], null],
  ['bands that are not known', ['Vàng', null, 'Bạc', null], 'before: Bạc'],
])('the trend by %s', (_, values, trend) => expect(health(...values).last.text).toBe(trend));

test('a band is a word, its score is rounded, and both are there exactly as the CRM has them', () => {
  expect(health('HSI_500+', '580.4567', null, null)).toMatchObject({
    ...{ segment: { text: 'Very high' }, detail: { text: '580' }, level: 5, code: 'HSI_500+ · 580.4567' },
  });
});

test('a band that is not known is shown as it is, without a gauge', () => {
  expect(health('Vàng', '7', null, null)).toMatchObject({ segment: { text: 'Vàng' }, level: null });
});
