import type { OrgId } from '@deskside/shared/orgid';
import type { LookupTrust } from '@deskside/shared/profile';
import { RoutingOutcome, RoutingRule } from '@deskside/shared/routing';
import { LookupStatus, TrustLevel } from '@deskside/shared/status';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RoutingConfig } from '#rules.ts';
import {
  decideRouting,
  isKeptReason,
  leftAsItIs,
  otherShop,
  type RuleInputs,
  reasonBeforeInsert,
  shownReason,
  withoutTeam,
  withTeamKept,
} from './decide.ts';
import { routingConfig } from './testing/pipeline-rules.ts';

const orgId = '1000069001' as OrgId;
const claimed: LookupTrust = { level: 'claimed', evidence: [] };
const confirmed: LookupTrust = { level: 'confirmed', evidence: [] };
const orgIdOfTicket = { value: orgId, source: 'ticket', field: 'custom_orgid' };
const base: RuleInputs = {
  org_id: { ...orgIdOfTicket, trust: claimed },
  customer: null,
  looked_up: null,
  ticket_segment: null,
  agent_group: null,
  crm: { status: 'matched', error: null, checked_at: null, stale: false },
  findings: [],
  meta_failures: [],
};
const customer = (segment: string | null, shop_plan: string | null) => ({
  customer: {
    name: 'Tiệm Hoa Mẫu - 1000069001',
    org_id: orgId,
    segment,
    shop_plan,
    checked_at: null,
    source: 'hd_customer' as const,
  },
});
const decide = (change: Partial<RuleInputs>, rules: Partial<RoutingConfig> = {}) =>
  decideRouting({ ...base, ...change }, { ...routingConfig, ...rules });

describe('segment and shop plan give the team (docs/routing.md#rules)', () => {
  test.each<[string | null, string | null, string, 'Medium' | 'SME', string]>([
    ['Medium', 'OMNI SCALE 2025 (1 năm)', 'Medium - Scale', 'Medium', 'Medium Scale'],
    ['Medium', 'Grow 2024', 'Medium - Grow', 'Medium', 'Medium Grow'],
    ['Medium', 'Grow to Scale', 'Medium - Scale', 'Medium', 'Medium Scale'],
    ['Medium', 'Chuyên nghiệp', 'CS 60p', 'Medium', 'Medium'],
    ['Medium', null, 'CS 60p', 'Medium', 'Medium'],
    ['me - dium', 'SCALE', 'Medium - Scale', 'Medium', 'Medium Scale'],
    [' MEDIUM ', 'omniscale', 'Medium - Scale', 'Medium', 'Medium Scale'],
    ['SME', 'OMNI SCALE 2025', 'CS 60p', 'SME', 'SME'],
    ['Enterprise', 'OMNI SCALE 2025', 'CS 60p', 'SME', 'SME'],
    ['15999', 'Grow 2024', 'CS 60p', 'SME', 'SME'],
    [null, 'OMNI SCALE 2025', 'CS 60p', 'SME', 'SME'],
    ['', '', 'CS 60p', 'SME', 'SME'],
    [null, null, 'CS 60p', 'SME', 'SME'],
  ])('%s with plan %s goes to %s', (segment, plan, team, expected, shopplan) => {
    const outcome = decide(customer(segment, plan));
    expect(outcome).toMatchObject({ team, segment: expected, shopplan, status: 'Complete', error: '', fallback: null });
    expect(outcome.reason).toBe(
      `Auto-routed: Customer Segment=${segment?.trim() || '-'}, Shopplan=${plan || '-'}, Source=hd_customer. Target team=${team}.`,
    );
    expect(outcome.service_plan).toBe(plan || null);
  });

  test.each([
    ['Medium', 'CS 60p', 'Medium', 'ticket'],
    ['SME', 'CS 60p', 'SME', 'ticket'],
    [null, 'CS 60p', 'SME', 'default'],
  ] as const)(
    'without a customer the ticket’s own segment %s counts, and no plan',
    (segment, team, expected, source) => {
      const outcome = decide({ ticket_segment: segment });
      expect(outcome).toMatchObject({ team, segment: expected, segment_source: source, shopplan: expected });
    },
  );

  test('with a customer the ticket’s own segment is ignored, also where the customer’s is blank', () => {
    expect(decide({ ...customer(null, null), ticket_segment: 'Medium' })).toMatchObject({
      segment: 'SME',
      segment_source: 'hd_customer',
    });
  });
});

describe('what comes before segment and plan', () => {
  const medium = customer('Medium', 'OMNI SCALE 2025');

  test('a group that a person set is kept, and the reason says so (decision 21)', () => {
    const outcome = decide({ ...medium, agent_group: { name: 'Service Ecom', set_by: 'person' } });
    expect(outcome).toMatchObject({ team: null, reason: 'Manual routing kept: Service Ecom.' });
    expect(outcome.rules).toEqual([{ rule: 'group_kept', hit: true }]);
  });

  test.each(['hold', 'accept'] as const)('a group that only the sender set is kept as well: claims %s', (claims) => {
    for (const inputs of [medium, { ...medium, org_id: null, crm: null }]) {
      const outcome = decide({ ...inputs, agent_group: { name: 'Billing', set_by: 'sender' } }, { claims });
      expect(outcome).toMatchObject({ team: null, reason: 'Group kept as the sender chose it: Billing.' });
    }
  });

  test('a group that Deskside gave before the insert is decided again', () => {
    const outcome = decide({ ...medium, agent_group: { name: 'CS 60p', set_by: 'deskside' } });
    expect(outcome.team).toBe('Medium - Scale');
  });

  test('a segment that nobody names counts as none, and the reason says so, unless nothing is told of the company', () => {
    const unnamed = { ...customer(null, 'OMNI SCALE 2025'), unnamed_segment: '99' };
    const told = 'CRM segment 99 is no item of its list and counts as none.';
    expect(decide({ ...unnamed, org_id: { ...orgIdOfTicket, trust: confirmed } })).toMatchObject({
      team: 'CS 60p',
      reason: `Auto-routed: Customer Segment=-, Shopplan=OMNI SCALE 2025, Source=hd_customer. Target team=CS 60p. ${told}`,
    });
    expect(decide(unnamed, { claims: 'hold' }).reason).not.toContain('99');
    expect(decide({ ...unnamed, ...customer('SME', null) }).reason).not.toContain('99');
  });

  test('no org id: SME, whatever else is there (decision 21)', () => {
    const outcome = decide({ ...medium, org_id: null, crm: null });
    expect(outcome).toMatchObject({ team: 'CS 60p', segment: 'SME', status: 'Complete', service_plan: null });
    expect(outcome.reason).toBe(
      'Auto-routed: Missing OrgID. Customer Segment=-, Shopplan=-, Source=default. Target team=CS 60p.',
    );
    const unread_org_id = { value: '2.00000E+11', why: 'a spreadsheet has cut it short' };
    const told = decide({ ...medium, org_id: null, crm: null, unread_org_id });
    expect(told.reason).toBe(`${outcome.reason} OrgID reads "2.00000E+11": a spreadsheet has cut it short.`);
    expect(decide({ ...medium, unread_org_id }).reason).not.toContain('OrgID reads');
    expect(outcome.rules).toEqual([
      { rule: 'group_kept', hit: false },
      { rule: 'missing_orgid', hit: true },
    ]);
  });
});

describe('a claim on a ticket that somebody else reads, and a customer made by hand (decisions 9 and 11)', () => {
  const looked_up = { segment: 'Medium', shop_plan: 'Grow 2024', source: 'crm', checked_at: null } as const;
  const crm = { status: 'not_found', error: null, checked_at: null, stale: false } as const;

  test.each(['contact_of_other', 'made_by_other'] as const)(
    'under accept, too, the team is all that is told: %s',
    (code) => {
      const org_id = { ...orgIdOfTicket, trust: { ...claimed, evidence: [{ code }] } };
      const outcome = decide({ org_id, looked_up, crm }, { claims: 'accept' });
      expect(outcome).toMatchObject({ team: 'Medium - Grow', service_plan: null, segment_source: 'claim' });
      expect(outcome.reason).toBe(
        'Auto-routed: unconfirmed OrgID. Customer Segment=-, Shopplan=-, Source=claim. Target team=Medium - Grow.',
      );
    },
  );

  test.each(['accept', 'hold'] as const)('until a customer made by hand has become the company: %s', (claims) => {
    const offered = { customer: 'Tiệm Hoa Mẫu', done: false };
    const given = { org_id: { ...orgIdOfTicket, trust: confirmed }, looked_up, adoption: offered };
    const outcome = decide(given, { claims });
    expect(outcome).toMatchObject({ team: 'Medium - Grow', service_plan: null, segment_source: 'claim' });
    expect(outcome.reason).toBe(
      'Auto-routed: customer without OrgID. Customer Segment=-, Shopplan=-, Source=claim. Target team=Medium - Grow.',
    );
    const done = decide(
      { ...given, looked_up: null, ...customer('Medium', 'Grow 2024'), adoption: { ...offered, done: true } },
      { claims },
    );
    expect(done).toMatchObject({ team: 'Medium - Grow', service_plan: 'Grow 2024', segment_source: 'hd_customer' });
  });
});

test('a customer made by hand that decides the team itself is told as it is (decision 11)', () => {
  const adoption = { customer: 'Tiệm Hoa Mẫu', done: false };
  const byHand = { ...customer('Medium', 'Grow 2024').customer, org_id: null };
  const outcome = decide({ org_id: { ...orgIdOfTicket, trust: confirmed }, customer: byHand, adoption });
  expect(outcome).toMatchObject({ team: 'Medium - Grow', service_plan: 'Grow 2024', segment_source: 'hd_customer' });
});

describe('claims: hold (decision 9)', () => {
  const hold = (change: Partial<RuleInputs>) => decide(change, { claims: 'hold' });
  const lookedUp = (segment: string | null, shop_plan: string | null) => ({
    looked_up: { segment, shop_plan, source: 'crm' as const, checked_at: null },
  });

  test('a ticket’s customer that stands for another company decides the team', () => {
    const other = { ...customer('Medium', 'Grow 2024').customer, org_id: '1000069002' as OrgId };
    const outcome = hold({ customer: other, looked_up: null });
    expect(outcome).toMatchObject({ team: 'Medium - Grow', service_plan: null, segment_source: 'claim' });
    expect(outcome.reason).toContain('Auto-routed: unconfirmed OrgID. Customer Segment=-, Shopplan=-,');
  });

  test('an SME company and an id that nobody has look the same', () => {
    const known = hold({ ...lookedUp('SME', 'STANDARD'), crm: { ...crm, status: 'matched' } });
    const unknown = hold({ looked_up: null, crm: { ...crm, status: 'not_found' } });
    const told = ({ team, status, error, reason }: RoutingOutcome) => ({ team, status, error, reason });
    expect(told(unknown)).toEqual(told(known));
  });

  test('once it is confirmed, the reason tells what is known, and the team stays', () => {
    const org_id = { ...orgIdOfTicket, trust: confirmed };
    const outcome = withTeamKept(hold({ ...customer('Medium', 'Grow 2024'), org_id }), 'CS 60p');
    expect(outcome).toMatchObject({ team: 'CS 60p', segment: 'Medium' });
    expect(outcome.reason).toBe(
      'Auto-routed: Customer Segment=Medium, Shopplan=Grow 2024, Source=hd_customer. Target team=CS 60p.',
    );
  });
  const crm = { error: null, checked_at: null, stale: false };
});

describe('what failed on the way (docs/routing.md#repair; decisions 21 and 23)', () => {
  const crm = (status: 'error' | 'disabled' | 'missing_config' | 'not_found', error: 'timeout' | null = null) => ({
    crm: { status, error, checked_at: null, stale: false },
  });
  test.each([
    ['error', 'API Error', 'crm', 'CRM error: timeout.', 'CRM error: timeout'],
    ['disabled', 'Complete', null, 'CRM is switched off.', 'The CRM integration is switched off.'],
    [
      'missing_config',
      'missing_config',
      null,
      'CRM is not configured (missing_config).',
      'No CRM webhook is configured.',
    ],
    ['not_found', 'Complete', null, 'CRM has no company for this OrgID.', ''],
  ] as const)('%s: status %s, SME', (status, expected, fallback, note, error) => {
    const org_id = { ...orgIdOfTicket, trust: confirmed };
    const outcome = decide({ ...crm(status, status === 'error' ? 'timeout' : null), org_id });
    expect(outcome).toMatchObject({ team: 'CS 60p', segment: 'SME', status: expected, fallback, error });
    expect(outcome.reason).toBe(
      `Auto-routed: Customer Segment=-, Shopplan=-, Source=default. Target team=CS 60p. ${note}`,
    );
  });

  test.each([
    ['error', 'API Error', 'crm'],
    ['missing_config', 'missing_config', null],
    ['disabled', 'Complete', null],
  ] as const)(
    'what the customer’s record says counts all the same: %s, status %s, decided again for %j',
    (of, status, fallback) => {
      const outcome = decide({ ...customer('Medium', 'Grow 2024'), ...crm(of, of === 'error' ? 'timeout' : null) });
      expect(outcome).toMatchObject({ team: 'Medium - Grow', segment: 'Medium', status, fallback });
    },
  );

  test('a meta.json that failed is worth another try, one that will never tell is not', () => {
    const failure = (outcome: 'failed' | 'none') => ({
      org_id: null,
      meta_failures: [{ address: 'https://tiemhoamau.example/meta.json', outcome, why: 'timeout' as const }],
    });
    const again = { status: 'Complete', fallback: 'meta_json', error: expect.stringContaining('it is tried again') };
    expect(decide(failure('failed'))).toMatchObject(again);
    const [none, failed] = [failure('none'), failure('failed')];
    expect(decide({ ...none, meta_failures: [...none.meta_failures, ...failed.meta_failures] })).toMatchObject(again);
    expect(decide(failure('none'))).toMatchObject({ status: 'Complete', fallback: null, error: '' });
  });
});

describe('what else a reason says (docs/routing.md#reasons)', () => {
  const known = { org_id: { ...orgIdOfTicket, trust: confirmed } };
  const [plain, missing] = [decide(known).reason, decide({ org_id: null, crm: null }).reason];
  const shop = (value: string, kind = 'org_id') =>
    ({ kind, value, source: 'text', field: 'description', quote: '', address: null }) as RuleInputs['findings'][number];
  const failing = { status: 'error', error: null, checked_at: null, stale: false } as const;

  test.each<[string, Partial<RuleInputs>, string]>([
    [
      'who has rejected the company',
      { org_id: null, crm: null, rejected_by: 'an@desk.example' },
      missing.replace('Missing OrgID', 'OrgID rejected by an@desk.example'),
    ],
    ['why no customer was written', { ...known, write_refused: 'no' }, `${plain} No customer was written: no.`],
    [
      'that the new customer has a number',
      { ...known, name_taken: true },
      `${plain} Another customer has its name, so the new one has a number.`,
    ],
    [
      'which other shop the ticket names',
      { ...known, findings: [shop('x.example', 'platform_domain'), shop('2000'), shop('3000')] },
      `${plain} The ticket names another shop, OrgID 2000.`,
    ],
    ['nothing of its own shop', { ...known, findings: [shop('2000'), shop(orgId)] }, plain],
    ['nothing of another shop beside a claim', { findings: [shop('2000')] }, decide({}).reason],
    ['that the CRM’s answer was none', { ...known, crm: failing }, `${plain} CRM error: bad_answer.`],
  ])('%s', (_, inputs, reason) => expect(decide(inputs).reason).toBe(reason));

  test('a ticket without org id names no other shop', () => {
    expect(otherShop({ org_id: null, findings: [shop('2000')] })).toBeNull();
  });

  test('what the helpdesk has against the customer is told as far as the field goes', () => {
    expect(decide({ ...known, write_refused: 'no' })).toMatchObject({ status: 'Complete', error: 'Helpdesk: no.' });
    expect(decide({ ...known, write_refused: 'x'.repeat(200) }).error).toHaveLength(140);
  });

  test('before the insert it tells the team, and nothing of a company', () => {
    expect(reasonBeforeInsert(decide({ ...known, ...customer('Medium', 'Grow') }))).toBe(
      'Auto-routed: Customer Segment=-, Shopplan=-, Source=hd_customer. Target team=Medium - Grow.',
    );
  });

  test('that nobody is available, while that is so', () => {
    expect(shownReason({ reason: 'why' }, 'assigned')).toBe('why');
    expect(shownReason({ reason: 'why' }, 'nobody_available')).toMatch(/^why Nobody is available; /);
  });

  test.each(['person', 'sender'] as const)('a group that was kept as the %s had set it is recognised', (set_by) => {
    const { reason } = decide({ agent_group: { name: 'Billing', set_by } });
    expect([isKeptReason(reason, 'Billing'), isKeptReason(reason, 'Bill')]).toEqual([true, false]);
  });
});

test.each(['does not exist', 'is disabled'] as const)('a team that %s: an error that names it, and no group', (why) => {
  const outcome = decide({ crm: { status: 'error', error: 'timeout', checked_at: null, stale: false } });
  const problem = `target team CS 60p ${why}.`;
  expect(withoutTeam(outcome, why)).toEqual({
    ...outcome,
    team: null,
    status: 'API Error',
    error: `Routing: ${problem} CRM error: timeout`,
    reason: `Routing skipped: ${problem} ${outcome.reason}`,
    fallback: 'team_missing',
  });
  expect(withoutTeam({ ...outcome, error: '' }, why).error).toBe(`Routing: ${problem}`);
});

test('a ticket that was routed before changes nothing', () => {
  expect(leftAsItIs('Billing')).toEqual({
    ...{ team: null, segment: 'SME', shopplan: 'SME', service_plan: null, segment_source: 'default' },
    ...{ status: 'Complete', error: '', fallback: null, rules: [{ rule: 'group_kept', hit: true }] },
    reason: 'Routed before, and left as it is: Billing.',
  });
  expect(leftAsItIs(null).reason).toBe('Routed before, and left as it is.');
});

describe('the rules are configuration (decision 21)', () => {
  test('other teams, words and segments', () => {
    const rules: Partial<RoutingConfig> = {
      teams: { medium_scale: 'VIP', medium_grow: 'Growth', sme: 'Everybody' },
      plan_words: { scale: ['bứt phá', 'lớn'], grow: ['tăng trưởng'] },
      medium_segments: ['Medium', 'Enterprise'],
    };
    expect(decide(customer('enterprise', 'Gói BỨT PHÁ'), rules).team).toBe('VIP');
    expect(decide(customer('Medium', 'Tăng trưởng'.normalize('NFD')), rules).team).toBe('Growth');
    expect(decide(customer('SME', 'Bứt phá'), rules).team).toBe('Everybody');
  });

  test('any inputs give an outcome of the contract, the same every time, with one rule that hits: the last', () => {
    const orNull = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });
    const text = orNull(fc.oneof(fc.string(), fc.constantFrom('Medium', 'SME', 'Scale', 'Grow')));
    const evidence = fc.subarray([{ code: 'value_on_ticket' as const }, { code: 'contact_of_other' as const }]);
    const trust = orNull(fc.record({ level: fc.constantFrom(...TrustLevel.options), evidence }));
    const [nothing, source] = [fc.constant(null), fc.constantFrom('hd_customer' as const, 'crm' as const)];
    const company = { segment: text, shop_plan: text, checked_at: nothing, source };
    const setBy = fc.constantFrom('person' as const, 'sender' as const, 'deskside' as const);
    const status = fc.constantFrom(...LookupStatus.options);
    const inputs: fc.Arbitrary<RuleInputs> = fc.record({
      org_id: orNull(fc.record({ value: fc.constant(orgId), source: fc.string(), field: fc.string(), trust })),
      customer: orNull(fc.record({ name: fc.string(), org_id: orNull(fc.constant(orgId)), ...company })),
      looked_up: orNull(fc.record(company)),
      ticket_segment: text,
      agent_group: orNull(fc.record({ name: fc.string(), set_by: setBy })),
      crm: orNull(fc.record({ status, error: nothing, checked_at: nothing, stale: fc.boolean() })),
      findings: fc.constant([]),
      meta_failures: fc.constant([]),
    });
    fc.assert(
      fc.property(inputs, fc.constantFrom('accept', 'hold'), (given, claims) => {
        const outcome = decideRouting(given, { ...routingConfig, claims });
        RoutingOutcome.parse(outcome);
        expect(decideRouting(structuredClone(given), { ...routingConfig, claims })).toEqual(outcome);
        const names = outcome.rules.map(({ rule }) => rule);
        expect(names).toEqual(RoutingRule.options.slice(0, names.length));
        expect(outcome.rules.map(({ hit }) => hit)).toEqual([...names.slice(1).map(() => false), true]);
        expect(outcome.team === null).toBe(names.length === 1);
        const { level = 'claimed', evidence: told = [] } = given.org_id?.trust ?? {};
        const isClaim = given.org_id !== null && level === 'claimed';
        const isReadByOther = told.some(({ code }) => code === 'contact_of_other');
        if (isClaim && (claims === 'hold' || isReadByOther)) {
          expect(outcome).toMatchObject({ service_plan: null, segment_source: 'claim' });
          // Only where claims are accepted may the sender learn whether the org id exists.
          expect(outcome.reason).not.toContain('CRM has no company');
          if (names.length > 1) expect(outcome.reason).toContain('Customer Segment=-, Shopplan=-,');
        }
        expect([...outcome.error].length).toBeLessThanOrEqual(140);
      }),
    );
  });
});
