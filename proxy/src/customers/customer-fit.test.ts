import type { OrgId } from '@deskside/shared/orgid';
import { describe, expect, test } from 'vitest';
import { fitOf } from './find-customer.ts';

const orgId = '1000069001' as OrgId;
const other = '200000376001' as OrgId;
const target = { orgId, crmCompanyId: '63001' };

describe('whose a customer is (decision 11)', () => {
  test.each([
    ['carries the org id', { name: 'Shop', orgId, crmCompanyId: null }, 'same'],
    ['carries the org id, and an older CRM company', { name: 'Shop', orgId, crmCompanyId: '1' }, 'same'],
    ['carries another org id', { name: 'Shop', orgId: other, crmCompanyId: null }, 'other'],
    [
      'carries another org id, though the CRM company is the same',
      { name: 'S', orgId: other, crmCompanyId: '63001' },
      'other',
    ],
    ['carries the org id in its name', { name: `Shop - ${orgId}`, orgId: null, crmCompanyId: null }, 'same'],
    ['carries another org id in its name', { name: `${other} - Shop`, orgId: null, crmCompanyId: null }, 'other'],
    ['its field counts for more than its name', { name: `Shop - ${other}`, orgId, crmCompanyId: null }, 'same'],
    ['is known as this CRM company', { name: 'Shop', orgId: null, crmCompanyId: '63001' }, 'same'],
    ['is known as another CRM company', { name: 'Shop', orgId: null, crmCompanyId: '9' }, 'other'],
    ['is nobody’s', { name: '360 Store', orgId: null, crmCompanyId: null }, 'free'],
  ])('%s', (_, customer, fit) => {
    expect(fitOf(customer, target)).toBe(fit);
  });

  test('known as a CRM company while the look-up found none: somebody else’s', () => {
    const customer = { name: 'Shop', orgId: null, crmCompanyId: '9' };
    expect(fitOf(customer, { orgId, crmCompanyId: null })).toBe('other');
  });
});
