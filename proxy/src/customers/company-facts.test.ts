import { expect, test } from 'vitest';
import { companyFacts, compareVersions, isLaterCheck } from './facts.ts';

test('what the CRM does not have is absent, so that nothing is blanked', () => {
  const names = { customer_segment: null, customer_segment_code: null, current_shopplan: null };
  const empty = { bitrix_id: '1', url: null, ...names };
  expect(companyFacts({ fields: empty, modifiedAt: null })).toEqual({ crmCompanyId: '1', matchConfidence: 95 });
});

test('a segment code without a name is not written as a segment', () => {
  const unknown = { customer_segment: '15999', customer_segment_code: '15999', current_shopplan: null };
  const fields = { bitrix_id: '1', url: null, ...unknown };
  expect(companyFacts({ fields, modifiedAt: null })).not.toHaveProperty('segment');
});

test.each([
  ['the same moment', '63001', 5_000, 5_000, 'same'],
  ['the same second', '63001', 5_000, 5_999, 'same'],
  ['a later change', '63001', 5_000, 6_000, 'newer'],
  ['an older answer than what was written', '63001', 6_000, 5_000, 'older'],
  ['never written', '63001', null, 5_000, 'newer'],
  ['without a date in the CRM', '63001', 5_000, undefined, 'newer'],
  ['another company', '9', 5_000, 5_000, 'newer'],
])('DATE_MODIFY: %s', (_, crmCompanyId, stored, modified, version) => {
  const company = { crmCompanyId: '63001', ...(modified !== undefined && { companyModifiedAt: modified }) };
  expect(compareVersions({ crmCompanyId, companyModifiedAt: stored }, company)).toBe(version);
});

test('a check is later only from the next second on', () => {
  expect(isLaterCheck(5_999, 5_000)).toBe(false);
  expect(isLaterCheck(6_000, 5_000)).toBe(true);
  expect(isLaterCheck(0, null)).toBe(true);
});
