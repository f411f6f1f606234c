import type { OrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import { company, fakeCrm, uncounted } from '#app/testing/fakes.ts';
import { measuredCrm } from './measured-crm.ts';

const a = '1000069001' as OrgId;
const b = '200000376001' as OrgId;
const never = new AbortController().signal;

/** A CRM with one company, measured, and what was counted of it. */
function setUp() {
  const counted: string[] = [];
  const crm = fakeCrm({ [a]: company(a) });
  const measured = measuredCrm(crm, {
    ...uncounted,
    companiesRead: (layer, result, count) => void counted.push(`${layer} ${result} ${count}`),
    crmAnswered({ kind, outcome, seconds }) {
      expect(seconds).toBeGreaterThanOrEqual(0);
      counted.push(`${kind}: ${outcome}`);
    },
  });
  return { crm, measured, counted };
}

test('a request counts once, and each org id by what was said of it', async () => {
  const { measured, counted } = setUp();
  const { companies } = await measured.findCompanies([a, b], 'company_id', never);
  expect(companies.get(a)?.kind).toBe('found');
  expect(counted).toEqual(['companies: ok', 'crm hit 1', 'crm miss 1']);
});

test('a request of which one part is answered has not failed', async () => {
  const { crm, measured, counted } = setUp();
  crm.answer = (orgId) => (orgId === a ? { kind: 'empty' } : { kind: 'failed', code: 'operation_limit' });
  await measured.findCompanies([a, b], 'company_id', never);
  expect(counted).toEqual(['companies: ok', 'crm miss 1', 'crm failed 1']);
});

test('a request that fails as a whole says why, of whatever kind it is', async () => {
  const { crm, measured, counted } = setUp();
  crm.user = () => ({ kind: 'failed', code: 'unauthorized' });
  crm.search = { companies: [], isCut: false, failed: 'timeout' };
  await measured.findUsers(['338'], never);
  await measured.searchCompanies([[]], never);
  await measured.readSegmentNames(never);
  expect(counted).toEqual(['users: unauthorized', 'searches: timeout', 'segments: ok']);
});
