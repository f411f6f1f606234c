import { describe, expect, test, vi } from 'vitest';
import { currentOrgId, hdCustomer } from '#app/testing/fake-helpdesk.ts';
import { service } from '#app/testing/fake-tickets.ts';
import { decisionDraft } from '#app/testing/pipeline/decision-draft.ts';
import { growing, medium, small, upToDate } from '#app/testing/pipeline/pipeline-crm.ts';
import {
  type PipelineWorld,
  pipelineWorld,
  retentionMs,
  saysOrgId,
  standing,
  storeAt,
  withOrgId,
} from '#app/testing/pipeline/pipeline-kit.ts';
import { cs, grow, scale } from '#app/testing/pipeline/pipeline-rules.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';

describe('a new ticket', () => {
  test.each([
    ['a Medium shop on Scale', medium, scale, 'an@desk.example'],
    ['a Medium shop on Grow', growing, grow, 'dung@desk.example'],
    ['an SME shop', small, cs, 'hoa@desk.example'],
    ['an org id that the CRM does not have', '1234567', cs, 'hoa@desk.example'],
  ])('of %s gets customer, team and agent', async (_, orgId, team, agent) => {
    const w = pipelineWorld();
    w.tickets.insert('1', withOrgId(orgId));
    expect(await w.run('1')).toEqual({ again: null });
    expect(standing(w, '1')).toMatchObject({ group: team, assigned: [agent] });
    expect(standing(w, '1').reason).toMatch(/^Auto-routed: /);
    const [decision] = await w.decisions.list('1');
    expect(decision).toMatchObject({ number: 1, cause: 'webhook', state: 'applied', outcome: { team } });
    expect(decision?.assignment).toMatchObject({ state: 'assigned', agent });
    expect(decision?.assignment.candidates[0]).toEqual({ user: agent, reason: 'next_in_turn' });
  });

  test('is assigned before its group is set, in two writes in all after linking', async () => {
    const w = pipelineWorld();
    w.tickets.insert('1', withOrgId(medium));
    await w.run('1');
    expect(w.tickets.writes.map((write) => write.split(' ')[0])).toEqual(['assign', 'route']);
  });

  test('that is run again, or by two processes at once, is decided once and assigned once', async () => {
    const w = pipelineWorld();
    w.tickets.insert('1', withOrgId(medium));
    await w.run('1');
    const writes = [...w.tickets.writes];
    await w.run('1');
    expect(w.tickets.writes).toEqual(writes);
    w.tickets.insert('2', withOrgId(medium));
    const other = w.process();
    await Promise.all([w.run('2'), other.run('2')]);
    await w.run('2');
    expect(standing(w, '2')).toMatchObject({ group: scale, assigned: ['binh@desk.example'] });
    expect(await w.decisions.list('2')).toHaveLength(1);
  });

  test('whose customer is being changed by others at the same moment is tried again until it is linked', async () => {
    const w = pipelineWorld();
    w.tickets.insert('1', withOrgId(medium));
    const shop = `Shop ${medium} - ${medium}`;
    w.records.customers.set(shop, { platformOrgId: medium });
    const edit = () => w.records.edit(shop, {});
    w.records.meanwhile.push(edit, edit, edit);
    await expect(w.run('1')).rejects.toMatchObject({ code: 'changed_since' });
    expect(standing(w, '1')).toMatchObject({ group: null, customer: null });
    await w.run('1', 1);
    expect(standing(w, '1')).toMatchObject({ group: scale, customer: expect.stringContaining(medium) });
  });

  test.each([
    [
      'for which the helpdesk answers badly again and again',
      'helpdesk_bad_answer',
      5,
      ({ records }: PipelineWorld) => {
        records.failure = new HelpdeskError('bad_answer', 'not JSON');
      },
    ],
    [
      'whose name another customer has',
      'identity_conflict',
      0,
      ({ records }: PipelineWorld) => records.customers.set(`Shop ${medium} - ${medium}`, { platformOrgId: small }),
    ],
  ] as const)('of a customer %s is routed by what the CRM says of the company', async (_, code, attempts, prepare) => {
    const w = pipelineWorld();
    w.tickets.insert('1', withOrgId(medium));
    prepare(w);
    if (attempts > 0) await expect(w.run('1', attempts - 1)).rejects.toMatchObject({ code });
    await w.run('1', attempts);
    expect(standing(w, '1')).toMatchObject({ group: scale, customer: null });
    const [decision] = await w.decisions.list('1');
    expect(decision?.outcome).toMatchObject({ segment_source: 'crm', status: 'Complete' });
    expect(w.complaints).toContain('A ticket is routed without being enriched');
  });

  test.each([
    ['is linked already', `Shop ${medium} - ${medium}`],
    ['could not be linked', null],
  ])('is routed by the company where its customer cannot be written, shows no segment and %s', async (_, linked) => {
    const w = pipelineWorld();
    const name = `Shop ${medium} - ${medium}`;
    w.records.customers.set(name, { platformOrgId: medium });
    w.tickets.customers.push({ name, segment: null, shopPlan: null, checkedAt: null });
    const customer = linked === null ? null : hdCustomer(name, { custom_platform_orgid: medium });
    w.tickets.insert('1', { ...withOrgId(medium, { customer: linked }), customer });
    w.records.failure = new HelpdeskError('bad_answer', 'not JSON');
    await w.run('1', 5);
    expect(standing(w, '1').group).toBe(scale);
    const [decision] = await w.decisions.list('1');
    expect(decision?.outcome).toMatchObject({ segment: 'Medium', segment_source: 'crm', status: 'Complete' });
  });

  test('without org id goes to SME as the specification words it', async () => {
    const w = pipelineWorld();
    w.tickets.insert('1', withOrgId(null));
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({
      group: cs,
      reason: 'Auto-routed: Missing OrgID. Customer Segment=-, Shopplan=-, Source=default. Target team=CS 60p.',
    });
    expect(w.asked).toEqual([]);
  });

  test('without org id takes that of its customer', async () => {
    const w = pipelineWorld();
    const customer = hdCustomer(`Shop ${medium} - ${medium}`, { custom_platform_orgid: medium });
    w.tickets.insert('1', { ...withOrgId(null), customer });
    await w.run('1');
    const [decision] = await w.decisions.list('1');
    expect(decision?.inputs.org_id).toMatchObject({ value: medium, source: 'customer' });
  });

  test('is decided by one company: its org id, its CRM answer and its reason', async () => {
    const w = pipelineWorld({ claims: 'route' });
    const name = `Shop ${medium} - ${medium}`;
    const customer = hdCustomer(name, { custom_platform_orgid: medium });
    // The CRM has nothing new, so what somebody has changed since stays.
    const facts = { segment: 'Medium', shopPlan: 'OMNI SCALE', ...upToDate };
    w.records.customers.set(name, { platformOrgId: medium, ...facts });
    // The sender typed an org id that nobody has; an agent has linked the ticket to its customer.
    w.tickets.insert('1', { ...withOrgId('299999999', { customer: name }), customer });
    const entry = { ticket: '1', agent: 'an@desk.example', crmCompanyId: '1', previousCustomer: null, at: 1 };
    await w.syncLog.record({ ...entry, orgId: medium, customer: name });
    await w.run('1');
    const decision = await w.decisions.latest('1');
    expect(decision?.inputs).toMatchObject({
      org_id: { value: medium, source: 'customer', trust: { level: 'confirmed' } },
      crm: { status: 'matched' },
    });
    expect(standing(w, '1').reason).toBe(
      `Auto-routed: Customer Segment=Medium, Shopplan=OMNI SCALE, Source=hd_customer. Target team=${scale}.`,
    );
  });

  test('of a customer whose record has no segment takes its company’s, and says so', async () => {
    const w = pipelineWorld();
    const name = `Shop ${medium} - ${medium}`;
    const customer = hdCustomer(name, { custom_platform_orgid: medium });
    // Somebody has blanked it, and the CRM has nothing new.
    w.records.customers.set(name, { platformOrgId: medium, ...upToDate });
    w.tickets.insert('1', { ...withOrgId(null, { customer: name }), customer });
    await w.run('1');
    expect(standing(w, '1').reason).toBe(
      `Auto-routed: Customer Segment=Medium, Shopplan=OMNI SCALE 2025 (1 năm), Source=crm. Target team=${scale}.`,
    );
  });

  test('keeps what intake found, and the ticket is told', async () => {
    const w = pipelineWorld();
    const finding = {
      kind: 'org_id',
      value: medium,
      source: 'meta_json',
      field: 'custom_store_url',
      quote: 'tiemhoamau.example',
      address: 'https://tiemhoamau.example/meta.json',
    } as const;
    w.shops.set('tiemhoamau.example', { orgId: medium });
    w.tickets.insert('1', { ...withOrgId(null), intakeFields: storeAt('tiemhoamau.example') });
    await w.run('1');
    expect(w.tickets.writes.at(-1)).toContain('orgId');
    const [decision] = await w.decisions.list('1');
    expect(decision?.inputs).toMatchObject({
      org_id: { source: 'meta_json', trust: { level: 'claimed' } },
      findings: [finding],
    });
  });

  test.each([
    ['the customer’s, vouched for', true, small, 'SME', ` The ticket names another shop, OrgID ${medium}.`],
    ['the ticket’s, of two claims', false, medium, 'Medium', ''],
  ])('that names another shop than its customer is told so: %s counts', async (_, isVouched, orgId, segment, note) => {
    const w = pipelineWorld();
    if (isVouched) w.ties = { customers: [{ name: `Shop ${small} - ${small}`, linkedBy: 'desk' }] };
    w.tiesOf = small;
    const finding = { kind: 'org_id', value: medium, source: 'store_url', field: 'custom_store_url' };
    const domain = { kind: 'platform_domain', value: 'a.myplatform.example' };
    const customer = hdCustomer(`Shop ${small} - ${small}`, { custom_platform_orgid: small });
    w.tickets.insert('1', { ...withOrgId(null), customer, intakeFields: storeAt(`${saysOrgId}, ${domain.value}`) });
    await w.run('1');
    const decision = await w.decisions.latest('1');
    expect(decision?.inputs).toMatchObject({ org_id: { value: orgId }, findings: [finding, domain] });
    expect(standing(w, '1').reason).toMatch(new RegExp(`Customer Segment=${segment}, .*${note}$`));
    const stored = w.tickets.tickets.get('1')?.stored;
    expect(stored?.orgId).toBe(orgId);
    expect(stored?.platformDomain ?? null).toBe(isVouched ? null : 'a.myplatform.example');
  });

  test('that is gone is no work, and one that the helpdesk fails to show is tried again', async () => {
    const w = pipelineWorld();
    expect(await w.run('9')).toEqual({ again: null });
    w.tickets.insert('1', withOrgId(medium));
    w.tickets.failNext('readPipelineTicket');
    await expect(w.run('1')).rejects.toBeInstanceOf(HelpdeskError);
  });
});

test('whether a ticket is a proof is asked for those of the service account alone', async () => {
  const w = pipelineWorld();
  const asked = vi.spyOn(w.upkeep, 'proof');
  w.tickets.insert('1', withOrgId(medium));
  await w.run('1');
  expect(asked).not.toHaveBeenCalled();
  const origin = { owner: service, raisedBy: service, viaCustomerPortal: false };
  w.tickets.insert('2', withOrgId(medium, { origin }));
  await w.run('2');
  expect(asked).toHaveBeenCalled();
  expect(standing(w, '2').group).toBe(scale);
});

test('a customer without identity is never made into another company by the pipeline', async () => {
  const w = pipelineWorld();
  w.ties = { customers: [{ name: 'Shop', linkedBy: 'desk' }] };
  w.tickets.insert('1', { ...withOrgId(medium), customer: hdCustomer('Khách lẻ') });
  w.tickets.insert('2', withOrgId(medium));
  // By now the company has a customer.
  w.tickets.insert('3', { ...withOrgId(medium), customer: hdCustomer('Khách quen') });
  for (const name of ['1', '2', '3']) await w.run(name);
  for (const name of ['Khách lẻ', 'Khách quen'])
    expect(w.records.customers.get(name)).toMatchObject({ platformOrgId: undefined, crmCompanyId: undefined });
  expect(standing(w, '2').customer).toBe(`Shop ${medium} - ${medium}`);
});

test('a name that a deleted ticket had before is another ticket, and its own decisions are told alone', async () => {
  const w = pipelineWorld();
  w.tickets.insert('0036', withOrgId(small));
  await w.run('0036');
  w.tickets.tickets.delete('0036');
  w.tickets.assignments.length = 0;
  w.clock.advance(60_000);
  w.tickets.insert('0036', withOrgId(medium));
  await w.run('0036');
  expect(standing(w, '0036')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
  const [latest, older] = await w.decisions.list('0036');
  expect([latest?.number, older?.number]).toEqual([2, 1]);
  expect(latest?.inputs.ticket_creation).not.toBe(older?.inputs.ticket_creation);
});

test('a ticket whose decisions have been deleted is never decided as new, another of its name is', async () => {
  const w = pipelineWorld();
  const { creation } = w.tickets.insert('0036', withOrgId(medium));
  await w.decisions.add(decisionDraft('0036', { ticket_creation: creation }), 0, null);
  expect(await w.store.ticketMemory.forget('0036', w.clock() + 1, w.clock())).toBe(true);
  expect(await w.run('0036')).toEqual({ again: null });
  expect(w.decisions.all).toEqual([]);
  expect(w.tickets.writes).toEqual([]);
  w.clock.advance(60_000);
  w.tickets.insert('0036', withOrgId(medium));
  await w.run('0036');
  expect(standing(w, '0036').group).toBe(scale);
});

test('a ticket that is older than our memory is never decided as new', async () => {
  const w = pipelineWorld();
  w.tickets.insert('1', withOrgId(medium));
  w.clock.advance(retentionMs + 1_000);
  w.tickets.insert('2', withOrgId(medium));
  for (const name of ['1', '2']) await w.run(name);
  expect(w.decisions.all.map(({ ticket }) => ticket)).toEqual(['2']);
  expect(standing(w, '1')).toMatchObject({ group: null, assigned: [] });
});

test('what somebody types while it is decided stays', async () => {
  const w = pipelineWorld();
  w.tickets.insert('1', { ...withOrgId(null), description: saysOrgId });
  w.whileAsking = () => {
    const ticket = w.tickets.tickets.get('1');
    if (ticket) ticket.file.ticket.orgIdFields = [currentOrgId(small)];
  };
  await w.run('1');
  expect(w.tickets.tickets.get('1')?.file.ticket.orgIdFields[0]?.value).toBe(small);
});

test('a ticket that was answered while the service was down gets its team, and nobody is given it', async () => {
  const w = pipelineWorld();
  w.tickets.insert('1', { ...withOrgId(medium), replied: true });
  w.tickets.insert('2', { ...withOrgId(medium), status: 'Closed' });
  for (const name of ['1', '2']) {
    await w.run(name);
    expect(standing(w, name)).toMatchObject({ group: scale, assigned: [] });
  }
});
