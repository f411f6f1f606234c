import type { OrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import { decisionDraft } from '#routing/testing/decision-draft.ts';
import { addTo } from '#store/testing/decisions.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { partOfContext } from '#testing/part-of-context.ts';
import type { CompanyEvent } from './crm.ts';
import { markCompanyStale } from './mark-company-stale.ts';

async function setUp(known: string[]) {
  const store = memoryStore();
  const trust = { level: 'claimed' as const, evidence: [] };
  const org_id = { value: orgId, source: 'ticket' as const, field: 'custom_orgid', trust };
  await addTo(store.db, decisionDraft('61307', { claims: 'hold', org_id }), 0, null);
  const calls: unknown[][] = [];
  const ctx = partOfContext({
    crm: {
      cache: {
        markOutdated: async (...args) => {
          calls.push(['marked', ...args]);
          return known.includes(args[1]) ? [{ by: 'company_id', orgId }] : [];
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
    db: store.db,
  });
  return { ctx, calls, claims: () => [...store.rows.work.keys()] };
}

const orgId = '1' as OrgId;
const marked = (id: string) => ['marked', 'crm.example', id, 5];
const negatives = ['negatives', 'crm.example'];

test.each<[CompanyEvent['kind'], string | null, unknown[][]]>([
  ['changed', '63002', [marked('63002')]],
  ['changed', '404', [marked('404'), negatives]],
  ['changed', null, []],
  ['added', '70000', [negatives]],
  ['added', null, [negatives]],
  ['fields_changed', '7', [['fields']]],
])('%s of %s', async (kind, companyId, expected) => {
  const { ctx, calls, claims } = await setUp(['63002']);
  await markCompanyStale(ctx, { kind, companyId });
  expect(calls).toEqual(expected);
  expect(claims()).toEqual(companyId === '63002' ? ['61307'] : []);
});
