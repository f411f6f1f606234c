import { describe, expect, test, vi } from 'vitest';
import {
  growing,
  growingOwner,
  matched,
  medium,
  sampleCompany,
  small,
  upToDate,
} from '#crm/testing/sample-companies.ts';
import { undoAdoption } from '#customers/write-customer.ts';
import { routeTicket } from '#routing/pipeline.ts';
import { reroute } from '#routing/retry.ts';
import { decisionDraft } from '#routing/testing/decision-draft.ts';
import { cs, grow, scale } from '#routing/testing/pipeline-rules.ts';
import * as decisions from '#store/decisions.ts';
import { forget } from '#store/retention.ts';
import { stampAt } from '#testing/desk-people.ts';
import { sender, service } from '#testing/desk-seed.ts';
import {
  byAgent,
  byStranger,
  type PipelineWorld,
  pipelineWorld,
  saysOrgId,
  standing,
  withOrgId,
} from '#testing/pipeline-kit.ts';
import { rejectEarlier } from '#testing/rejected.ts';

/** The helpdesk answers whoever writes a customer with a page of its own. */
function customersAreReadOnly({ desk }: PipelineWorld) {
  desk.simulator.fault = ({ method, path }) => (method !== 'GET' && path.includes('HD Customer') ? 'html' : null);
}

describe('a new ticket', () => {
  test('goes to a team whose name the helpdesk stores decomposed, and is found there again', async () => {
    const w = pipelineWorld();
    const team = 'Khách hàng lớn'.normalize('NFC');
    w.desk.setTeam(team.normalize('NFD'), ['an@desk.example']);
    const ctx = { ...w.ctx, routing: { ...w.ctx.routing, teams: { ...w.ctx.routing.teams, medium_scale: team } } };
    w.desk.insert('1', withOrgId(medium));
    await w.hear('1');
    const work = { ...w.desk.keyOf('1'), foundBy: 'webhook' as const, since: 0, attempts: 0, revision: 1 };
    await routeTicket(ctx, work);
    expect(standing(w, '1')).toMatchObject({ assigned: ['an@desk.example'] });
    expect(String(standing(w, '1').group).normalize('NFC')).toBe(team);
    expect(await reroute(ctx, '1')).toBe(team);
    expect(standing(w, '1').assigned).toEqual(['an@desk.example']);
  });

  test('without a CRM webhook goes to SME, and says missing_config in its status and its reason', async () => {
    const w = pipelineWorld({ configured: false, ticket: withOrgId(medium) });
    await w.run('1');
    expect(w.desk.routingOf('1')).toMatchObject({
      ...{ agentGroup: cs, segment: 'SME', status: 'missing_config' },
      reason: expect.stringMatching(/^Auto-routed: .* CRM is not configured \(missing_config\)\.$/),
    });
    expect(w.crm.asked).toEqual([]);
  });

  test('that is run again, or by two processes at once, is decided once and assigned once', async () => {
    const w = pipelineWorld({ ticket: withOrgId(medium) });
    await w.run('1');
    const writes = [...w.desk.writes];
    await w.run('1');
    expect(w.desk.writes).toEqual(writes);
    w.desk.insert('2', withOrgId(medium));
    const other = w.process();
    await Promise.all([w.run('2'), other.run('2')]);
    await w.run('2');
    expect(standing(w, '2')).toMatchObject({ group: scale, assigned: ['binh@desk.example'] });
    expect(await w.decisionsOn('2')).toHaveLength(1);
  });

  test('whose customer is being changed by others at the same moment is tried again until it is linked', async () => {
    const w = pipelineWorld({ ticket: withOrgId(medium) });
    const shop = `Shop ${medium} - ${medium}`;
    w.desk.customers.set(shop, { platformOrgId: medium });
    const edit = () => w.desk.customers.edit(shop, {});
    for (const _ of [1, 2, 3]) w.desk.before('update', edit);
    await expect(w.run('1')).rejects.toMatchObject({ code: 'changed_since' });
    expect(standing(w, '1')).toMatchObject({ group: null, customer: null });
    await w.run('1', 1);
    expect(standing(w, '1')).toMatchObject({ group: scale, customer: expect.stringContaining(medium) });
  });

  test.each([
    ['for which the helpdesk answers badly again and again', 'helpdesk_bad_answer', 5, customersAreReadOnly],
    [
      'whose name one made by hand has, that may be it',
      'identity_conflict',
      0,
      ({ desk }: PipelineWorld) => desk.customers.set(`Shop ${medium} - ${medium}`, {}),
    ],
    [
      'that others keep changing',
      'changed_since',
      5,
      ({ desk }: PipelineWorld) => {
        const shop = `Shop ${medium} - ${medium}`;
        desk.customers.set(shop, { platformOrgId: medium });
        for (let n = 1; n <= 6; n += 1) desk.before('update', () => desk.customers.edit(shop, {}));
      },
    ],
    [
      'that is linked, shows no segment and cannot be written',
      'helpdesk_bad_answer',
      5,
      (w: PipelineWorld) => {
        w.desk.customers.set(`Shop ${medium} - ${medium}`, { platformOrgId: medium });
        w.desk.setsCustomer('1', `Shop ${medium} - ${medium}`, service);
        customersAreReadOnly(w);
      },
    ],
  ] as const)('of a customer %s is routed by what the CRM says of the company', async (_, code, attempts, prepare) => {
    const w = pipelineWorld({ ticket: withOrgId(medium) });
    const warned = vi.spyOn(w.ctx.logger, 'warn');
    prepare(w);
    const customer = w.desk.customerOf('1');
    if (attempts > 0) await expect(w.run('1', attempts - 1)).rejects.toMatchObject({ code });
    await w.run('1', attempts);
    expect(standing(w, '1')).toMatchObject({ group: scale, customer });
    const [decision] = await w.decisionsOn('1');
    expect(decision?.outcome).toMatchObject({ segment: 'Medium', segment_source: 'crm', status: 'Complete' });
    const refused = 'one made by hand has its name and may be it, which an agent says by a Sync';
    const isTaken = code === 'identity_conflict';
    expect(decision?.inputs.write_refused).toBe(isTaken ? refused : undefined);
    const line = { error: code, ticket: '1', ...(isTaken && { refused }) };
    expect(warned.mock.calls).toContainEqual([line, 'A ticket is routed without being enriched']);
  });

  test('whose company’s name another one has gets a numbered customer, and the record says so', async () => {
    const w = pipelineWorld();
    w.desk.customers.set(`Shop ${medium} - ${medium}`, { platformOrgId: small });
    await w.route('1', withOrgId(medium));
    expect((await w.decided('1'))?.inputs.name_taken).toBe(true);
    expect((await w.decided('1'))?.link).toEqual({ customer: standing(w, '1').customer, previous: null, done: true });
  });

  test('is read again only where it or its customer has been written, and its contact never', async () => {
    const w = pipelineWorld({ claims: 'hold' });
    const costs = async (name: string, values: Record<string, unknown>) => {
      w.desk.calls.length = 0;
      await w.route(name, withOrgId(medium, values));
      return ['tickets.read', 'people.hasContact'].map((call) => w.desk.calls.filter((one) => one === call).length);
    };
    const customer = `Shop ${medium} - ${medium}`;
    expect(await costs('held', byStranger)).toEqual([1, 1]);
    expect(await costs('linked', byAgent)).toEqual([2, 1]);
    expect(await costs('as it was', { ...byAgent, customer })).toEqual([1, 1]);
  });

  test('is decided by what enrichment has made of its customer', async () => {
    const w = pipelineWorld();
    const customer = `Shop ${medium} - ${medium}`;
    w.desk.customers.set(customer, { platformOrgId: medium, segment: 'SME', shopPlan: 'Grow' });
    await w.route('1', withOrgId(medium, { ...byAgent, customer }));
    expect(standing(w, '1')).toMatchObject({ customer, group: scale });
  });

  test('is decided by its own segment where no CRM is asked and it has no customer', async () => {
    const w = pipelineWorld({ configured: false });
    w.desk.customers.set('Shop', { platformOrgId: medium, segment: 'Medium', shopPlan: 'Scale' });
    await w.route('1', withOrgId(medium, { ...byAgent, custom_customer_segment: 'SME' }));
    expect(standing(w, '1')).toMatchObject({ group: cs, customer: null });
    const crm = { status: 'missing_config', error: null, checked_at: null, stale: false };
    expect((await w.decided('1'))?.inputs).toMatchObject({ crm, looked_up: null });
  });

  test('has the company written that somebody vouches for, though its customer is another one', async () => {
    const w = pipelineWorld();
    w.desk.customers.set('Khác', { platformOrgId: small });
    await w.route('1', withOrgId(medium, { ...byAgent, customer: 'Khác' }));
    expect(standing(w, '1').customer).toBe('Khác');
    expect(w.desk.customers.get(`Shop ${medium} - ${medium}`)).toMatchObject({ platformOrgId: medium });
  });

  test('of a company that the CRM did not have has a failure of the CRM’s told all the same', async () => {
    const w = pipelineWorld({ ttlMinutes: 60 });
    await w.route('1', withOrgId('1234567'));
    w.clock.advance(24 * 3_600_000);
    w.crm.isDown = true;
    await w.route('2', withOrgId('1234567'));
    expect(await w.decided('2')).toMatchObject({ outcome: { fallback: 'crm' }, inputs: { crm: { status: 'error' } } });
  });

  test('of a company without segment has the helpdesk’s word for that it has none', async () => {
    const w = pipelineWorld();
    const none = { customer_segment: null, customer_segment_code: null, current_shopplan: null };
    w.crm.answer = () => matched(sampleCompany({}, none));
    w.desk.insert('1', withOrgId(medium, byAgent));
    await w.run('1');
    const customer = { segment: null, shop_plan: null, source: 'hd_customer', checked_at: expect.any(String) };
    expect((await w.decided('1'))?.inputs.customer).toMatchObject(customer);
  });

  test('without org id takes that of its customer, and where that has no segment its company’s', async () => {
    const w = pipelineWorld();
    const name = `Shop ${medium} - ${medium}`;
    // Somebody has blanked it, and the CRM has nothing new.
    w.desk.customers.set(name, { platformOrgId: medium, ...upToDate });
    await w.route('1', withOrgId(null, { customer: name }));
    expect(standing(w, '1').reason).toBe(
      `Auto-routed: Customer Segment=Medium, Shopplan=OMNI SCALE 2025 (1 năm), Source=crm. Target team=${scale}.`,
    );
    const orgId = { value: medium, source: 'customer' };
    expect((await w.decided('1'))?.inputs.org_id).toMatchObject(orgId);
  });

  test.each([
    ['the customer’s, vouched for', true, small, 'SME', ` The ticket names another shop, OrgID ${medium}.`],
    ['the customer’s segment, where the ticket’s claim leads', false, medium, '-', ''],
  ])('that names another shop than its customer is told so: %s counts', async (_, isVouched, orgId, segment, note) => {
    const w = pipelineWorld();
    const customer = `Shop ${small} - ${small}`;
    w.desk.customers.set(customer, { platformOrgId: small });
    const ofSmall = w.crm.answer(small);
    if (isVouched && ofSmall.kind === 'found') ofSmall.companies[0].emails.push(sender);
    const finding = { kind: 'org_id', value: medium, source: 'store_url', field: 'custom_store_url' };
    const domain = { kind: 'platform_domain', value: 'a.myplatform.example' };
    await w.route('1', withOrgId(null, { customer, custom_store_url: `${saysOrgId}, ${domain.value}` }));
    const decision = await w.decided('1');
    const source = isVouched ? 'customer' : 'store_url';
    expect(decision?.inputs).toMatchObject({ org_id: { value: orgId, source }, findings: [finding, domain] });
    expect(standing(w, '1').reason).toMatch(new RegExp(`Customer Segment=${segment}, .*${note}$`));
    const platformDomain = isVouched ? null : 'a.myplatform.example';
    expect(w.desk.routingOf('1')).toMatchObject({ orgId, platformDomain });
  });

  test('says where its org id was found, whatever else was found before it', async () => {
    const w = pipelineWorld();
    const domain = { custom_store_url: 'a.myplatform.example' };
    await w.route('1', withOrgId(null, { ...domain, description: saysOrgId }));
    const { org_id, findings } = (await w.decided('1'))?.inputs ?? {};
    expect(findings?.[0]).toMatchObject({ kind: 'platform_domain' });
    expect(org_id).toMatchObject({ value: medium, source: 'text', field: 'description' });
  });
});

test.each(['chưa biết', '2.00000E+11', '1000069001, 200000376001'])(
  'what stands in place of an org id, and why it counts for nothing, is in the reason: %s',
  async (value) => {
    const w = pipelineWorld({ ticket: { custom_orgid: value } });
    await w.run('1');
    expect(standing(w, '1').reason).toMatch(
      /^Auto-routed: Missing OrgID\. .* OrgID reads "[^"]+": (?:it is|a spread)[^.]+\.$/,
    );
    expect(standing(w, '1').reason).toContain(`"${value}"`);
  },
);

test('a list item that the CRM has deleted counts as no segment, and the reason says so', async () => {
  const fields = { customer_segment: '99', customer_segment_code: '99', current_shopplan: 'OMNI SCALE 2025' };
  const w = pipelineWorld({ ticket: withOrgId(medium) });
  w.crm.answer = () => matched(sampleCompany({}, fields));
  await w.run('1');
  const { group, reason } = standing(w, '1');
  expect(group).toBe(cs);
  expect(reason).toMatch(/Customer Segment=-, .* CRM segment 99 is no item of its list and counts as none\.$/);
});

describe('a company that an agent has rejected for this sender', () => {
  test.each([
    ['by the org id on the ticket', withOrgId(medium), { orgId: medium }, []],
    ['by the org id in its text', withOrgId(null, { description: saysOrgId }), { orgId: medium }, []],
    ['by the CRM’s id, under another org id', withOrgId(medium), { orgId: small, crmCompanyId: '63001' }, [medium]],
  ])('decides nothing, and is named with the decision: %s', async (_, values, rejected, asked) => {
    const w = pipelineWorld({ ticket: values });
    await rejectEarlier(w.db, rejected);
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: cs, customer: null });
    expect(standing(w, '1').reason).toMatch(/^Auto-routed: OrgID rejected by An\. /);
    expect((await w.decided('1'))?.inputs).toMatchObject({ org_id: null, rejected: [medium], findings: [] });
    expect(w.crm.asked).toEqual(asked);
  });

  test('is rejected by an agent where nobody tells the name of whoever did, or of another company’s', async () => {
    const w = pipelineWorld({ ticket: withOrgId(medium) });
    await rejectEarlier(w.db, { orgId: medium, agent: 'gone@desk.example' });
    await rejectEarlier(w.db, { orgId: small });
    await w.run('1');
    expect(standing(w, '1').reason).toMatch(/^Auto-routed: OrgID rejected by an agent\. /);
  });

  test('is named with who rejected it also where the customer’s is another one, rejected as well', async () => {
    const w = pipelineWorld();
    w.desk.customers.set('Tiệm Hoa', { platformOrgId: small });
    w.desk.insert('1', withOrgId(medium, { customer: 'Tiệm Hoa' }));
    for (const orgId of [medium, small]) await rejectEarlier(w.db, { orgId });
    await w.run('1');
    expect(standing(w, '1').reason).toMatch(/^Auto-routed: OrgID rejected by An\. /);
    expect((await w.decided('1'))?.inputs.rejected).toEqual(expect.arrayContaining([medium, small]));
  });

  test('as its customer’s leaves the ticket the one that its text names', async () => {
    const w = pipelineWorld();
    w.desk.customers.set('Tiệm Hoa', { platformOrgId: small });
    w.desk.insert('1', withOrgId(null, { customer: 'Tiệm Hoa', description: saysOrgId }));
    await rejectEarlier(w.db, { orgId: small });
    await w.run('1');
    const { inputs } = (await w.decided('1')) ?? {};
    expect(inputs).toMatchObject({ org_id: { value: medium }, findings: [{ value: medium }] });
  });
});

describe('a customer made by hand', () => {
  const mail = { owner: 'Administrator', raised_by: growingOwner };
  const portal = { owner: growingOwner, raised_by: growingOwner };

  test.each<[string, 'accept' | 'hold', Record<string, unknown>, boolean]>([
    ['the company’s own address, signed in', 'hold', portal, true],
    ['by mail, where claims are held', 'hold', mail, false],
    ['by mail, where claims are accepted', 'accept', mail, true],
    ['a claim, where claims are accepted', 'accept', byStranger, false],
    ['an agent’s entry', 'accept', byAgent, false],
  ])('becomes the company of its ticket by the company’s own address alone: %s', async (_, claims, by, becomes) => {
    const w = pipelineWorld({ claims });
    w.desk.customers.set('Khách quen');
    w.desk.insert('1', withOrgId(growing, by));
    w.desk.setsCustomer('1', 'Khách quen', service);
    await w.run('1');
    expect(w.desk.customers.get('Khách quen')?.platformOrgId).toBe(becomes ? growing : undefined);
    expect(standing(w, '1')).toMatchObject({ group: grow, customer: 'Khách quen' });
    expect(w.desk.routingOf('1').segment).toBe(becomes ? 'Medium' : null);
    expect((await w.decided('1'))?.inputs.adoption).toEqual({
      customer: 'Khách quen',
      done: becomes,
    });
  });

  test.each(['accept', 'hold'] as const)(
    'decides itself where the CRM does not have the org id: %s',
    async (claims) => {
      const w = pipelineWorld({ claims });
      w.desk.customers.set('Khách quen', { segment: 'Medium', shopPlan: 'Scale' });
      w.desk.insert('1', withOrgId('1234567', byAgent));
      w.desk.setsCustomer('1', 'Khách quen', service);
      await w.run('1');
      expect(standing(w, '1')).toMatchObject({ group: scale, customer: 'Khách quen' });
      expect(standing(w, '1').reason).toContain('Source=hd_customer.');
    },
  );

  test.each<[string, 'accept' | 'hold', Record<string, unknown>, string]>([
    ['the company’s where somebody vouches for it', 'hold', mail, grow],
    ['what somebody has filled into it against a mere claim', 'accept', byStranger, cs],
  ])('that has not become the company decides by %s', async (_, claims, by, group) => {
    const w = pipelineWorld({ claims });
    w.desk.customers.set('Khách quen', { segment: 'SME' });
    w.desk.insert('1', withOrgId(growing, by));
    w.desk.setsCustomer('1', 'Khách quen', service);
    await w.run('1');
    expect(standing(w, '1').group).toBe(group);
    expect((await w.decided('1'))?.inputs.adoption?.done).toBe(false);
  });

  test('has not become the company where it is deleted at that moment, and its unknown segment is not told', async () => {
    const w = pipelineWorld();
    w.crm.answer = () =>
      matched(sampleCompany({ emails: [growingOwner] }, { customer_segment: '99', customer_segment_code: '99' }));
    w.desk.customers.set('Khách quen');
    w.desk.insert('1', withOrgId(medium, portal));
    w.desk.setsCustomer('1', 'Khách quen', service);
    w.desk.helpdesk.customers.read = async () => null;
    await w.run('1');
    const { adoption, unnamed_segment } = (await w.decided('1'))?.inputs ?? {};
    expect([adoption, unnamed_segment]).toEqual([{ customer: 'Khách quen', done: false }, undefined]);
  });

  test('gets the shop’s domain with the company', async () => {
    const w = pipelineWorld();
    w.desk.customers.set('Khách quen');
    w.desk.insert('1', withOrgId(growing, { ...portal, custom_store_url: 'tiem-hoa.myplatform.example' }));
    w.desk.setsCustomer('1', 'Khách quen', service);
    await w.run('1');
    expect(w.desk.customers.get('Khách quen')?.myplatform).toBe('tiem-hoa.myplatform.example');
  });

  test('does not by what the CRM has said before it failed', async () => {
    const w = pipelineWorld({ ttlMinutes: 60 });
    await w.route('0', withOrgId(growing, byStranger));
    w.desk.remove('HD Customer', standing(w, '0').customer ?? '');
    w.clock.advance(2 * 3_600_000);
    w.crm.isDown = true;
    w.desk.customers.set('Khách quen');
    w.desk.insert('1', withOrgId(growing, portal));
    w.desk.setsCustomer('1', 'Khách quen', service);
    await w.run('1');
    expect(w.desk.customers.get('Khách quen')?.platformOrgId).toBeUndefined();
  });

  test('does again where somebody has only blanked its org id, and as another company once that one is undone', async () => {
    const w = pipelineWorld();
    const ofSmall = w.crm.answer(small);
    if (ofSmall.kind === 'found') ofSmall.companies[0].emails.push(growingOwner);
    w.desk.customers.set('A');
    const comes = async (name: string, orgId: string) => {
      w.desk.insert(name, withOrgId(orgId, portal));
      w.desk.setsCustomer(name, 'A', service);
      await w.run(name);
      return w.desk.customers.get('A')?.platformOrgId;
    };
    expect(await comes('1', growing)).toBe(growing);
    w.desk.put('HD Customer', 'A', { custom_platform_orgid: null, custom_crm_company_id: null });
    expect(await comes('2', growing)).toBe(growing);
    for (const { id } of w.store.rows.adoptions) await undoAdoption(w.ctx, id);
    expect(await comes('3', small)).toBe(small);
  });

  test('does not, where another has the org id, a website user manages it, or somebody has undone it', async () => {
    const w = pipelineWorld();
    for (const name of ['A', 'B', 'C']) w.desk.customers.set(name);
    w.desk.insert('1', withOrgId(growing, portal));
    w.desk.setsCustomer('1', 'A', service);
    w.desk.put('Contact', 'manager', { owner: 'an@desk.example', user: growingOwner });
    w.desk.put('HD Customer', 'A', { contacts: [{ contact_name: 'manager', is_manager: 1 }] });
    w.desk.openToAll('HD Customer');
    await w.run('1');
    expect(w.desk.customers.get('A')?.platformOrgId).toBeUndefined();
    w.desk.put('HD Customer', 'A', { contacts: [] });
    w.desk.insert('2', withOrgId(growing, portal));
    w.desk.setsCustomer('2', 'B', service);
    await w.run('2');
    expect(w.desk.customers.get('B')?.platformOrgId).toBe(growing);
    w.desk.insert('3', withOrgId(growing, portal));
    w.desk.setsCustomer('3', 'C', service);
    await w.run('3');
    expect(w.desk.customers.get('C')?.platformOrgId).toBeUndefined();
    const { id } = w.store.rows.adoptions[0] ?? { id: '' };
    await undoAdoption(w.ctx, id);
    w.desk.insert('4', withOrgId(growing, portal));
    w.desk.setsCustomer('4', 'B', service);
    await w.run('4');
    expect(w.desk.customers.get('B')?.platformOrgId).toBeUndefined();
  });
});

test('a ticket whose decisions have been deleted is never decided as new, another of its name is', async () => {
  const w = pipelineWorld();
  const { creation } = w.desk.insert('0036', withOrgId(medium));
  await decisions.add(w.db, decisionDraft('0036', { ticket_creation: String(creation) }), 0, null);
  expect(await forget(w.store.db, w.desk.keyOf('0036'), w.clock() + 1)).toBe(true);
  expect(await w.run('0036')).toBeNull();
  expect(w.rows.decisions).toEqual([]);
  expect(w.desk.writes).toEqual([]);
  w.desk.remove('HD Ticket', '0036');
  w.clock.advance(60_000);
  await w.route('0036', withOrgId(medium));
  expect(standing(w, '0036').group).toBe(scale);
});

test('a ticket that was made under the name of the one that came in is not routed in its place', async () => {
  const w = pipelineWorld({ ticket: withOrgId(medium) });
  const work = { ...w.desk.keyOf('1'), foundBy: 'sweep', since: w.clock(), attempts: 0, revision: 1 } as const;
  w.desk.remove('HD Ticket', '1');
  w.clock.advance(1_000);
  w.desk.insert('1', withOrgId(medium));
  expect(await routeTicket(w.ctx, work)).toBeNull();
  expect(standing(w, '1').group).toBeNull();
});

test('a ticket that is older than our memory is never decided as new', async () => {
  const w = pipelineWorld({ ticket: withOrgId(medium) });
  w.clock.advance(w.ctx.retentionMs + 1_000);
  w.desk.insert('2', withOrgId(medium));
  for (const name of ['1', '2']) await w.run(name);
  expect(w.rows.decisions.map(({ ticket }) => ticket)).toEqual(['2']);
  expect(standing(w, '1')).toMatchObject({ group: null, assigned: [] });
});

test('what somebody types while it is decided stays', async () => {
  const w = pipelineWorld({ ticket: withOrgId(null, { description: saysOrgId }) });
  w.crm.whileAsking = () => w.desk.changes('1', 'an@desk.example', { custom_orgid: small });
  await w.run('1');
  expect(w.desk.routingOf('1').orgId).toBe(small);
});

test('a ticket that was answered while the service was down gets its team, and nobody is given it', async () => {
  const w = pipelineWorld({ ticket: withOrgId(medium) });
  w.desk.personReplies('1');
  w.desk.insert('2', withOrgId(medium));
  w.desk.personSetsStatus('2', 'Closed');
  for (const name of ['1', '2']) {
    await w.run(name);
    expect(standing(w, name)).toMatchObject({ group: scale, assigned: [] });
  }
});

describe('a customer that the helpdesk refuses', () => {
  test.each([
    [
      'a mandatory field',
      (w: PipelineWorld) => w.desk.addRule('HD Customer', { reqd: 1 }),
      'HD Customer needs Industry',
    ],
    [
      'an account that may not write it',
      (w: PipelineWorld) => w.desk.closeCustomers(),
      "Deskside's account may not write HD Customer",
    ],
  ])('for %s: the ticket is routed at once, says why, and is left alone afterwards', async (_, setUp, refusal) => {
    const w = pipelineWorld();
    setUp(w);
    expect(await w.route('1', withOrgId(medium))).toBeNull();
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
    expect(standing(w, '1').reason).toContain(`No customer was written: ${refusal}.`);
    expect(w.desk.routingOf('1')).toMatchObject({ status: 'Complete', error: `Helpdesk: ${refusal}.` });
    expect((await w.decided('1'))?.inputs.write_refused).toBe(refusal);
    expect(w.desk.writes.filter((write) => write.startsWith('create'))).toEqual([]);
    const { reads } = w.desk;
    await w.run('1');
    expect(w.desk.reads - reads).toBeLessThan(3);
  });
});

test('a customer that another ticket brings up to date meanwhile decides by what it says then', async () => {
  const w = pipelineWorld();
  await w.route('1', withOrgId(medium, byAgent));
  const customer = w.desk.customerOf('1') ?? '';
  const now = Object.fromEntries(
    Object.entries(w.desk.document('HD Customer', customer) ?? {}).filter(([field]) =>
      /_(name|modified_at)$/.test(field),
    ),
  );
  const before = { custom_shopplan_name: 'STANDARD', custom_crm_company_modified_at: '2020-01-01 00:00:00' };
  w.desk.put('HD Customer', customer, before);
  w.desk.insert('2', withOrgId(medium, { ...byAgent, customer }));
  w.clock.advance(1_000);
  const custom_crm_last_checked_at = stampAt(w.clock()).slice(0, 19);
  w.crm.whileAsking = () => w.desk.save('HD Customer', customer, { ...now, custom_crm_last_checked_at });
  await w.run('2');
  expect(standing(w, '2')).toMatchObject({ customer, group: scale });
});

describe('a new customer’s custom_myplatform', () => {
  const slug = 'tiem-hoa.myplatform.example';
  const atShop = (values = {}) => withOrgId(null, { custom_store_url: slug, ...values });
  const domainOf = (w: PipelineWorld) => w.desk.customers.get(w.desk.customerOf('1') ?? '')?.myplatform ?? null;

  test('is the domain at which the platform itself tells the org id, whoever names it', async () => {
    const w = pipelineWorld();
    w.shops.set(slug, { orgId: medium });
    await w.route('1', atShop());
    expect(domainOf(w)).toBe(slug);
  });

  test.each([
    ['somebody vouches for', { byAgent }, slug],
    ['is only claimed', {}, null],
  ])('is the domain beside an org id that %s: %s', async (_, values, expected) => {
    const w = pipelineWorld();
    await w.route('1', withOrgId(medium, { custom_store_url: slug, ...('byAgent' in values ? byAgent : {}) }));
    expect(w.desk.routingOf('1').platformDomain).toBe(slug);
    expect(domainOf(w)).toBe(expected);
  });

  test('is what the ticket told of a claim that a Sync confirms', async () => {
    const w = pipelineWorld({ claims: 'hold' });
    await w.route('1', withOrgId(medium, { custom_store_url: slug }));
    expect(w.desk.customerOf('1')).toBeNull();
    await w.sync('1', medium);
    expect(domainOf(w)).toBe(slug);
  });

  test('is not that of another shop', async () => {
    const w = pipelineWorld();
    await w.route('1', withOrgId(medium, { custom_store_url: slug }));
    await w.sync('1', growing);
    expect(domainOf(w)).toBeNull();
  });
});
