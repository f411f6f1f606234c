import { describe, expect, test } from 'vitest';
import { hdCustomer } from '#app/testing/fake-helpdesk.ts';
import { service } from '#app/testing/fake-tickets.ts';
import { medium, small } from '#app/testing/pipeline/pipeline-crm.ts';
import { pipelineWorld, saysOrgId, standing, withOrgId } from '#app/testing/pipeline/pipeline-kit.ts';
import { cs, scale } from '#app/testing/pipeline/pipeline-rules.ts';

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
    w.crmDown = true;
    w.tickets.insert('1', { ...withOrgId(null, { origin: agentMade }), description: saysOrgId });
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
