import type { OrgId } from '@deskside/shared/orgid';
import type { RoutingDecision } from '@deskside/shared/routing';
import { describe, expect, test } from 'vitest';
import { medium, small } from '#crm/testing/sample-companies.ts';
import { sender } from '#testing/desk-seed.ts';
import { byAgent, inText, type PipelineWorld, pipelineWorld, saysOrgId, withOrgId } from '#testing/pipeline-kit.ts';
import { decisionDraft as of } from './testing/decision-draft.ts';
import { grow, scale } from './testing/pipeline-rules.ts';
import { fieldsOf as foundOf, writtenOf } from './written-fields.ts';

/** The routing fields of ticket 1 as the helpdesk has them. */
const fieldsOf = (w: PipelineWorld) => w.desk.routingOf('1');

describe('what a new ticket shows once it is routed (docs/data.md#hd-ticket)', () => {
  test('a company that somebody vouches for: every field', async () => {
    const w = pipelineWorld({ ticket: withOrgId(medium, byAgent) });
    await w.run('1');
    expect(fieldsOf(w)).toEqual({
      agentGroup: scale,
      orgId: medium,
      profileOrgId: null,
      olderOrgId: null,
      platformDomain: null,
      segment: 'Medium',
      shopplan: 'Medium Scale',
      servicePlan: 'OMNI SCALE 2025 (1 năm)',
      status: 'Complete',
      error: null,
      reason: expect.stringMatching(/^Auto-routed: Customer Segment=Medium/),
      checkedAt: w.clock(),
      crmLastCheckedAt: w.clock(),
      crmNotFoundAt: null,
      responsible: null,
    });
  });

  test('one whose group somebody has chosen: why it stays, and nothing of the routing', async () => {
    const w = pipelineWorld({ ticket: withOrgId(medium, byAgent) });
    w.desk.personSetsGroup('1', grow);
    await w.run('1');
    const nothing = { segment: null, shopplan: null, servicePlan: null, status: null, error: null, checkedAt: null };
    expect(fieldsOf(w)).toMatchObject({ agentGroup: grow, reason: `Manual routing kept: ${grow}.`, ...nothing });
  });

  test('the next ticket with that org id says so too, though the answer comes from the cache', async () => {
    const w = pipelineWorld({ ttlMinutes: 10 });
    for (const ticket of ['1', '2']) {
      w.desk.insert(ticket, withOrgId('1234567', byAgent));
      await w.run(ticket);
      expect(w.desk.routingOf(ticket).reason).toContain('CRM has no company for this OrgID.');
      expect(w.desk.routingOf(ticket).crmNotFoundAt).not.toBeNull();
    }
    expect(w.crm.asked).toHaveLength(1);
  });

  test('an org id that is written to the ticket is copied to its former fields, those that are there and empty', async () => {
    const w = pipelineWorld();
    const former = { custom_org_id: 'không rõ' };
    w.desk.insert('1', withOrgId(null, { ...former, description: saysOrgId }));
    w.desk.insert('2', withOrgId(null, { description: saysOrgId }));
    w.desk.insert('3', withOrgId(medium, former));
    const without = pipelineWorld();
    without.desk.removeFields('HD Ticket', 'custom_platform_profile_orgid', 'custom_org_id');
    without.desk.insert('1', withOrgId(null, { description: saysOrgId }));
    for (const name of ['1', '2', '3']) await w.run(name);
    await without.run('1');
    const copies = ['1', '2', '3'].map((name) => {
      const { profileOrgId, olderOrgId } = w.desk.routingOf(name);
      return [profileOrgId, olderOrgId];
    });
    expect(copies).toEqual([
      [medium, 'không rõ'],
      [medium, medium],
      [null, 'không rõ'],
    ]);
    expect(without.desk.writes.at(-1)).toMatch(/^route 1 agentGroup orgId segment /);
  });

  describe('the platform domain in the store address of a ticket that has an org id', () => {
    const shop = 'tiem-hoa-mau.myplatform.example';
    const ofOrgId = (orgId: string) => `${orgId}.myplatform.example`;

    test.each([
      ['is written beside it', shop, null, shop],
      ['is written, where the address is that of the org id', ofOrgId(medium), null, ofOrgId(medium)],
      ['is not, where it is another shop’s', ofOrgId(small), null, null],
      ['replaces none', shop, 'b.myplatform.example', 'b.myplatform.example'],
    ])('%s', async (_, address, present, shown) => {
      const w = pipelineWorld({
        ticket: withOrgId(medium, { custom_myplatform_domain: present, custom_store_url: address }),
      });
      await w.run('1');
      expect(fieldsOf(w).platformDomain).toBe(shown);
      expect((await w.decided('1'))?.inputs.findings).toHaveLength(shown === address ? 1 : 0);
      expect(w.askedShops).toEqual([]);
    });

    test('is written beside an org id in a former field too, and its shop is not asked', async () => {
      const w = pipelineWorld({ ticket: { custom_org_id: medium, custom_store_url: shop } });
      await w.run('1');
      expect(fieldsOf(w).platformDomain).toBe(shop);
      expect(w.complaints).toEqual([]);
    });

    test('is not, where the ticket’s customer decides, whose shop is another', async () => {
      const w = pipelineWorld();
      w.desk.customers.set('Tiệm Hoa', { platformOrgId: small });
      const ofSmall = w.crm.answer(small);
      if (ofSmall.kind === 'found') ofSmall.companies[0].emails.push(sender);
      await w.route('1', withOrgId(medium, { customer: 'Tiệm Hoa', custom_store_url: shop }));
      expect((await w.decided('1'))?.inputs).toMatchObject({ org_id: { value: small }, findings: [] });
      expect(fieldsOf(w).platformDomain).toBeNull();
    });
  });
});

test('a domain that somebody types while a ticket is decided stays', async () => {
  const address = 'tiem-hoa-mau.myplatform.example';
  const w = pipelineWorld({ ticket: withOrgId(medium, { custom_store_url: address }) });
  const typed = { custom_myplatform_domain: 'b.myplatform.example' };
  w.crm.whileAsking = () => w.desk.changes('1', 'an@desk.example', typed);
  await w.run('1');
  expect((await w.decided('1'))?.inputs.findings).toMatchObject([{ value: address }]);
  expect(fieldsOf(w).platformDomain).toBe('b.myplatform.example');
});

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
    over: { segment: 'Medium', shopplan: 'Medium Scale', servicePlan: 'Scale', reason: 'why' },
    plain: { ...times, reason: 'Auto-routed: Company taken back. Target team=M.' },
  });
});

test('what intake found, in whichever decision', () => {
  const first = decided({ ...confirmed, findings: [inText, domain] }, told);
  const { over } = writtenOf(medium, [decided(confirmed, told), first]);
  expect(over).toMatchObject({ ...given, platformDomain: domain.value });
});

test('the domain that intake found beside an org id that the ticket had, and none of another shop', () => {
  expect(writtenOf(medium, [decided({ ...confirmed, findings: [domain] })]).over).toEqual({
    platformDomain: domain.value,
    segment: 'SME',
    shopplan: 'SME',
    servicePlan: '',
    reason: expect.any(String),
  });
  const other = { ...inText, value: small };
  expect(writtenOf(medium, [decided({ ...confirmed, findings: [other, domain] })]).over.platformDomain).toBeUndefined();
});

test('the domain beside an org id that intake found, though the ticket names another company', () => {
  const inputs = { org_id: orgId(small, 'confirmed'), findings: [inText, domain] };
  expect(writtenOf(medium, [decided(inputs, told)]).over.platformDomain).toBe(domain.value);
});

test.each([
  ['what its customer decided', null, told.segment],
  [
    'nothing of a customer that did not decide',
    { segment: 'SME', shop_plan: null, source: 'crm', checked_at: null },
    undefined,
  ],
] as const)('of a company that the ticket does not name: %s', (_, looked_up, segment) => {
  const customer = { name: 'C', org_id: medium, segment: 'Medium', shop_plan: null, checked_at: null };
  const inputs = { org_id: orgId(small, 'confirmed'), customer: { ...customer, source: 'hd_customer' as const } };
  expect(writtenOf(medium, [decided({ ...inputs, looked_up }, told)]).over.segment).toBe(segment);
});

test('the org id of its customer, where that was vouched for, with the copies of it', () => {
  const ofCustomer = (level: 'confirmed' | 'claimed'): Partial<Inputs> => ({
    org_id: { value: medium, source: 'customer', field: 'custom_platform_orgid', trust: { level, evidence: [] } },
  });
  expect(writtenOf(medium, [decided(ofCustomer('confirmed'), told)]).over).toMatchObject(given);
  expect(writtenOf(medium, [decided(ofCustomer('claimed'), told)]).over).not.toHaveProperty('orgId');
});

test('of a claim that was held, no more than what intake found', () => {
  const claim = { org_id: orgId(medium, 'claimed'), claims: 'hold' as const, findings: [inText] };
  expect(writtenOf(medium, [decided(claim, told)])).toEqual({ over: given, plain: times });
});

test('of a company while the customer was made by hand and is not yet the company, no more either', () => {
  const adoption = { customer: 'Tiệm Hoa Mẫu', done: false };
  const looked_up = { segment: 'Medium', shop_plan: 'Scale', source: 'crm', checked_at: null } as const;
  const held = { ...confirmed, findings: [inText], looked_up };
  expect(writtenOf(medium, [decided({ ...held, adoption }, told)])).toEqual({ over: given, plain: times });
  const done = writtenOf(medium, [decided({ ...held, adoption: { ...adoption, done: true } }, told)]);
  expect(done.over).toMatchObject({ ...given, segment: 'Medium', servicePlan: 'Scale' });
});

test('nothing of another company, and nothing without a decision', () => {
  const nothing = { over: {}, plain: {} };
  expect(writtenOf(small, [decided(confirmed, told)])).toEqual(nothing);
  expect(writtenOf(medium, [])).toEqual(nothing);
});

test('a reason that says that nobody is available is recognised with that', () => {
  const waiting = decided(confirmed, told);
  const decision = { ...waiting, assignment: { ...waiting.assignment, state: 'nobody_available' as const } };
  expect(writtenOf(medium, [decision]).over.reason).toMatch(/^why Nobody is available/);
});

describe('what a decision writes besides the routing', () => {
  const claim = { org_id: orgId(medium, 'claimed'), claims: 'hold' as const };
  const crm = { status: 'matched', error: null, checked_at: '2026-05-08T00:00:00.000Z', stale: false } as const;
  const crmLastCheckedAt = Date.parse(crm.checked_at);

  test.each<[string, Partial<Inputs>, object]>([
    ['an org id that intake found, though the claim is held', { ...claim, findings: [inText] }, { orgId: medium }],
    ['no org id of a held claim that intake did not find', { ...claim, findings: [] }, {}],
    ['no org id beside the domain of a held claim', { ...claim, findings: [domain] }, { platformDomain: domain.value }],
    ['no domain of another shop', { ...claim, findings: [{ ...inText, value: small }, domain] }, {}],
    ['no org id where there is none', { org_id: null, findings: [domain] }, { platformDomain: domain.value }],
  ])('%s, and nothing of the CRM', (_, inputs, plain) => {
    expect(foundOf(decided({ ...inputs, crm }))).toEqual({ plain, data: {} });
  });

  test.each<[string, Inputs['crm'], object]>([
    ['when the CRM answered', crm, { crmLastCheckedAt, crmNotFoundAt: null }],
    ['that it had nothing', { ...crm, status: 'not_found' }, { crmLastCheckedAt, crmNotFoundAt: crmLastCheckedAt }],
    ['nothing where it failed, though it had answered before', { ...crm, status: 'error', stale: true }, {}],
    ['nothing where it was not asked', null, {}],
  ])('beside the org id of a company: %s', (_, answer, said) => {
    expect(foundOf(decided({ ...confirmed, crm: answer }))).toEqual({ plain: {}, data: { orgId: medium, ...said } });
  });
});
