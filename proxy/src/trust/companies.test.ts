import type { OrgId } from '@deskside/shared/orgid';
import type { LookupTrust, TrustEvidence } from '@deskside/shared/profile';
import type { ClaimsMode, RoutingDecision } from '@deskside/shared/routing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decisionDraft } from '#routing/testing/decision-draft.ts';
import {
  chosenFirst,
  decidingOf,
  hasGiven,
  isAbout,
  isHeld,
  isOpenClaim,
  isRejected,
  leaderOf,
  namedCompanies,
  restsOnSync,
  standsOn,
} from './companies.ts';

const orgId = fc.constantFrom('1', '2', '3', '4').map((id) => id as OrgId);
const company = fc.record({
  orgId,
  crmCompanyId: fc.constantFrom(null, 'a', 'b'),
});
const levels = { claimed: 0, likely: 1, confirmed: 2 };
const level = fc.constantFrom('claimed', 'likely', 'confirmed');
const trust = fc.option(level.map((level): LookupTrust => ({ level, evidence: [] })));
const judged = fc.record({ orgId, trust, isRejected: fc.boolean() });

test.each([
  ['the customer has the same name', 'A', null, true],
  ['it was renamed, and has its org id', 'B', '1', true],
  ['it is another one', 'B', '2', false],
  ['it is one without org id', 'B', null, false],
  ['there is none any more', null, null, false],
])('a Sync stands or falls with the ticket’s customer: %s', (_, customer, customerOrgId, expected) => {
  const sync = { orgId: '1' as OrgId, customer: 'A' };
  expect(standsOn(sync, { customer, customerOrgId: customerOrgId as OrgId | null })).toBe(expected);
});

test.each([
  ['of the same sender', 'vy@shop.example', 'vy@shop.example', true],
  ['of another', 'vy@shop.example', 'ke@hopthu.example', false],
  ['of nobody any more', 'vy@shop.example', null, false],
  ['that was remembered of nobody', null, 'vy@shop.example', true],
])('a Sync speaks for a ticket %s', (_, of, sender, expected) => {
  expect(isAbout({ sender: of }, sender)).toBe(expected);
});

test.each([
  ['by its org id', { orgId: '1', crmCompanyId: null }, true],
  ['by its id in the CRM', { orgId: '9', crmCompanyId: 'a' }, true],
  ['another one', { orgId: '9', crmCompanyId: 'b' }, false],
  ['one that the CRM does not have', { orgId: '9', crmCompanyId: null }, false],
])('a company is rejected: %s', (_, ids, expected) => {
  const rejections = [
    { orgId: '1' as OrgId, crmCompanyId: 'a' },
    { orgId: '2' as OrgId, crmCompanyId: null },
  ];
  expect(isRejected({ ...ids, orgId: ids.orgId as OrgId }, rejections)).toBe(expected);
});

test('what was chosen earlier comes first, the latest choice before the others, and the rest keeps its order', () => {
  const of = (...ids: string[]) => ids.map((id) => ({ orgId: id as OrgId, crmCompanyId: null }));
  const order = chosenFirst(of('1', '2', '3', '4'), of('9', '3', '2', '3')).map(({ orgId }) => orgId);
  expect(order).toEqual(['3', '2', '1', '4']);
});

test('the best vouched for leads, of equals the first; choices order, and vouch for nothing', () => {
  fc.assert(
    fc.property(fc.array(judged), fc.array(company), (items, choices) => {
      const rankOf = ({ trust }: (typeof items)[number]) => levels[trust?.level ?? 'claimed'];
      const standing = items.filter((one) => !one.isRejected);
      const best = Math.max(...standing.map(rankOf));
      expect(leaderOf(items)).toBe(standing.find((one) => rankOf(one) === best));
      const ordered = chosenFirst(items, choices);
      expect(ordered).toHaveLength(items.length);
      expect(new Set(ordered)).toEqual(new Set(items));
      expect(chosenFirst(ordered, choices)).toEqual(ordered);
      const leader = leaderOf(ordered);
      expect(leader && rankOf(leader)).toBe(standing.length > 0 ? best : undefined);
    }),
  );
});

test.each([
  ['what was found', ['matched', 'not_found', 'matched'], [0, 2], 2],
  ['nothing below an unanswered look-up', ['matched', null, 'matched'], [0], 1],
  ['the last one, if nothing was found', ['not_found', 'not_found'], [], 1],
  ['the unanswered one, before anything else', ['not_found', null, 'not_found'], [], 1],
  ['none', [], [], undefined],
] as const)('companies: %s', (_, outcomes, companies, otherwise) => {
  const lookups = outcomes.map((outcome, at) => ({ at, lookup: { outcome } }));
  const named = namedCompanies(lookups);
  expect(named.companies.map(({ at }) => at)).toEqual(companies);
  expect(named.otherwise?.at).toBe(otherwise);
});

test('no company is said to exist only when every look-up answered, empty (docs/decisions.md 3)', () => {
  const outcome = fc.constantFrom('matched', 'not_found', null);
  fc.assert(
    fc.property(fc.array(outcome, { minLength: 1, maxLength: 6 }), (outcomes) => {
      const { companies, otherwise } = namedCompanies(outcomes.map((answer) => ({ lookup: { outcome: answer } })));
      const isNotFound = companies.length === 0 && otherwise?.lookup.outcome === 'not_found';
      return isNotFound === outcomes.every((answer) => answer === 'not_found');
    }),
  );
});

const outcomes = fc.constantFrom('matched' as const, 'not_found' as const, null);
const candidates = fc.array(
  fc.record({
    source: fc.constantFrom('ticket' as const, 'customer' as const, 'customer_name' as const),
    outcome: outcomes,
    level: fc.constantFrom('claimed' as const, 'likely' as const, 'confirmed' as const),
    isRejected: fc.boolean(),
  }),
  { maxLength: 5 },
);

test('routing goes by the company that the panel shows, and by the helpdesk’s customer only where the CRM has none', () => {
  fc.assert(
    fc.property(candidates, (made) => {
      const all = made.map(({ source, outcome, level, isRejected }) => {
        return { candidate: { source }, lookup: { outcome }, trust: { level, evidence: [] }, isRejected };
      });
      const standing = all.filter(({ isRejected }) => !isRejected);
      // Where no CRM is asked the best vouched for decides.
      expect(decidingOf(all.map((one) => ({ ...one, lookup: null })))?.trust).toEqual(leaderOf(standing)?.trust);
      const { companies, otherwise } = namedCompanies(standing);
      const deciding = decidingOf(all);
      if (companies.length > 0) return deciding === leaderOf(companies);
      if (otherwise?.lookup.outcome === null) return deciding === otherwise;
      return deciding === (standing.find(({ candidate }) => candidate.source !== 'ticket') ?? standing[0]);
    }),
  );
});

test('of companies that the CRM does not have, the customer’s own decides, and else the first', () => {
  const missing = (source: 'ticket' | 'customer') => {
    const lookup = { outcome: 'not_found' } as const;
    return { candidate: { source }, lookup, trust: null, isRejected: false };
  };
  const [first, second, own] = [missing('ticket'), missing('ticket'), missing('customer')];
  expect(decidingOf([first, second, own])).toBe(own);
  expect(decidingOf([first, second])).toBe(first);
});

const trustOf = (level: LookupTrust['level'], ...codes: TrustEvidence['code'][]): LookupTrust => ({
  level,
  evidence: codes.map((code) => ({ code })),
});
const idWith = (trust: LookupTrust | null) => ({
  value: '1000069001' as OrgId,
  source: 'ticket',
  field: 'custom_orgid',
  trust,
});
const lookedUp = { segment: 'Medium', shop_plan: null, source: 'crm', checked_at: null } as const;
const adoption = (done: boolean) => ({ customer: 'Tiệm Hoa Mẫu', done });

describe('decision 9', () => {
  test.each<[string, LookupTrust, Record<ClaimsMode, boolean>]>([
    ['a claim', trustOf('claimed', 'value_on_ticket', 'sender_not_of_company'), { accept: false, hold: true }],
    ['one of a changed sender', trustOf('claimed', 'sender_changed'), { accept: false, hold: true }],
    ['one with another’s contact', trustOf('claimed', 'contact_of_other'), { accept: true, hold: true }],
    ['one on a ticket that somebody else made', trustOf('claimed', 'made_by_other'), { accept: true, hold: true }],
    ['one on a guest’s ticket', trustOf('claimed', 'guest_ticket'), { accept: true, hold: true }],
    ['one on a ticket that is shared', trustOf('claimed', 'shared_with_other'), { accept: true, hold: true }],
    ['one whose address vouches', trustOf('likely', 'sender_email_of_company'), { accept: false, hold: false }],
    ['a company of an agent’s Sync', trustOf('confirmed', 'linked_by_agent'), { accept: false, hold: false }],
  ])('whether %s decides the team alone, by the mode', (_, trust, held) => {
    const org_id = idWith(trust);
    expect({ accept: isHeld({ org_id }, 'accept'), hold: isHeld({ org_id }, 'hold') }).toEqual(held);
  });

  test.each(['accept', 'hold'] as const)(
    'while the ticket’s customer was made by hand and has not become the company, it does: %s',
    (mode) => {
      const org_id = idWith(trustOf('confirmed'));
      expect(isHeld({ org_id, adoption: adoption(false) }, mode)).toBe(true);
      expect(isHeld({ org_id, adoption: adoption(true) }, mode)).toBe(false);
      expect(isHeld({ org_id, adoption: adoption(false), looked_up: lookedUp }, mode)).toBe(true);
      // Then the customer decides, and its own segment and plan are no secret.
      expect(isHeld({ org_id, adoption: adoption(false), looked_up: null }, mode)).toBe(false);
    },
  );

  test('nothing is held without an org id', () => {
    for (const mode of ['accept', 'hold'] as const) expect(isHeld({ org_id: null }, mode)).toBe(false);
  });

  test('a decision is judged again if it was made on a claim that was held by the rules of that time', () => {
    const isOpen = (inputs: Parameters<typeof decisionDraft>[1]) => isOpenClaim(decisionDraft('1', inputs));
    const claim = { org_id: idWith(trustOf('claimed')) };
    expect(isOpen({ ...claim, claims: 'hold' })).toBe(true);
    expect(isOpen({ org_id: idWith(null), claims: 'hold' })).toBe(true);
    expect(isOpen({ ...claim, claims: 'accept' })).toBe(false);
    expect(isOpen({ org_id: idWith(trustOf('claimed', 'contact_of_other')), claims: 'accept' })).toBe(true);
    expect(isOpen({ org_id: idWith(trustOf('likely')), claims: 'hold' })).toBe(false);
    expect(isOpen({ org_id: idWith(trustOf('confirmed')), adoption: adoption(false), claims: 'hold' })).toBe(false);
    // Held for its customer, and no claim: no evidence would change it.
    const handMade = { adoption: adoption(false), looked_up: lookedUp, claims: 'hold' } as const;
    expect(isOpen({ org_id: idWith(trustOf('confirmed')), ...handMade })).toBe(false);
    expect(isOpen({ org_id: null, claims: 'hold' })).toBe(false);
  });
});

describe('what a decision', () => {
  const [mine, other] = ['1000069001', '200000376001'] as OrgId[];
  const synced = idWith(trustOf('confirmed', 'linked_by_agent', 'value_on_ticket'));
  const customer = {
    name: 'Tiệm',
    org_id: mine,
    segment: null,
    shop_plan: null,
    checked_at: null,
    source: 'hd_customer',
  };
  const draft = (inputs: object, cause = 'webhook') =>
    ({ ...decisionDraft('1', inputs as Parameters<typeof decisionDraft>[1]), cause }) as RoutingDecision;

  test.each<[string, RoutingDecision, boolean]>([
    ['a Sync of its company', draft({ org_id: synced }), true],
    ['a Sync of another', draft({ org_id: { ...synced, value: other } }), false],
    ['an address', draft({ org_id: idWith(trustOf('confirmed', 'signed_in_email_of_company')) }), false],
    ['what nobody has judged', draft({ org_id: idWith(null) }), false],
    ['no company', draft({ org_id: null, customer: null }), false],
    ['the customer that a Sync has linked', draft({ org_id: null, customer }, 'sync'), true],
    [
      'another that a Sync has linked',
      draft({ org_id: null, customer: { ...customer, org_id: other } }, 'sync'),
      false,
    ],
    ['a Sync that has left no customer', draft({ org_id: null, customer: null }, 'sync'), false],
    ['a customer that it had', draft({ org_id: null, customer }), false],
  ])('rests on, where it is %s', (_, decision, isSync) => {
    expect(restsOnSync(decision, mine as OrgId)).toBe(isSync);
  });

  const found = (value: string) => ({
    kind: 'org_id',
    value,
    source: 'text',
    field: 'description',
    quote: '',
    address: null,
  });
  const sure = trustOf('likely', 'sender_email_of_company');
  test.each<[string, object, boolean]>([
    ['one that intake found beside another', { findings: [found(other as string), found(mine as string)] }, true],
    ['that of the ticket’s customer', { org_id: { ...idWith(sure), source: 'customer' } }, true],
    ['that of a customer whom nobody vouches for', { org_id: { ...idWith(null), source: 'customer' } }, false],
    ['that of another customer', { org_id: { ...idWith(sure), value: other, source: 'customer' } }, false],
    ['one that stood on the ticket', { org_id: idWith(sure) }, false],
    ['none', { org_id: null }, false],
  ])('has given the ticket: %s', (_, inputs, isGiven) => {
    expect(hasGiven(draft(inputs), mine as OrgId)).toBe(isGiven);
  });
});
