import { OrgId } from '@deskside/shared/orgid';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CustomerMatch, findTwins, type MatchCandidate, type MatchFact, type TwinCandidate } from './match.ts';
import { csvLine, matchRows } from './match-table.ts';
import { peopleOfAll } from './people.ts';

const orgId = OrgId.parse('200000001');
const fact = (code: MatchFact['code'], value: string, weight: MatchFact['weight'] = 'full') => ({
  code,
  value,
  weight,
});
const candidate = (name: string | null, facts: MatchFact[], more: Partial<MatchCandidate> = {}): MatchCandidate => ({
  orgId,
  crmId: '7',
  name,
  customer: null,
  facts,
  ...more,
});
const match = (verdict: CustomerMatch['verdict'], more: Partial<CustomerMatch> = {}): CustomerMatch => ({
  customer: 'Acme',
  verdict,
  orgId: verdict === 'certain' || verdict === 'likely' ? orgId : null,
  candidates: [candidate('ACME', [fact('name', 'Acme'), fact('e-mail', 'x@acme.example')])],
  rivals: [],
  isUndone: false,
  isAnswered: true,
  ...more,
});
const rowOf = (one: CustomerMatch) =>
  matchRows({ matches: [one], twins: new Map(), people: new Map(), accepted: [] })[0];

test('a company that leads is named with its org id, what agrees and what is against', () => {
  expect(rowOf(match('certain'))).toEqual({
    customer: 'Acme',
    people: '',
    company: 'ACME',
    'org id': orgId,
    verdict: 'certain',
    'what agrees': 'name Acme, e-mail x@acme.example',
    'what is against': '',
  });
  const other = candidate(null, [fact('domain', 'acme.example', 'shared')], { crmId: '8' });
  const taken = candidate('ACME', [fact('name', 'Acme', 'part')], { customer: 'Acme 2' });
  expect(rowOf(match('likely', { candidates: [taken, other], rivals: ['B', 'C'], isUndone: true }))).toMatchObject({
    'what agrees': 'name Acme (in part)',
    'what is against':
      'the company is the customer Acme 2 already, as likely to be it: B, C, this was undone before, ' +
      'company 8: domain acme.example (others have it too)',
  });
});

test('what a fact is worth is told, and of other companies no more than a person compares', () => {
  const facts = [fact('name', 'Acme', 'similar'), fact('e-mail', 'x@acme.example', 'unproven')];
  const others = Array.from({ length: 6 }, (_, n) => candidate(`Other ${n}`, [fact('domain', 'x.example', 'shared')]));
  const row = rowOf(match('likely', { candidates: [candidate('ACME', facts), ...others] }));
  expect(row?.['what agrees']).toBe(
    'name Acme (others are called similarly), e-mail x@acme.example (a website user may have written it)',
  );
  expect(row?.['what is against'].match(/Other \d/g)).toEqual(['Other 0', 'Other 1', 'Other 2', 'Other 3']);
});

test('a name that ends in another org id is told, since nothing is accepted before it is another', () => {
  const against = (customer: string) => rowOf(match('likely', { customer }))?.['what is against'];
  expect(against('Acme - 0901015372')).toBe('its name stands for the org id 0901015372: rename it first');
  expect(against(`Acme - ${orgId}`)).toBe('');
});

test('of several none is chosen; of none nothing is named', () => {
  const [one, other] = [candidate('A', [fact('name', 'a')]), candidate('B', [], { orgId: null })];
  expect(rowOf(match('several', { candidates: [one, other] }))).toMatchObject({
    company: `A (${orgId}) | B (no org id)`,
    'org id': '',
    'what agrees': 'name a | ',
  });
  expect(rowOf(match('none'))).toMatchObject({ company: '', 'org id': '', 'what agrees': '', 'what is against': '' });
  expect(rowOf(match('none', { isAnswered: false }))).toMatchObject({ 'what is against': 'the CRM did not answer' });
});

test('the surest come first and twins last, each with what it shares with whom', () => {
  const nobody = { orgId: '', crmId: '', domain: '', isDesks: true, members: [] };
  const customers = [
    { ...nobody, name: 'Acme' },
    { ...nobody, name: 'acme - 200000001', orgId },
    ...Array.from({ length: 6 }, (_, n) => ({ ...nobody, name: `T${n}`, domain: 't.example' })),
  ];
  const matches = (['none', 'several', 'likely', 'certain'] as const).map((verdict) => match(verdict));
  const rows = matchRows({
    ...{ matches, twins: findTwins(customers), people: new Map([['Acme', ['=y@acme.example', 'x@acme.example']]]) },
    accepted: [
      {
        ...{ customer: 'Kim', companyName: 'KIM', orgId, by: 'truong', at: 0 },
        listed: ['k@kim.example', 'l@kim.example'],
      },
    ],
  });
  expect(rows.map(({ verdict }) => verdict)).toEqual([
    'certain',
    'likely',
    'several',
    'none',
    ...Array(8).fill('twin'),
    'accepted',
  ]);
  expect(rows[0]?.people).toBe('=y@acme.example, x@acme.example');
  expect(csvLine([rows[0]?.people ?? ''])).toBe('"\'=y@acme.example, x@acme.example"');
  expect(rows.at(-1)).toMatchObject({
    customer: 'Kim',
    people: 'k@kim.example, l@kim.example',
    'org id': orgId,
    company: 'KIM',
  });
  expect(rows.at(-1)?.['what agrees']).toBe('accepted by truong on 1970-01-01');
  expect(rows.slice(4, 7)).toMatchObject([
    { customer: 'Acme', 'org id': '', 'what agrees': 'same name as acme - 200000001' },
    { customer: 'acme - 200000001', 'org id': orgId, 'what agrees': 'same name as Acme' },
    { customer: 'T0', 'what agrees': 'same domain as T1, T2, T3, T4, 1 more' },
  ]);
  const five = Array.from({ length: 5 }, () => ({ ...nobody, domain: 'u.example' }));
  const alike = findTwins(five.map((one, n) => ({ ...one, name: `U${n}`, orgId: '3' })));
  const [first] = matchRows({ matches: [], twins: alike, people: new Map(), accepted: [] });
  expect(first).toMatchObject({ people: '', company: '', 'what agrees': 'same org id as U1, U2, U3, U4' });
});

const customer = (name: string, rest: Partial<TwinCandidate> = {}): TwinCandidate => ({
  name,
  domain: '',
  orgId: '',
  crmId: '',
  ...rest,
});
/** Each group of twins once, with all that it shares. */
const found = (...customers: TwinCandidate[]) => {
  const groups = new Map<string, string[]>();
  for (const { what, customers: same } of new Set([...findTwins(customers).values()].flat())) {
    const names = same.map(({ name }) => name).join(' & ');
    groups.set(names, [...new Set([...(groups.get(names) ?? []), what])]);
  }
  return [...groups].map(([names, what]) => [what.join('+'), ...names.split(' & ')]);
};

const ours = { orgId: '200000001', domain: 'lan.example' };
const theirs = { orgId: '200000002', domain: 'lan.example' };

test.each<[string, TwinCandidate[], string[][]]>([
  [
    'the same org id, and the same id in the CRM',
    [
      customer('A', { orgId: '1' }),
      customer('B', { orgId: '1', crmId: '7' }),
      customer('C', { orgId: '2', crmId: '7' }),
    ],
    [
      ['org id', 'A', 'B'],
      ['CRM id', 'B', 'C'],
    ],
  ],
  ['two shops of one name and domain', [customer('Lan - 200000001', ours), customer('Lan - 200000002', theirs)], []],
  [
    'two such shops, and one without org id, which is either',
    [customer('Lan - 200000001', ours), customer('Lan - 200000002', theirs), customer('lan')],
    [['name', 'Lan - 200000001', 'Lan - 200000002', 'lan']],
  ],
  [
    'the same domain, however it is written; a reason more makes no further group',
    [customer('A', { domain: 'https://www.Shop.example/x?y' }), customer('a', { domain: 'shop.example.', orgId: '1' })],
    [['name+domain', 'A', 'a']],
  ],
  ['nothing to go by', [customer('', { domain: ' ' }), customer('-', { domain: '' })], []],
  ['a part of a name', [customer('Gốm Sứ'), customer('Gốm Sứ Làng Mơ')], []],
  ['another number in a name', [customer('Shop 1'), customer('Shop 2')], []],
  ['another number before a name', [customer('360 Store'), customer('361 Store')], []],
])('twins: %s', (_, customers, groups) => expect(found(...customers)).toEqual(groups));

test.each([
  ['Gốm Sứ Làng Mơ', 'Gốm Sứ Làng Mơ - 200000376001'],
  ['gom su lang mo', '200000376001 - Gốm Sứ Làng Mơ'],
  ['Công ty TNHH “Đại-Phát”', 'CÔNG TY TNHH ĐẠI PHÁT - 200000376001'],
  ['360 Store', '360  store. - 200000376001'],
])('one made by hand, %s, beside one with an org id, %s', (byHand, ours) => {
  expect(found(customer(byHand), customer(ours, { orgId: '200000376001' }))).toEqual([['name', byHand, ours]]);
});

test('whatever customers there are, a twin has others with which it shares each mark, and these are twins as well', () => {
  const few = fc.constantFrom('', '1', '2', 'a.example');
  const any = fc.record({ name: few, domain: few, orgId: few, crmId: few });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 12 }), (customers) => {
      const twins = findTwins(customers);
      for (const [one, shared] of twins) {
        expect(new Set(shared.map(({ what }) => what)).size).toBe(shared.length);
        for (const { customers: same } of shared) {
          expect(same.length).toBeGreaterThan(1);
          expect(same).toContain(one);
          for (const other of same) expect(twins.has(other)).toBe(true);
        }
      }
      for (const one of customers) {
        const isTwin = customers.some((other) => other !== one && one.orgId !== '' && other.orgId === one.orgId);
        if (isTwin) expect(twins.has(one)).toBe(true);
      }
    }),
  );
});

test('the people of a customer are those whom the desk knows, and who stand at no other', () => {
  const member = (emails: string[], isDesks = true) => ({ emails, phones: ['0901'], isDesks });
  const customer = (name: string, members: ReturnType<typeof member>[], isDesks = true) => ({
    ...{ name, domain: '', isDesks, members },
  });
  const people = peopleOfAll([
    customer('Acme', [
      member(['Zoe@acme.example', 'an@acme.example', 'agency@web.example', 'no-reply@acme.example', 'none']),
      // A Contact that a website user, or a guest, made.
      member(['stranger@web.example'], false),
    ]),
    customer('Agency', [member(['AGENCY@web.example', 'boss@web.example'])]),
    // A website user may write this customer, and puts whom they like there.
    customer('Managed', [member(['boss@web.example', 'own@managed.example'])], false),
  ]);
  expect(Object.fromEntries(people)).toEqual({
    Acme: ['an@acme.example', 'zoe@acme.example'],
    Agency: [],
    Managed: [],
  });
});
