import { expect, test } from 'vitest';
import { partOfContext } from '#testing/part-of-context.ts';
import type { CompanyEvent } from './crm.ts';
import { markCompanyStale } from './mark-company-stale.ts';

function setUp(known: string[]) {
  const calls: unknown[][] = [];
  const ctx = partOfContext({
    crm: {
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
      forgetSegments: () => void calls.push(['fields']),
    },
    clock: () => 5,
    decisions: {
      openClaimsOf: async (orgIds) => {
        calls.push(['changed', ...orgIds]);
        return [];
      },
    },
    inbox: { enqueue: async () => {} },
  });
  return { ctx, calls };
}

const marked = (id: string) => ['marked', 'crm.example', id, 5];
const negatives = ['negatives', 'crm.example'];

test.each<[CompanyEvent['kind'], string | null, unknown[][]]>([
  ['changed', '63002', [marked('63002'), ['changed', '1']]],
  ['changed', '404', [marked('404'), negatives]],
  ['changed', null, []],
  ['added', '70000', [negatives]],
  ['added', null, [negatives]],
  ['fields_changed', '7', [['fields']]],
])('%s of %s', async (kind, companyId, expected) => {
  const { ctx, calls } = setUp(['63002']);
  await markCompanyStale(ctx, { kind, companyId });
  expect(calls).toEqual(expected);
});
