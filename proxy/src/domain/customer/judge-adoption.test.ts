import type { OrgId } from '@deskside/shared/orgid';
import { sized } from '@deskside/testing/size';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  adoptionEvidence,
  type CompanyMarks,
  type CustomerMember,
  type CustomerPeople,
  mayAdoptByItself,
} from './judge-adoption.ts';

const orgId = '200900901' as OrgId;
const otherOrgId = '200000376001' as OrgId;
const sender = 'suong@nui.example';
const boss = 'boss@nui.example';

const member = (email: string, change: Partial<CustomerMember> = {}): CustomerMember => ({
  emails: [email],
  phones: [],
  isPutThere: true,
  isDesks: true,
  ...change,
});
const customer = (change: Partial<CustomerPeople> = {}): CustomerPeople => ({
  name: 'Khách quen',
  domain: null,
  members: [member(sender), member('x@else.example')],
  writers: [],
  ...change,
});
const company: CompanyMarks = {
  orgId,
  names: [`CÀ PHÊ SƯƠNG NÚI - ${orgId}`, null],
  domains: ['nui.example', `${orgId}.shops.example`],
  emails: [sender, boss],
  phones: ['+84 912 345 678'],
};
const nothing = { vouched: [], wasTakenBack: false };
const evidenceOf = (given: Partial<Parameters<typeof adoptionEvidence>[0]>) =>
  adoptionEvidence({ customer: customer(), company, records: nothing, sender, ...given });

describe('what speaks for it', () => {
  test.each<[string, Partial<CustomerPeople>, object[]]>([
    ['nothing: that the sender is of the company has been judged already', {}, []],
    [
      'the name, whatever its accents',
      { name: 'Ca phe  Suong nui' },
      [{ code: 'same_name', value: 'Ca phe  Suong nui' }],
    ],
    ['the domain', { domain: 'https://www.NUI.example/' }, [{ code: 'same_domain', value: 'nui.example' }]],
    [
      'the shop’s domain',
      { domain: `${orgId}.shops.example` },
      [{ code: 'same_domain', value: `${orgId}.shops.example` }],
    ],
    [
      'another member’s address',
      { members: [member(sender), member(boss)] },
      [{ code: 'member_address', value: boss }],
    ],
    ['not one that a website user wrote', { members: [member(sender), member(boss, { isDesks: false })] }, []],
    [
      'another member’s number',
      { members: [member(sender), member('x@else.example', { phones: ['0912345678'] })] },
      [{ code: 'member_phone', value: '0912345678' }],
    ],
    ['that there is nobody else', { members: [member(sender)] }, [{ code: 'sole_member', value: sender }]],
    ['not that there is one other', { members: [member('x@else.example')] }, []],
    ['the org id in the name', { name: `Khách quen - ${orgId}` }, [{ code: 'org_id_in_name', value: orgId }]],
    ['not a name without a sign that says anything', { name: ' - ' }, []],
  ])('%s', (_, change, facts) => {
    expect(evidenceOf({ customer: customer(change) })).toEqual({ for: facts, against: [] });
  });

  test('with no ticket that leads to it, every member counts', () => {
    expect(evidenceOf({ sender: null }).for).toEqual([{ code: 'member_address', value: sender }]);
    expect(evidenceOf({ sender: null, customer: customer({ members: [member('x@else.example')] }) }).for).toEqual([]);
  });
});

test('what our own records vouch for speaks for it or against it, each once', () => {
  const vouched = [
    { orgId, of: 'customer' as const, value: '7' },
    { orgId, of: 'member' as const, value: boss },
    { orgId: otherOrgId, of: 'customer' as const, value: '8' },
    { orgId: otherOrgId, of: 'customer' as const, value: '9' },
    { orgId: otherOrgId, of: 'member' as const, value: boss },
  ];
  const writers = [boss, 'sly@else.example'];
  expect(evidenceOf({ customer: customer({ writers }), records: { vouched, wasTakenBack: true } })).toEqual({
    for: [{ code: 'ticket_org_id', value: '7' }],
    against: [
      { code: 'other_company', value: otherOrgId },
      { code: 'member_elsewhere', value: boss },
      { code: 'written_by_other', value: 'sly@else.example' },
      { code: 'taken_back', value: orgId },
    ],
  });
});

describe('by itself', () => {
  const named = customer({ name: 'Cà phê Sương Núi' });
  const judge = (given: CustomerPeople, how: Partial<Parameters<typeof mayAdoptByItself>[1]> = {}) =>
    mayAdoptByItself(evidenceOf({ customer: given }), { level: 'likely', sender, customer: given, ...how });

  test.each<[string, boolean, CustomerPeople]>([
    ['the same name', true, named],
    ['another member of the company', true, customer({ members: [member(sender), member(boss)] })],
    ['nobody else', true, customer({ members: [member(sender)] })],
    ['no more fact', false, customer()],
    ['a sender whom the desk did not put there', false, { ...named, members: [member(sender, { isPutThere: false })] }],
    ['a sender who is no member', false, { ...named, members: [member(boss)] }],
  ])('%s: %s', (_, may, given) => {
    expect([judge(given), judge(given, { level: 'confirmed' })]).toEqual([may, may]);
  });

  const addresses = fc.constantFrom(sender, boss, 'x@else.example');
  const anybody = fc.record({
    emails: fc.uniqueArray(addresses, { maxLength: 2 }),
    phones: fc.constantFrom<string[]>([], ['0912345678']),
    isPutThere: fc.constantFrom(true, true, false),
    isDesks: fc.boolean(),
  });
  const situation = fc.record({
    customer: fc.record({
      name: fc.constantFrom<string>('Khách quen', 'Cà phê Sương Núi', `X - ${orgId}`),
      domain: fc.constantFrom(null, 'nui.example', 'else.example'),
      members: fc.array(anybody, { maxLength: 3 }),
      writers: fc.subarray([sender, boss, 'sly@else.example']),
    }),
    records: fc.record({
      vouched: fc.array(
        fc.record({
          orgId: fc.constantFrom(orgId, otherOrgId),
          of: fc.constantFrom('customer', 'member'),
          value: fc.constant('7'),
        }),
        { maxLength: 1 },
      ),
      wasTakenBack: fc.constantFrom(false, false, true),
    }),
    level: fc.constantFrom('confirmed', 'likely', 'claimed'),
    sender: fc.constantFrom(sender, sender, sender, null),
  });

  test('never on a claim, never against a record of ours, never without the desk having put the sender there', () => {
    const seen = { may: 0, mayNot: 0 };
    fc.assert(
      fc.property(situation, ({ customer: given, records, level, sender: who }) => {
        const evidence = adoptionEvidence({ customer: given, company, records, sender: who });
        const may = mayAdoptByItself(evidence, { level, sender: who, customer: given });
        seen[may ? 'may' : 'mayNot'] += 1;
        const isTheirs = given.writers.includes('sly@else.example');
        const isAgainst = isTheirs || records.wasTakenBack || records.vouched.some((one) => one.orgId !== orgId);
        expect(evidence.against.length > 0).toBe(isAgainst);
        if (!may) return;
        expect(level).not.toBe('claimed');
        expect(isAgainst).toBe(false);
        expect(given.members.some((one) => one.isPutThere && one.emails.includes(sender))).toBe(true);
        // What website users wrote is no reason: without it the judgement is the same.
        const members = given.members.map((one) =>
          one.isDesks || one.emails.includes(sender) ? one : { ...one, emails: [], phones: [] },
        );
        const without = adoptionEvidence({ customer: { ...given, members }, company, records, sender: who });
        expect(mayAdoptByItself(without, { level, sender: who, customer: given })).toBe(true);
      }),
      sized({ small: { numRuns: 3_000 }, full: { numRuns: 50_000 } }),
    );
    // Both were met, and not by chance.
    expect([seen.may > 20, seen.mayNot > 20]).toEqual([true, true]);
  });
});
