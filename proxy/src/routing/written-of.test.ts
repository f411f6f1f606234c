import type { OrgId } from '@deskside/shared/orgid';
import type { RoutingDecision } from '@deskside/shared/routing';
import { expect, test } from 'vitest';
import { medium, small } from '#testing/sample-companies.ts';
import { decisionDraft as of } from './testing/decision-draft.ts';
import { inText } from './testing/pipeline-kit.ts';
import { writtenOf } from './written-fields.ts';

type Inputs = RoutingDecision['inputs'];
const decided = (inputs: Partial<Inputs>, outcome: Partial<RoutingDecision['outcome']> = {}) => {
  const draft = of('1', inputs);
  return { ...draft, id: '1', number: 1, outcome: { ...draft.outcome, ...outcome } } as RoutingDecision;
};
const orgId = (value: OrgId, level: 'confirmed' | 'claimed'): Inputs['org_id'] => ({
  value,
  source: 'ticket',
  field: 'custom_orgid',
  trust: { level, evidence: [] },
});
const domain = { ...inText, kind: 'platform_domain' as const, value: 'tiemhoamau.myplatform.example' };
const told = { segment: 'Medium', shopplan: 'Medium Scale', service_plan: 'Scale', team: 'M', reason: 'why' } as const;
const confirmed = { org_id: orgId(medium, 'confirmed') };
const given = { orgId: medium, profileOrgId: medium, olderOrgId: medium };
const times = { crmLastCheckedAt: null, crmNotFoundAt: null };

test('of a company that was vouched for: segment, plan and why, but not the team', () => {
  expect(writtenOf(medium, [decided(confirmed, told)])).toEqual({
    values: { segment: 'Medium', shopplan: 'Medium Scale', servicePlan: 'Scale', reason: 'why' },
    instead: { ...times, reason: 'Auto-routed: Company taken back. Target team=M.' },
  });
});

test('what intake found, in whichever decision', () => {
  const first = decided({ ...confirmed, findings: [inText, domain] }, told);
  const { values } = writtenOf(medium, [decided(confirmed, told), first]);
  expect(values).toMatchObject({ ...given, platformDomain: domain.value });
});

test('the domain that intake found beside an org id that the ticket had, and none of another shop', () => {
  expect(writtenOf(medium, [decided({ ...confirmed, findings: [domain] })]).values).toEqual({
    platformDomain: domain.value,
    segment: 'SME',
    shopplan: 'SME',
    servicePlan: '',
    reason: expect.any(String),
  });
  const other = { ...inText, value: small };
  expect(
    writtenOf(medium, [decided({ ...confirmed, findings: [other, domain] })]).values.platformDomain,
  ).toBeUndefined();
});

test('the org id of its customer, where that was vouched for, with the copies of it', () => {
  const ofCustomer = (level: 'confirmed' | 'claimed'): Partial<Inputs> => ({
    org_id: { value: medium, source: 'customer', field: 'custom_platform_orgid', trust: { level, evidence: [] } },
  });
  expect(writtenOf(medium, [decided(ofCustomer('confirmed'), told)]).values).toMatchObject(given);
  expect(writtenOf(medium, [decided(ofCustomer('claimed'), told)]).values).not.toHaveProperty('orgId');
});

test('of a claim that was held, no more than what intake found', () => {
  const claim = { org_id: orgId(medium, 'claimed'), claims: 'hold' as const, findings: [inText] };
  expect(writtenOf(medium, [decided(claim, told)])).toEqual({ values: given, instead: times });
});

test('of a company while the customer was made by hand and is not yet the company, no more either', () => {
  const adoption = { customer: 'Tiệm Hoa Mẫu', done: false };
  const looked_up = { segment: 'Medium', shop_plan: 'Scale', source: 'crm', checked_at: null } as const;
  const held = { ...confirmed, findings: [inText], looked_up };
  expect(writtenOf(medium, [decided({ ...held, adoption }, told)])).toEqual({ values: given, instead: times });
  const done = writtenOf(medium, [decided({ ...held, adoption: { ...adoption, done: true } }, told)]);
  expect(done.values).toMatchObject({ ...given, segment: 'Medium', servicePlan: 'Scale' });
});

test('nothing of another company, and nothing without a decision', () => {
  const nothing = { values: {}, instead: {} };
  expect(writtenOf(small, [decided(confirmed, told)])).toEqual(nothing);
  expect(writtenOf(medium, [])).toEqual(nothing);
});

test('a reason that says that nobody is available is recognised with that', () => {
  const waiting = decided(confirmed, told);
  const decision = { ...waiting, assignment: { ...waiting.assignment, state: 'nobody_available' as const } };
  expect(writtenOf(medium, [decision]).values.reason).toMatch(/^why Nobody is available/);
});
