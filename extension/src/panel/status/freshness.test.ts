import { expect, test } from 'vitest';
import { textsFor } from '#panel/texts/texts.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { freshnessLine } from './freshness.ts';

const now = Date.parse('2026-11-20T08:03:00Z');

test.each([
  [{}, 'From the CRM, 3 minutes ago', 'Từ CRM, 3 phút trước'],
  [{ status: 'cached', cached: true } as const, 'From the CRM, 3 minutes ago', 'Từ CRM, 3 phút trước'],
  [{ as_of: '2026-11-20T08:02:59Z' }, 'From the CRM, just now', 'Từ CRM, vừa xong'],
  // A slow clock makes no data from the future.
  [{ as_of: '2026-11-20T09:00:00Z' }, 'From the CRM, just now', 'Từ CRM, vừa xong'],
  [
    { status: 'error', stale: true, cached: true, as_of: '2026-11-20T06:03:00Z' } as const,
    'Old data from the CRM, 2 hours ago',
    'Dữ liệu cũ từ CRM, 2 giờ trước',
  ],
  [{ as_of: null }, 'From the helpdesk’s own record', 'Từ hồ sơ trong helpdesk'],
  [{ as_of: 'yesterday' }, 'From the helpdesk’s own record', 'Từ hồ sơ trong helpdesk'],
])('source and age of %j', (bitrix, en, vi) => {
  const profile = sampleProfile({ bitrix });
  expect(freshnessLine(profile, now, textsFor('en'))).toBe(en);
  expect(freshnessLine(profile, now, textsFor('vi'))).toBe(vi);
});
