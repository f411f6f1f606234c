import type { Finding } from '@deskside/shared/routing';
import { describe, expect, test } from 'vitest';
import { currentOrgId, hdCustomer } from '#app/testing/fake-helpdesk.ts';
import { service } from '#app/testing/fake-tickets.ts';
import {
  cs,
  grow,
  growing,
  medium,
  pipelineWorld,
  retentionMs,
  scale,
  small,
  standing,
  withOrgId,
} from '#app/testing/pipeline-kit.ts';
import { HelpdeskError } from '#ports/helpdesk.ts';

/** What intake finds in a ticket's description. */
const inText: Finding = {
  ...{ kind: 'org_id', value: medium, source: 'text', field: 'description', quote: '', address: null },
};

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
    const facts = { custom_customer_segment: 'Medium', custom_shopplan_name: 'OMNI SCALE' };
    const customer = hdCustomer(name, { custom_platform_orgid: medium, ...facts });
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
    w.intake = { ...w.intake, orgId: medium, findings: [finding] };
    w.tickets.insert('1', withOrgId(null));
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
    const finding = { ...inText, source: 'store_url', field: 'custom_store_url' } as const;
    w.intake = { ...w.intake, orgId: medium, platformDomain: 'a.myplatform.example', findings: [finding] };
    const customer = hdCustomer(`Shop ${small} - ${small}`, { custom_platform_orgid: small });
    w.tickets.insert('1', { ...withOrgId(null), customer });
    await w.run('1');
    const decision = await w.decisions.latest('1');
    expect(decision?.inputs).toMatchObject({ org_id: { value: orgId }, findings: [finding] });
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

describe('a group on the ticket', () => {
  test('that a person set is kept, nobody is assigned, and the forged reason goes', async () => {
    const w = pipelineWorld();
    w.tickets.insert('1', {
      ...withOrgId(medium, { agentGroup: grow }),
      reason: 'Auto-routed: forged',
      modifiedBy: 'an@desk.example',
    });
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: grow, reason: `Manual routing kept: ${grow}.`, assigned: [] });
  });

  test('that comes between decision and write stays, and our assignment is taken back', async () => {
    const w = pipelineWorld();
    w.tickets.insert('1', withOrgId(medium));
    w.tickets.meanwhile.push(() => w.tickets.personSetsGroup('1', cs));
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: cs, reason: `Manual routing kept: ${cs}.`, assigned: [] });
    const [decision] = await w.decisions.list('1');
    expect(decision).toMatchObject({ state: 'overruled', assignment: { state: 'withdrawn' } });
    expect(await w.run('1')).toEqual({ again: null });
  });

  test('another edit in between costs a second look, no more', async () => {
    const w = pipelineWorld();
    w.tickets.insert('1', withOrgId(medium));
    w.tickets.meanwhile.push(
      () => {},
      () => w.tickets.personSetsStatus('1', 'Open'),
    );
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
  });

  test('that was decided before the insert is known again by the ticket’s key', async () => {
    const w = pipelineWorld();
    await w.decisions.keepPreliminary({ key: 'key-1', team: scale, reason: 'Auto-routed: x', at: 0 });
    w.tickets.agents.add('x@desk.example');
    w.tickets.insert('1', withOrgId(medium, { agentGroup: scale }));
    w.tickets.insert('2', { ...withOrgId(medium, { agentGroup: scale }), modifiedBy: 'x@desk.example' });
    await w.run('1');
    await w.run('2');
    expect(standing(w, '1').assigned).toEqual(['an@desk.example']);
    expect((await w.decisions.latest('1'))?.cause).toBe('before_insert');
    expect(standing(w, '2')).toMatchObject({ assigned: [], reason: `Manual routing kept: ${scale}.` });
  });
});

describe('claims: propose', () => {
  const sender = { owner: 'evil@mail.example', raisedBy: 'evil@mail.example', viaCustomerPortal: true };

  test('a claim neither links nor reaches a Medium team, not even with a group that the sender set', async () => {
    const w = pipelineWorld({ claims: 'propose' });
    for (const rule of [scale, cs]) w.tickets.nativeRules.add(rule);
    w.tickets.insert('1', withOrgId(medium, { origin: sender, agentGroup: scale }));
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: cs, customer: null, assigned: ['hoa@desk.example'] });
    const decision = await w.decisions.latest('1');
    expect(decision).toMatchObject({
      link: { done: false, previous: null },
      inputs: { agent_group: { set_by: 'sender' } },
    });
  });

  test('who belongs to the company is believed', async () => {
    const w = pipelineWorld({ claims: 'propose' });
    w.ties = { customers: [{ name: 'Shop', linkedBy: 'desk' }] };
    w.tickets.insert('1', withOrgId(medium, { origin: sender }));
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, customer: `Shop ${medium} - ${medium}` });
  });

  test('an agent’s entry is believed, but only while nobody has written the ticket since', async () => {
    const w = pipelineWorld({ claims: 'propose' });
    const origin = { owner: 'an@desk.example', raisedBy: 'vy@shop.example', viaCustomerPortal: false };
    w.tickets.insert('1', withOrgId(medium, { origin }));
    w.tickets.insert('2', { ...withOrgId(medium, { origin }), modifiedBy: 'vy@shop.example' });
    await w.run('1');
    await w.run('2');
    expect(standing(w, '1').group).toBe(scale);
    expect((await w.decisions.latest('1'))?.inputs.org_id?.trust).toMatchObject({
      level: 'confirmed',
      evidence: [{ code: 'entered_by_agent', value: 'an@desk.example' }, {}],
    });
    expect(standing(w, '2').group).toBe(cs);
  });
});

test('a claim never takes a ticket from the customer that it has, nor turns that customer into another (decision 10)', async () => {
  for (const own of [null, small]) {
    const w = pipelineWorld();
    const customer = hdCustomer('Khách lẻ', { custom_platform_orgid: own, custom_customer_segment: 'SME' });
    w.tickets.insert('1', { ...withOrgId(medium), customer });
    await w.run('1');
    // Of two claims the ticket's own comes first; a customer without org id is no claim.
    expect(standing(w, '1')).toMatchObject({ customer: 'Khách lẻ', group: own === null ? cs : scale });
  }
});

describe('assignment', () => {
  test('an open assignment is left alone, whoever made it', async () => {
    const w = pipelineWorld();
    w.tickets.insert('1', withOrgId(medium));
    w.tickets.personAssigns('1', 'linh@desk.example');
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['linh@desk.example'] });
    expect((await w.decisions.latest('1'))?.assignment).toMatchObject({ state: 'already_assigned', agent: null });
  });

  test('somebody else’s that appears at the same moment wins: ours is withdrawn, theirs never', async () => {
    const w = pipelineWorld();
    w.tickets.insert('1', withOrgId(medium));
    w.tickets.meanwhile.push(() => void w.tickets.personAssigns('1', 'linh@desk.example'));
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['linh@desk.example'] });
  });

  test('native rules change nothing about it', async () => {
    const w = pipelineWorld();
    w.tickets.nativeRules.add(scale);
    for (const name of ['1', '2', '3', '4']) {
      w.tickets.insert(name, withOrgId(medium));
      await w.run(name);
    }
    const expected = ['an@desk.example', 'binh@desk.example', 'an@desk.example', 'binh@desk.example'];
    expect(['1', '2', '3', '4'].map((name) => standing(w, name).assigned)).toEqual(expected.map((user) => [user]));
  });

  test.each(['before', 'after'] as const)(
    'a crash %s the assignment is made up for, with the same agent',
    async (when) => {
      const w = pipelineWorld();
      w.tickets.insert('1', withOrgId(medium));
      w.tickets.failNext('assign', new HelpdeskError('timeout', 'late'), when);
      await expect(w.run('1')).rejects.toBeInstanceOf(HelpdeskError);
      expect((await w.decisions.latest('1'))?.state).toBe('planned');
      await w.process().run('1');
      expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
      w.tickets.insert('2', withOrgId(medium));
      await w.run('2');
      expect(standing(w, '2').assigned).toEqual(['binh@desk.example']);
    },
  );

  test('a crash after the write of the group is made up for without another write', async () => {
    const w = pipelineWorld();
    w.tickets.insert('1', withOrgId(medium));
    w.tickets.failNext('writeRouting', new HelpdeskError('timeout', 'late'), 'after');
    await expect(w.run('1')).rejects.toBeInstanceOf(HelpdeskError);
    const writes = w.tickets.writes.length;
    await w.run('1');
    expect(w.tickets.writes).toHaveLength(writes);
    expect((await w.decisions.latest('1'))?.state).toBe('applied');
  });

  test('two of ours for the same agent become one', async () => {
    const w = pipelineWorld();
    w.tickets.insert('1', withOrgId(medium));
    const twice = w.tickets.personAssigns('1', 'an@desk.example', service);
    const text = `Auto round-robin assignment for ${scale}`;
    w.tickets.failNext('assign');
    twice.open = false;
    await w.run('1').catch(() => {});
    for (const _ of [1, 2]) w.tickets.personAssigns('1', 'an@desk.example', service).description = text;
    await w.run('1');
    expect(standing(w, '1').assigned).toEqual(['an@desk.example']);
  });
});

test('a target team that does not exist, or is disabled: no group, an alert, and another look later', async () => {
  for (const [disabled, why] of [
    [null, 'does not exist'],
    [true, 'is disabled'],
  ] as const) {
    const w = pipelineWorld();
    if (disabled === null) w.tickets.teams.delete(scale);
    else w.tickets.addTeam(scale, ['an@desk.example'], { disabled });
    w.tickets.insert('1', withOrgId(medium));
    const { again } = await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: null, assigned: [] });
    expect(standing(w, '1').reason).toMatch(
      new RegExp(`^Routing skipped: target team ${scale} ${why}\\. Auto-routed: `),
    );
    expect(w.tickets.tickets.get('1')?.stored).toMatchObject({
      status: 'API Error',
      error: `Routing: target team ${scale} ${why}.`,
    });
    expect(w.alerts).toEqual(['target_team_missing']);
    expect(again).not.toBeNull();
    w.clock.advance(60_000);
    expect((await w.run('1')).again).not.toBeNull();
    expect(await w.decisions.list('1')).toHaveLength(1);
    w.tickets.addTeam(scale, ['an@desk.example']);
    w.clock.advance(60_000);
    expect(await w.run('1')).toEqual({ again: null });
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
    expect(w.tickets.tickets.get('1')?.stored).toMatchObject({ status: 'Complete', error: '' });
  }
});

test.each([
  [{ crmEnabled: false }, 'CRM is switched off.'],
  [{ configured: false }, 'CRM is not configured.'],
])('without the CRM (%j) tickets go to SME and say why', async (options, note) => {
  const w = pipelineWorld(options);
  w.tickets.insert('1', withOrgId(medium));
  expect(await w.run('1')).toEqual({ again: null });
  expect(standing(w, '1').reason).toContain(note);
  expect(standing(w, '1').group).toBe(cs);
});

describe('what was seen at first counts, whatever happens before the decision is kept', () => {
  const agentMade = { owner: 'an@desk.example', raisedBy: 'vy@shop.example', viaCustomerPortal: false };

  test('an agent’s entry, though linking has written the ticket since', async () => {
    const w = pipelineWorld({ claims: 'propose' });
    w.tickets.insert('1', withOrgId(medium, { origin: agentMade }));
    w.tickets.failNext('readTeam');
    await w.run('1').catch(() => {});
    await w.process().run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, assigned: ['an@desk.example'] });
    expect(await w.decisions.latest('1')).toMatchObject({
      inputs: { org_id: { trust: { level: 'confirmed' } } },
      link: { done: true, previous: null },
    });
  });

  test('a sender’s group stays the sender’s', async () => {
    const w = pipelineWorld({ claims: 'propose' });
    const origin = { owner: 'evil@mail.example', raisedBy: 'evil@mail.example', viaCustomerPortal: true };
    w.tickets.insert('1', withOrgId(medium, { origin, agentGroup: scale }));
    w.tickets.failNext('readTeam');
    await w.run('1').catch(() => {});
    w.tickets.setsCustomer('1', null, service);
    await w.process().run('1');
    expect(standing(w, '1').group).toBe(cs);
  });

  test('an org id that the service itself has written is no agent’s entry, whoever saves the ticket afterwards', async () => {
    const w = pipelineWorld({ claims: 'propose' });
    w.intake = { ...w.intake, orgId: medium, findings: [inText] };
    w.crmDown = true;
    w.tickets.insert('1', { ...withOrgId(null), ticket: { ...withOrgId(null).ticket, origin: agentMade } });
    await w.run('1');
    w.tickets.setsCustomer('1', null, 'an@desk.example');
    w.crmDown = false;
    w.clock.advance(60_000);
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: cs, customer: null });
    expect((await w.decisions.latest('1'))?.inputs.org_id?.trust?.level).toBe('claimed');
  });
});

describe('claims: propose, and a sender who writes at the right moment', () => {
  const stranger = { owner: 'evil@mail.example', raisedBy: 'evil@mail.example', viaCustomerPortal: true };

  test('another sender’s address is a claim, unless the desk wrote it down', async () => {
    for (const [owner, group] of [
      ['evil@mail.example', cs],
      ['Administrator', scale],
      ['an@desk.example', scale],
    ] as const) {
      const w = pipelineWorld({ claims: 'propose' });
      w.ties = { customers: [{ name: 'Shop', linkedBy: 'desk' }] };
      const origin = { owner, raisedBy: 'boss@shop.example', viaCustomerPortal: false };
      w.tickets.insert('1', { ...withOrgId(medium, { origin }), modifiedBy: 'boss@shop.example' });
      await w.run('1');
      expect([owner, standing(w, '1').group]).toEqual([owner, group]);
    }
  });

  test.each([
    ['an accomplice saved it last', stranger, 'accomplice@mail.example'],
    ['a mail whose sender set it', { ...stranger, owner: 'Administrator' }, 'evil@mail.example'],
    ['the service saved it last', stranger, service],
    ['the helpdesk saved it last', stranger, 'Administrator'],
  ])('a group that no agent set is not kept: %s', async (_, origin, modifiedBy) => {
    const w = pipelineWorld({ claims: 'propose' });
    w.tickets.insert('1', { ...withOrgId(medium, { origin, agentGroup: scale }), modifiedBy });
    await w.run('1');
    expect(standing(w, '1').group).toBe(cs);
  });

  test('a group that the sender sets while it is decided does not overrule the decision; an agent’s does', async () => {
    for (const [by, group] of [
      ['evil@mail.example', cs],
      ['an@desk.example', scale],
    ] as const) {
      const w = pipelineWorld({ claims: 'propose' });
      w.tickets.insert('1', withOrgId(medium, { origin: stranger }));
      w.whileAsking = () => w.tickets.personSetsGroup('1', scale, by);
      await w.run('1');
      expect([by, standing(w, '1').group]).toEqual([by, group]);
    }
  });

  test('an agent’s word for one org id is none for the customer that stands on the ticket', async () => {
    const w = pipelineWorld({ claims: 'propose' });
    const origin = { owner: 'an@desk.example', raisedBy: 'vy@shop.example', viaCustomerPortal: false };
    const customer = hdCustomer('Khác', {
      custom_platform_orgid: medium,
      custom_customer_segment: 'Medium',
      custom_shopplan_name: 'Scale',
    });
    w.tickets.insert('1', { ...withOrgId('1234567', { origin }), customer });
    await w.run('1');
    expect(standing(w, '1').group).toBe(cs);
  });
});

test('a customer without identity is never made into another company by the pipeline', async () => {
  const w = pipelineWorld();
  w.ties = { customers: [{ name: 'Shop', linkedBy: 'desk' }] };
  w.tickets.insert('1', { ...withOrgId(medium), customer: hdCustomer('Khách lẻ') });
  w.tickets.insert('2', withOrgId(medium));
  await w.run('1');
  await w.run('2');
  expect(w.adopting).not.toContain(true);
  expect(w.adopting.length).toBeGreaterThan(0);
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
  w.decisions.tombstones.set('0036', creation);
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
  w.intake = { ...w.intake, orgId: medium, findings: [inText] };
  w.tickets.insert('1', withOrgId(null));
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
