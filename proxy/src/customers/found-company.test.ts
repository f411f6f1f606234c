import { OrgId } from '@deskside/shared/orgid';
import { describe, expect, test } from 'vitest';
import type { CompanyHit } from '#crm/search.ts';
import type { CustomerHit } from '#helpdesk/customer-search.ts';
import { readQuery } from '#intake/read-query.ts';
import { mergeHits, orderFound } from './find-companies.ts';
import { companyHit as company, noMarks } from './testing/company-hit.ts';

const read = (text: string) => readQuery(text, { platform_hosts: ['myplatform.example'], guarded_domains: [] });
const id = (value: string) => OrgId.parse(value);

function customer(name: string, more: Partial<CustomerHit> = {}): CustomerHit {
  return { name, orgId: null, crmId: null, plan: null, marks: { ...noMarks, names: [name] }, ...more };
}

const find = (text: string, companies: CompanyHit[], customers: CustomerHit[] = []) =>
  orderFound(mergeHits(read(text), { companies, customers }), []);

describe('what CRM and helpdesk both know is one company', () => {
  test('by its org id, with the customer’s name and the closest reason of each kind', () => {
    const found = find(
      'gốm sứ',
      [company('63002', 'Gốm Sứ Làng Mơ', { orgId: id('200000376001'), plan: 'Scale', url: 'https://crm.example/2' })],
      [customer('Gốm Sứ Làng Mơ - 200000376001', { orgId: id('200000376001'), plan: 'older plan' })],
    );
    expect(found).toMatchObject([
      { orgId: '200000376001', crmId: '63002', customer: 'Gốm Sứ Làng Mơ - 200000376001', plan: 'Scale' },
    ]);
    expect(found[0]?.reasons.map(({ value }) => value)).toEqual(['Gốm Sứ Làng Mơ']);
  });

  test('by the CRM’s id where one of them has no org id, and not against an org id', () => {
    const linked = customer('Gốm A', { orgId: id('555'), crmId: '1' });
    expect(find('gốm', [company('1', 'Gốm')], [linked])).toMatchObject([
      { orgId: '555', crmId: '1', customer: 'Gốm A' },
    ]);
    const other = find('gốm', [company('1', 'Gốm', { orgId: id('777') })], [linked]);
    expect(other.map(({ orgId, customer: name }) => [orgId, name])).toEqual([
      ['777', null],
      ['555', 'Gốm A'],
    ]);
  });

  test('of several companies with one org id the last changed is taken and the others are counted', () => {
    const orgId = id('1900000017');
    const found = find('sen đá', [
      company('63101', 'Sen Đá (cũ)', { orgId, modifiedAt: 1 }),
      company('63006', 'Sen Đá', { orgId, modifiedAt: 2 }),
      company('63007', 'Sen Đá CN', { orgId, modifiedAt: 1 }),
    ]);
    expect(found).toMatchObject([{ crmId: '63006', twins: 2 }]);
    const second = company('9', 'Sen Đá mới', { orgId, isFirst: false, modifiedAt: 3 });
    expect(find('sen đá', [second, company('8', 'Sen Đá', { orgId })])).toMatchObject([{ crmId: '8', twins: 1 }]);
  });

  test('one that comes twice counts once, and what does not match is left out', () => {
    const twice = company('1', 'Gốm', { marks: { emails: ['a@b.example'] } });
    expect(find('a@b.example', [twice, twice, company('2', 'Gốm')])).toMatchObject([{ crmId: '1', twins: 0 }]);
  });
});

test('the closest match comes first; then what can be linked, what the helpdesk has, what changed last', () => {
  const found = find(
    'sen',
    [
      company('1', 'Hoa Sen', { orgId: id('1'), modifiedAt: 9 }),
      company('2', 'Sen Đá', { orgId: id('2'), modifiedAt: 1 }),
      company('3', 'Sen Đá', { orgId: id('3'), modifiedAt: 2 }),
      company('4', 'Sen Đá', { modifiedAt: 3 }),
      company('5', 'Sen', { orgId: id('5') }),
    ],
    [customer('Sen Đá - 2', { orgId: id('2') })],
  );
  const ids = (companies: typeof found) => companies.map(({ crmId }) => crmId);
  expect(ids(found)).toEqual(['5', '2', '3', '4', '1']);
  // Of equals those come first that agents chose for the sender, and what was not found is not added.
  const chosen = ['4', '3', '1', '9'].map((crmCompanyId) => ({ orgId: id('999'), crmCompanyId }));
  expect(ids(orderFound(found, chosen))).toEqual(['5', '4', '3', '2', '1']);
});
