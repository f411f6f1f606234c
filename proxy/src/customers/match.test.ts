import { OrgId } from '@deskside/shared/orgid';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CompanyHit } from '#crm/search.ts';
import { writtenNames } from '#intake/testing/written-names.ts';
import {
  compareNames,
  findTwins,
  type KnownCustomer,
  type Mark,
  type MatchFact,
  marksOfAll,
  matchCustomer,
  questionsFor,
  settleAll,
} from './match.ts';
import { companyHit } from './testing/company-hit.ts';

const id = (value: string) => OrgId.parse(value);
const isAnybodys = (host: string) => host === 'mail.example' || host === 'facebook.com';

/** A company of the CRM: a name, and whatever else. */
function company(crmId: string, name: string, more: Partial<CompanyHit['marks']> & { orgId?: string | null } = {}) {
  const { orgId = `20000000${crmId}`, ...marks } = more;
  return companyHit(crmId, name, { orgId: orgId === null ? null : id(orgId), marks });
}

const member = (email: string, phone = '', isDesks = true) => ({
  emails: [email],
  phones: phone === '' ? [] : [phone],
  isDesks,
});
const known = (name: string, more: Partial<KnownCustomer> = {}): KnownCustomer => ({
  name,
  domain: '',
  isDesks: true,
  members: [],
  ...more,
});

interface How {
  others?: KnownCustomer[];
  taken?: string;
  isCut?: boolean;
}

/** The verdict, and what agrees with the first company. */
function judge(customer: KnownCustomer, companies: CompanyHit[], { others = [], taken, isCut = false }: How = {}) {
  const marks = marksOfAll([customer, ...others], isAnybodys).get(customer.name) ?? [];
  const customerOf = (orgId: OrgId) => (orgId === taken ? 'Somebody' : null);
  const { verdict, candidates } = matchCustomer(marks, companies, { customerOf, isCut });
  return {
    verdict,
    first: candidates[0]?.crmId,
    facts: candidates[0]?.facts.map(({ code, weight }) => `${code} ${weight}`),
  };
}

const lan = 'lan@gom.example';
const gom = company('1', 'Gốm Sứ Trúc Xanh', {
  emails: [lan],
  addresses: ['https://www.gom.example/'],
  phones: ['+84 901 000 001'],
});
const other = company('2', 'Trà Sữa Sen Vàng', { emails: ['an@tra.example'] });

const ofLan = { members: [member(lan)] };
const lansShop = { domain: 'gom.example', ...ofLan };
const ofAn = { members: [member('an@tra.example')] };
const ofAnsOwn = { members: [member('an@tra.example', '', false)] };
const lanCalls = { members: [member(lan, '0901000001')] };
const calls = { members: [member('x@mail.example', '0901000001')] };
const gomIs = (more: Partial<KnownCustomer> = {}, behind = '') => known(`Gốm Sứ Trúc Xanh${behind}`, more);
const another = (more: Parameters<typeof company>[2]) => company('3', 'Khác', more);
const twin = (name: string, more = {}) => company('2', name, more);

describe('which company a customer made by hand is', () => {
  test.each<[string, KnownCustomer, CompanyHit[], string, How?]>([
    ['name and a member’s address', known('gom su truc xanh', ofLan), [gom, other], 'certain 1'],
    ['name and telephone, however written', known('CTY TNHH Gốm Sứ Trúc Xanh (cũ)', calls), [gom], 'certain 1'],
    ['name and address, but another org id in the name', gomIs(ofLan, ' - 200000009'), [gom], 'likely 1'],
    ['name and domain', gomIs({ domain: 'https://gom.example/x' }), [gom], 'certain 1'],
    ['org id in the name, and the name', gomIs({}, ' - 200000001'), [gom], 'certain 1'],
    ['org id in the name, and an address', known('Chị Lan - 200000001', ofLan), [gom], 'certain 1'],
    [
      'two people and their domain are one fact',
      known('Chị Lan', { domain: 'gom.example', ...lanCalls }),
      [gom],
      'likely 1',
    ],
    ['the name alone', gomIs(), [gom], 'likely 1'],
    ['the org id alone', known('Chị Lan - 200000001'), [gom], 'likely 1'],
    ['a name in part', gomIs({}, ' Hà Nội'), [gom], 'none 1'],
    ['a name of one word', known('Gom'), [company('3', 'Gốm')], 'none 3'],
    [
      'an address where anybody can have one',
      known('X Y', calls),
      [another({ emails: ['c@mail.example'] })],
      'none undefined',
    ],
    [
      'a page on a social network',
      known('X Y', { domain: 'facebook.com/xy' }),
      [another({ addresses: ['facebook.com/z'] })],
      'none undefined',
    ],
    ['facts that lead to two companies', gomIs(ofAn), [gom, other], 'several 1'],
    ['two for one, one for another', gomIs({ domain: 'gom.example', ...ofAn }), [gom, other], 'likely 1'],
    ['an address that several companies have', gomIs(ofLan), [gom, another({ emails: [lan] })], 'likely 1'],
    ['an address that several customers have', gomIs(ofLan), [gom], 'likely 1', { others: [known('Mai', ofLan)] }],
    ['a shop whose name others’ begin with', gomIs(ofLan), [gom, twin('Gốm Sứ Trúc Xanh Q1')], 'likely 1'],
    ['two companies of the name', gomIs(), [gom, twin('GỐM SỨ TRÚC XANH')], 'none 1'],
    ['the same org id twice in the CRM is one company', gomIs(ofLan), [gom, { ...gom, crmId: '9' }], 'certain 1'],
    ['its twin in the CRM has no org id', gomIs(ofLan), [gom, twin('Gốm Sứ Trúc Xanh', { orgId: null })], 'likely 1'],
    ['a company without org id alone', gomIs(ofLan), [{ ...gom, orgId: null }], 'none 1'],
    ['the org id in the name over the name', known('Trà Sữa Sen Vàng - 200000001'), [gom, other], 'likely 1'],
    ['an org id that a website user may have written', known('X Y - 200000001', { isDesks: false }), [gom], 'none 1'],
    ['the name alone, that others’ begin with', gomIs(), [gom, twin('Gốm Sứ Trúc Xanh Q1')], 'likely 1'],
    [
      'org id and address, where others’ names begin the same',
      gomIs(ofLan, ' - 200000001'),
      [gom, twin('Gốm Sứ Trúc Xanh Q1')],
      'certain 1',
    ],
    [
      'org id and name, where another has the domain',
      gomIs({ domain: 'gom.example' }, ' - 200000001'),
      [gom, another({ addresses: ['gom.example'] })],
      'certain 1',
    ],
    ['the org id with zeros before it', known('X Y - 0200000001'), [gom], 'likely 1'],
    ['an address that one of its records has', gomIs(ofLan), [gom, company('1', 'Gốm Sứ Trúc Xanh')], 'certain 1'],
    ['nothing but an address that two have', known('X Y', ofLan), [gom, another({ emails: [lan] })], 'none 1'],
    ['two companies without org ids', gomIs(ofAn), [gom, other].map((one) => ({ ...one, orgId: null })), 'several 1'],
    [
      'more for one without an org id',
      gomIs({ domain: 'gom.example', ...ofAn }),
      [{ ...gom, orgId: null }, other],
      'several 1',
    ],
    ['a company that is a customer already', gomIs(ofLan), [gom], 'likely 1', { taken: '200000001' }],
    ['more companies than the CRM lists', gomIs(ofLan), [gom], 'likely 1', { isCut: true }],
    ['a Contact of a website user’s own', gomIs({ members: [member(lan, '', false)] }), [gom], 'likely 1'],
    [
      'a Contact of the desk’s, and one of a website user’s own',
      gomIs({ members: [member(lan), member(lan, '', false)] }),
      [gom],
      'certain 1',
    ],
    ['one that leads elsewhere', gomIs({ domain: 'gom.example', ...ofAnsOwn }), [gom, other], 'likely 1'],
    [
      'a customer that a website user may write',
      gomIs({ isDesks: false, ...lansShop }, ' - 200000001'),
      [gom],
      'likely 1',
    ],
    ['nothing', known('Khách lẻ'), [], 'none undefined'],
  ])('%s', (_, customer, companies, expected, how) => {
    const { verdict, first } = judge(customer, companies, how);
    expect(`${verdict} ${first}`).toBe(expected);
  });

  test('what agrees is told, and how much it says', () => {
    const { facts } = judge(known('Gốm Sứ Trúc Xanh', { domain: 'gom.example', members: [member(lan, '', false)] }), [
      gom,
    ]);
    expect(facts).toEqual(['e-mail unproven', 'domain full', 'name full']);
    expect(judge(gomIs(), [gom, twin('Gốm Sứ Trúc Xanh Q1')]).facts).toEqual(['name similar']);
    expect(judge(gomIs({}, ' Hà Nội'), [gom]).facts).toEqual(['name part']);
    const withMai = judge(gomIs(ofLan), [gom], { others: [known('Mai', ofLan)] });
    expect(withMai.facts).toEqual(['e-mail shared', 'domain shared', 'name full']);
    const withCty = judge(gomIs(), [gom], { others: [known('CTY TNHH Gốm sứ Trúc Xanh')] });
    expect(withCty.facts).toEqual(['name shared']);
    const alike = judge(gomIs(ofLan), [gom], { others: [known('Mai', { members: [member('lan@gom-example')] })] });
    expect(alike.facts).toEqual(['e-mail full', 'domain full', 'name full']);
    const byGuest = known('X Y', { members: [member('x@mail.example', '0901000001', false)] });
    for (const one of [byGuest, known('X Y', { isDesks: false, ...calls })])
      expect(judge(one, [gom]).facts).toEqual(['telephone unproven']);
  });
});

test('a telephone, an org id or an address of odd shape is nobody’s and breaks nothing', () => {
  const odd = company('3', '', {
    orgIds: ['', 'x', '1e5', '-1'],
    phones: ['', '#'],
    emails: ['', '@'],
    addresses: ['', '://'],
  });
  expect(judge(known('', { members: [member('', '0')] }), [odd])).toMatchObject({ verdict: 'none' });
  expect(judge(known('A B - 7', { members: [member('@', '1234567')] }), [odd])).toMatchObject({ verdict: 'none' });
});

describe('whatever is known', () => {
  const codes: MatchFact['code'][] = ['org id in the name', 'e-mail', 'telephone', 'domain', 'name'];
  const values: Record<MatchFact['code'], string[]> = {
    'org id in the name': ['200000001', '200000002'],
    'e-mail': [lan, 'an@tra.example'],
    telephone: ['0901000001'],
    domain: ['gom.example', 'tra.example'],
    name: ['Gốm Sứ Trúc Xanh', 'tra sua sen vang'],
  };
  const mark = fc.constantFrom(...codes).chain((code) =>
    fc.record({
      code: fc.constant(code),
      value: fc.constantFrom(...values[code]),
      isShared: fc.boolean(),
      isDesks: fc.boolean(),
    }),
  );
  /** A name holds one org id at most. */
  const key = ({ code, value }: Mark) => (code === 'org id in the name' ? code : `${code} ${value}`);
  const marks = fc.uniqueArray(mark, { maxLength: 8, selector: key });
  const free = { customerOf: () => null, isCut: false };

  test('certain takes two facts that no website user can have written and nobody else has, in any order of companies', () => {
    fc.assert(
      fc.property(marks, (all: Mark[]) => {
        const judged = matchCustomer(all, [gom, other], free);
        expect(matchCustomer(all, [other, gom], free)).toEqual(judged);
        const { verdict, candidates } = judged;
        if (verdict !== 'certain') return;
        const proven = all.filter(({ isDesks, isShared }) => isDesks && !isShared);
        expect(matchCustomer(proven, [gom, other], free)).toMatchObject({
          verdict: 'certain',
          candidates: [{ crmId: candidates[0]?.crmId }],
        });
        expect(proven.length).toBeGreaterThanOrEqual(2);
      }),
    );
  });
});

test('the CRM is asked by what is known, people apart from the rest, and a name by its beginning', () => {
  const customer = known('Công ty TNHH Điện Máy Đồng Nội Hà Nội - 200000007', {
    domain: 'x.example',
    members: [member(lan, '+84901000001')],
  });
  const marks = marksOfAll([customer], isAnybodys).get(customer.name) ?? [];
  expect(questionsFor(marks)).toEqual([
    [
      { kind: 'email', value: lan },
      { kind: 'phone', value: '0901000001' },
    ],
    [
      { kind: 'org_id', value: '200000007' },
      { kind: 'shop_address', value: 'gom.example' },
      { kind: 'shop_address', value: 'x.example' },
      { kind: 'name', value: 'dien may dong' },
    ],
  ]);
  expect(questionsFor([])).toEqual([]);
});

test('the CRM is asked no more than one question takes', () => {
  const numbers = Array.from({ length: 30 }, (_, n) => 10 + n);
  const emails = numbers.map((n) => `lan@shop${n}.example`);
  const phones = numbers.map((n) => `09010000${n}`);
  const marks =
    marksOfAll([known('X Y', { members: [{ emails, phones, isDesks: true }] })], isAnybodys).get('X Y') ?? [];
  const asked = Map.groupBy(questionsFor(marks).flat(), ({ kind }) => kind);
  const count = [...asked].map(([kind, readings]) => [kind, readings.length]);
  expect(Object.fromEntries(count)).toEqual({ email: 20, phone: 6, shop_address: 2, name: 1 });
});

test.each([
  ['Nguyễn Thị Minh Khai', 'nguyen thi minh'],
  ['Gốm Sứ Làng Mơ Hội An', 'gom su lang mo'],
  ['A B C D', 'a b c d'],
  ['Gomsutrucxanh Decor Hà Nội', 'gomsutrucxanh decor ha'],
])('%j is asked for as %j', (name, value) => {
  const marks = marksOfAll([known(name)], isAnybodys).get(name) ?? [];
  expect(questionsFor(marks)).toEqual([[{ kind: 'name', value }]]);
});

const judged = (customer: string, verdict: 'certain' | 'likely' | 'several', company: string | null) => ({
  customer,
  isAnswered: true,
  verdict,
  orgId: company === null ? null : id(company),
  candidates: [],
});

test('a company that two customers may be is certain to be neither', () => {
  const settled = settleAll(
    [
      judged('A', 'certain', '7'),
      judged('B', 'likely', '7'),
      judged('C', 'several', null),
      judged('D', 'several', null),
    ],
    [],
  );
  expect(settled.map(({ verdict, rivals }) => [verdict, rivals])).toEqual([
    ['likely', ['B']],
    ['likely', ['A']],
    ['several', []],
    ['several', []],
  ]);
});

test('what somebody has undone is certain no more', () => {
  const settle = (customer: string, orgId: string) =>
    settleAll([judged('A', 'certain', '7')], [{ customer, orgId: id(orgId) }])[0];
  expect(settle('A', '7')).toMatchObject({ verdict: 'likely', isUndone: true });
  expect(settle('B', '7')).toMatchObject({ verdict: 'certain', isUndone: false });
  expect(settle('A', '8')).toMatchObject({ verdict: 'certain', isUndone: false });
});

test.each([
  ['Gốm Sứ Làng Mơ', 'GOM SU LANG MO - 200000376001', 'same'],
  ['Công ty TNHH Gốm Sứ Làng Mơ', 'CTY CP GỐM SỨ - LÀNG MƠ (KH cũ)', 'same'],
  ['200000376001 - Shop Gốm Sứ Làng Mơ', 'gom su lang mo', 'same'],
  ['Lang Mo Co., Ltd', 'lang mo', 'same'],
  ['Công ty TNHH', 'cong ty tnhh', 'same'],
  ['Lang Mo Shop Ltd', 'lang mo', 'same'],
  ['Gốm Sứ [khách cũ]', 'gom su', 'same'],
  ['Gốm(cũ)Sứ', 'gom su', 'same'],
  ['Gốm Shop Làng Mơ', 'Gốm Làng Mơ', null],
  ['A B', 'a b', 'part'],
  ['Gốmsứlàngmơ', 'gomsulangmo', 'part'],
  ['Shop', 'shop', 'part'],
  ['360 Store', '360', 'part'],
  ['Gốm Sứ Làng Mơ Q1', 'Gốm Sứ Làng Mơ', 'part'],
  ['Làng Mơ', 'Gốm Sứ Làng Mơ', 'part'],
  ['Gốm Sứ Làng', 'Gốm Sứ Làngxóm', null],
  ['Mơ', 'Mơ', 'part'],
  ['Mơ', 'Gốm Mơ', null],
  ['', '', null],
])('%s and %s: %s', (one, other, fit) => {
  expect([compareNames(one, other), compareNames(other, one)]).toEqual([fit, fit]);
});

test('a name is the same, and a twin, however people, importers and pasted pages write it', () => {
  for (const { name, stored } of writtenNames(120)) {
    expect([stored, compareNames(name, stored)]).toEqual([stored, 'same']);
    const customers = [name, `${stored} – 1000069001`].map((one, at) => ({
      name: one,
      domain: '',
      orgId: '1'.repeat(at),
      crmId: '',
    }));
    expect([stored, findTwins(customers).size]).toEqual([stored, 2]);
  }
});
