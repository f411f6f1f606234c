import { expect, test } from 'vitest';
import { phpQuery } from './rest.ts';

test('nested values get brackets, text is encoded, placeholders are not', () => {
  expect(
    phpQuery({ filter: { UF_CRM_COMPANY_ID: '1 &2' }, select: ['ID', 'TITLE'], start: -1, id: '$result[c0][0][ID]' }),
  ).toBe('filter[UF_CRM_COMPANY_ID]=1%20%262&select[0]=ID&select[1]=TITLE&start=-1&id=$result[c0][0][ID]');
});
