import { expect, test } from 'vitest';
import { textsFor } from '#i18n/panel/texts.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { ageOf, freshnessLine } from './freshness.ts';

const now = Date.parse('2026-11-20T08:03:00Z');
const t = textsFor('en');

test.each([
  [{}, 'Checked 3 minutes ago · from the CRM', 'Đã kiểm tra 3 phút trước · từ CRM'],
  [
    { status: 'cached', cached: true } as const,
    'Checked 3 minutes ago · saved answer',
    'Đã kiểm tra 3 phút trước · bản đã lưu',
  ],
  [{ as_of: '2026-11-20T08:02:59Z' }, 'Checked just now · from the CRM', 'Vừa kiểm tra · từ CRM'],
  [
    { status: 'error', stale: true, cached: true, as_of: '2026-11-20T06:03:00Z' } as const,
    'Old data, checked 2 hours ago',
    'Dữ liệu cũ, đã kiểm tra 2 giờ trước',
  ],
  [{ as_of: null }, 'Not checked yet', 'Chưa kiểm tra'],
  [{ as_of: 'yesterday' }, 'Not checked yet', 'Chưa kiểm tra'],
])('age and source of %j are shown', (bitrix, en, vi) => {
  const crm = sampleProfile({ bitrix }).bitrix;
  expect(freshnessLine(crm, now, t)).toBe(en);
  expect(freshnessLine(crm, now, textsFor('vi'))).toBe(vi);
});

test('a slow clock does not make data from the future', () => {
  expect(ageOf('2026-11-20T08:00:00Z', Date.parse('2026-11-20T07:00:00Z'))).toBe(0);
});
