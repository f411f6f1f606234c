import { expect, test } from 'vitest';
import { FieldMap } from './company.ts';

const extra = { field: 'UF_CRM_GMV', key: 'gmv', label: 'GMV', group: 'metrics' };

test('without configuration every field has the name of the specification', () => {
  expect(FieldMap.parse({})).toMatchObject({
    company_id: 'UF_CRM_COMPANY_ID',
    current_shopplan: 'UF_CRM_CURRENT_SHOPPLAN',
    segments: { '15090': 'SME', '15092': 'Medium', '15094': 'Enterprise' },
    extra: [],
  });
});

test.each([
  ['a field name in lower case', { company_id: 'uf_crm_company_id' }, ['company_id']],
  ['a filter operator in a name', { company_id: '!UF_CRM_X' }, ['company_id']],
  ['an unknown entry', { companyid: 'UF_CRM_X' }, []],
  ['a segment that is no list item', { segments: { medium: 'Medium' } }, ['segments', 'medium']],
  ['a group that does not exist', { extra: [{ ...extra, group: 'other' }] }, ['extra', 0, 'group']],
  ['the same key twice', { extra: [extra, extra] }, ['extra']],
])('%s is refused, and named', (_, value, path) => {
  expect(FieldMap.safeParse(value).error?.issues[0]?.path).toEqual(path);
});
