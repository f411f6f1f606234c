import type { AlsoNamed, ProfileData } from '@deskside/shared/profile';
import { describe, expect, test } from 'vitest';
import { textsFor } from '#panel/texts/texts.ts';
import { sampleOther, sampleProfile } from '#testing/sample-profile.ts';
import { companiesOf, otherCustomer, profileOf } from './companies.ts';

const en = textsFor('en');
const other = sampleOther();
const two = (change: Partial<AlsoNamed> = {}) => sampleProfile({ bitrix: { also_named: [{ ...other, ...change }] } });

test('all companies with id, trust and place, the leading one first', () => {
  expect(companiesOf(two(), en)).toMatchObject([
    { orgId: '1000069001', name: 'Tiệm Hoa Mẫu', trust: 'confirmed', where: 'on the ticket (Org ID)' },
    {
      ...{ orgId: '200000376001', name: 'Gốm Sứ Làng Mơ', trust: 'claimed' },
      ...{ where: 'on the ticket’s customer' },
    },
  ]);
  expect(companiesOf(two({ trust: null, company_name: null }), en)[1]).toMatchObject({
    name: 'Unnamed company',
    trust: 'unknown',
  });
  expect(companiesOf(sampleProfile({ bitrix: { company: null } }), en)).toEqual([]);
});

test('another company is shown with its own file and trust; the ticket stays; one that it does not have is not shown', () => {
  const before = two();
  const shown = profileOf(before, '200000376001');
  expect(shown?.bitrix).toMatchObject({
    lookup_value: '200000376001',
    lookup_trust: { level: 'claimed' },
    company: { bitrix_id: '63002', company_name: 'Gốm Sứ Làng Mơ' },
  });
  expect(shown?.ticket).toBe(before.ticket);
  expect(profileOf(before, null)).toBe(before);
  expect(profileOf(before, '1000069001')).toBe(before);
  expect(profileOf(before, '999')).toBeNull();
});

describe('the ticket’s customer', () => {
  const customerOf = (change: Partial<NonNullable<ProfileData['customer']>>, profile = two()) => {
    const none = { custom_platform_orgid: null, custom_crm_company_id: null };
    return otherCustomer({
      ...profile,
      customer: { ...(sampleProfile().customer as NonNullable<ProfileData['customer']>), ...none, ...change },
    });
  };

  test.each<[string, Parameters<typeof customerOf>[0]]>([
    ['by its org id', { custom_platform_orgid: '1000069001' }],
    ['by its CRM id', { custom_crm_company_id: '63001' }],
    ['as the other one', { custom_platform_orgid: '200000376001' }],
    ['by the id in its name', { name: '1000069001 - Tiệm Hoa Mẫu' }],
  ])('is one of the companies %s', (_, change) => expect(customerOf(change)).toBeNull());

  test.each<[string, Parameters<typeof customerOf>[0]]>([
    ['has no id', { name: 'Khách lẻ', customer_name: 'Khách lẻ' }],
    ['has another id', { name: 'Khách lẻ', customer_name: 'Khách lẻ', custom_platform_orgid: '5' }],
    [
      'has another id than its name says',
      { name: 'Khách lẻ - 1000069001', customer_name: 'Khách lẻ', custom_platform_orgid: '5' },
    ],
  ])('is named if it %s', (_, change) => expect(customerOf(change)).toBe('Khách lẻ'));

  test('is nothing to be named without a customer or a company', () => {
    expect(otherCustomer({ ...two(), customer: null })).toBeNull();
    expect(customerOf({ name: 'Khách lẻ' }, sampleProfile({ bitrix: { company: null } }))).toBeNull();
  });
});
