import { expect, test } from 'vitest';
import { textsFor } from '../i18n/texts.ts';
import { changesBetween } from './changes.ts';
import { sampleProfile } from './sample-profile.ts';

const t = textsFor('en');
const now = Date.parse('2026-11-20T08:00:00Z');
const changes = (before: Parameters<typeof sampleProfile>[0], after: Parameters<typeof sampleProfile>[0]) =>
  Object.fromEntries(changesBetween(sampleProfile(before), sampleProfile(after), t, now));

test('equal profiles have no changes, however their age and status differ', () => {
  expect(changes({}, { bitrix: { status: 'cached', cached: true, as_of: '2026-11-20T07:00:00Z' } })).toEqual({});
});

test('a changed, a new and a lost value are each told with what stood there before', () => {
  expect(
    changes(
      { company: { current_hsi_segment: 'HSI_1', membership: null } },
      { company: { current_hsi_segment: 'HSI_100', owner_phone: null } },
    ),
  ).toEqual({ 'hsi.segment': 'HSI_1', 'company.membership': null, 'shop.owner.phone': '0900 000 001' });
});

test('a field of the operator that is gone keeps a place, so that its loss is seen', () => {
  const gmv = { key: 'gmv', label: 'GMV', value: '5' };
  expect(changes({ company: { metrics: [gmv] } }, { company: { metrics: [] } })).toEqual({ 'metrics.gmv': '5' });
});

test('another company is told by its name and id, not compared row by row', () => {
  expect(
    changes(
      {},
      { company: { bitrix_id: '9', company_name: 'Giày Bảo An', company_id: '1000391001', owner_name: 'X' } },
    ),
  ).toEqual({ 'company.name': 'Tiệm Hoa Mẫu', 'company.id': '1000069001' });
});

test('a company that comes or goes marks nothing but what the helpdesk changed', () => {
  const linked = { ...sampleProfile().ticket, raised_by: 'new@tiemhoamau.example' };
  expect(changes({ bitrix: { company: null } }, { ticket: linked })).toEqual({
    'hd.raised_by': 'mau@tiemhoamau.example',
  });
});
