import { expect, test } from 'vitest';
import { compileFilter } from './filter.ts';

const record = {
  ID: '63001',
  TITLE: 'Tiệm Hoa Mẫu - 1000069001',
  DATE_MODIFY: '2026-05-05T21:40:10+03:00',
  UF_CRM_COMPANY_ID: 1_000_069_001,
  UF_CRM_SPACE: '1000 ',
  EMAIL: [{ VALUE: 'shop@x.example' }],
  UF_CRM_EMPTY: false,
};
const known = new Set(Object.keys(record));
const matches = (filter: unknown) => compileFilter(filter, { known, unknown: 'ignore' })(record);

test.each([
  [{ ID: '63001' }, true],
  [{ '=ID': 63001 }, true],
  [{ ID: ['1', '63001'] }, true],
  [{ '@ID': ['1', '2'] }, false],
  [{ '>ID': '9000' }, true],
  [{ '%TITLE': 'hoa mẫu' }, true],
  [{ '=%TITLE': 'Tiệm%1000069001' }, true],
  [{ '%=TITLE': 'Tiệm_Hoa%' }, true],
  [{ UF_CRM_COMPANY_ID: '1000069001' }, true],
  [{ UF_CRM_SPACE: '1000' }, true],
  [{ UF_CRM_EMPTY: '' }, true],
  [{ UF_CRM_COMPANY_ID: '' }, false],
  [{ EMAIL: 'shop@x.example' }, true],
  [{ '%EMAIL': 'x.example' }, false],
  [{ '%EMAIL': 'shop@x.example' }, true],
  [{ '>DATE_MODIFY': '2026-05-05T18:40:09+00:00' }, true],
  [{ '>DATE_MODIFY': '2026-05-05T18:40:10Z' }, false],
  [{ ID: '63001', TITLE: 'other' }, false],
  [{ UF_CRM_NOBODY_KNOWS: '1' }, true],
  [undefined, true],
  [[], true],
])('%j', (filter, expected) => expect(matches(filter)).toBe(expected));

test('a filter that is no map, and an unknown field where that is refused, are errors', () => {
  expect(() => matches('ID=1')).toThrow("Parameter 'filter' must be array.");
  expect(() => compileFilter({ NOPE: 1 }, { known, unknown: 'error' })).toThrow("'NOPE'");
});
