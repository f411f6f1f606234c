import { expect, test } from 'vitest';
import { textsFor } from '#i18n/panel/texts.ts';
import { sampleProfile } from '#testing/sample-profile.ts';
import { changesBetween } from './changes.ts';

const t = textsFor('en');
const now = Date.parse('2026-11-20T08:00:00Z');
const changes = (before: Parameters<typeof sampleProfile>[0], after: Parameters<typeof sampleProfile>[0]) =>
  Object.fromEntries(changesBetween(sampleProfile(before), sampleProfile(after), t, now));

test('equal profiles have no changes, whatever their age and status', () => {
  expect(changes({}, { bitrix: { status: 'cached', cached: true, as_of: '2026-11-20T07:00:00Z' } })).toEqual({});
});

test('changed, new and removed values are listed with their previous text', () => {
  expect(
    changes(
      { company: { current_hsi_segment: 'HSI_1', membership: null } },
      { company: { current_hsi_segment: 'HSI_100', owner_phone: null } },
    ),
  ).toEqual({ 'hsi.segment': 'Very low', 'company.membership': null, 'shop.owner.phone': '0900 000 001' });
});

test('a removed custom field keeps its row, so that its removal is visible', () => {
  const gmv = { key: 'gmv', label: 'GMV', value: '5' };
  expect(changes({ company: { metrics: [gmv] } }, { company: { metrics: [] } })).toEqual({ 'metrics.gmv': '5' });
});

test('another company is marked by name and id, not compared row by row', () => {
  expect(
    changes(
      {},
      { company: { bitrix_id: '9', company_name: 'Giày Bảo An', company_id: '1000391001', owner_name: 'X' } },
    ),
  ).toEqual({ 'company.name': 'Tiệm Hoa Mẫu', 'company.id': '1000069001' });
});

test('a company that appears or disappears marks only what the helpdesk changed', () => {
  const linked = { ...sampleProfile().ticket, raised_by: 'new@tiemhoamau.example' };
  expect(changes({ bitrix: { company: null } }, { ticket: linked })).toEqual({
    'hd.raised_by': 'mau@tiemhoamau.example',
  });
});
