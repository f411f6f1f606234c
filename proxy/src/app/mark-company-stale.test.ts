import { expect, test } from 'vitest';
import { createMarkCompanyStale } from './mark-company-stale.ts';

function setUp(known: string[]) {
  const calls: unknown[][] = [];
  const mark = createMarkCompanyStale({
    cache: {
      markOutdated: async (...args) => {
        calls.push(['marked', ...args]);
        return known.includes(args[1]) ? [{ by: 'company_id', orgId: '1' as never }] : [];
      },
      deleteNegative: async (...args) => {
        calls.push(['negatives', ...args]);
        return 0;
      },
    },
    portal: 'crm.example',
    clock: () => 5,
    onFieldsChanged: () => void calls.push(['fields']),
  });
  return { mark, calls };
}

const marked = (id: string) => ['marked', 'crm.example', id, 5];
const negatives = ['negatives', 'crm.example'];

test.each<[string, string | null, unknown[][]]>([
  ['ONCRMCOMPANYUPDATE', '63002', [marked('63002')]],
  ['ONCRMCOMPANYDELETE', '63002', [marked('63002')]],
  ['ONCRMCOMPANYUPDATE', '404', [marked('404'), negatives]],
  ['ONCRMCOMPANYDELETE', '404', [marked('404'), negatives]],
  ['ONCRMCOMPANYADD', '70000', [negatives]],
  ['ONCRMCOMPANYADD', null, [negatives]],
  ['ONCRMCOMPANYUPDATE', null, []],
  ['ONCRMCOMPANYUSERFIELDSETENUMVALUES', '7', [['fields']]],
  ['ONCRMCOMPANYUSERFIELDUPDATE', '7', [['fields']]],
  ['ONCRMCONTACTUPDATE', '7003', []],
  ['ONTASKADD', '1', []],
  ['', null, []],
])('%s of %s', async (event, companyId, expected) => {
  const { mark, calls } = setUp(['63002']);
  await mark({ event, companyId });
  expect(calls).toEqual(expected);
});
