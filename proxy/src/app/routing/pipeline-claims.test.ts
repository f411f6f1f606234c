import { describe, expect, test } from 'vitest';
import { sender, service } from '#app/testing/desk-seed.ts';
import {
  byAgent,
  byStranger,
  pipelineWorld,
  saysOrgId,
  standing,
  stranger,
  withOrgId,
} from '#app/testing/pipeline/pipeline-kit.ts';
import { cs, grow, scale } from '#app/testing/pipeline/pipeline-rules.ts';
import { growing, growingOwner, medium, small } from '#app/testing/sample-companies.ts';

describe('claims: propose', () => {
  test('a claim neither links nor reaches a Medium team, not even with a group that the sender set', async () => {
    const w = pipelineWorld({ claims: 'propose' });
    for (const rule of [scale, cs]) w.desk.useNativeRule(rule);
    w.desk.insert('1', withOrgId(medium, { ...byStranger, agent_group: scale }));
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
    w.desk.customers.set('Shop', { platformOrgId: medium });
    w.desk.insert('1', withOrgId(medium, byStranger));
    w.desk.addMember('Shop', stranger);
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, customer: 'Shop' });
  });

  test('an agent’s entry is believed, but only while nobody has written the ticket since', async () => {
    const w = pipelineWorld({ claims: 'propose' });
    w.desk.insert('1', withOrgId(medium, byAgent));
    w.desk.insert('2', withOrgId(medium, byAgent));
    w.desk.changes('2', sender, {});
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
    w.desk.customers.set('Khách lẻ', { ...(own && { platformOrgId: own }), segment: 'SME' });
    w.desk.insert('1', withOrgId(medium, { customer: 'Khách lẻ' }));
    await w.run('1');
    // Of two claims the ticket's own comes first; a customer without org id is no claim.
    expect(standing(w, '1')).toMatchObject({ customer: 'Khách lẻ', group: own === null ? cs : scale });
  }
});

describe('what was seen at first counts, whatever happens before the decision is kept', () => {
  test('an agent’s entry, though linking has written the ticket since', async () => {
    const w = pipelineWorld({ claims: 'propose' });
    w.desk.insert('1', withOrgId(medium, byAgent));
    w.desk.failNext('readTeam');
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
    w.desk.insert('1', withOrgId(medium, { ...byStranger, agent_group: scale }));
    w.desk.failNext('readTeam');
    await w.run('1').catch(() => {});
    w.desk.setsCustomer('1', null, service);
    await w.process().run('1');
    expect(standing(w, '1').group).toBe(cs);
  });

  test('an org id that the service itself has written is no agent’s entry, whoever saves the ticket afterwards', async () => {
    const w = pipelineWorld({ claims: 'propose' });
    w.crm.isDown = true;
    w.desk.insert('1', withOrgId(null, { ...byAgent, description: saysOrgId }));
    await w.run('1');
    w.desk.setsCustomer('1', null, 'an@desk.example');
    w.crm.isDown = false;
    w.clock.advance(60_000);
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: cs, customer: null });
    expect((await w.decisions.latest('1'))?.inputs.org_id?.trust?.level).toBe('claimed');
  });
});

describe('claims: propose, and a sender who writes at the right moment', () => {
  test('another sender’s address is a claim, unless the desk wrote it down', async () => {
    for (const [owner, group] of [
      [stranger, cs],
      ['Administrator', grow],
      ['an@desk.example', grow],
    ] as const) {
      const w = pipelineWorld({ claims: 'propose' });
      w.desk.insert('1', withOrgId(growing, { owner, raised_by: growingOwner }));
      w.desk.changes('1', growingOwner, {});
      await w.run('1');
      expect([owner, standing(w, '1').group]).toEqual([owner, group]);
    }
  });

  test.each([
    ['an accomplice saved it last', stranger, 'accomplice@mail.example'],
    ['a mail whose sender set it', 'Administrator', stranger],
    ['the service saved it last', stranger, service],
    ['the helpdesk saved it last', stranger, 'Administrator'],
  ])('a group that no agent set is not kept: %s', async (_, owner, by) => {
    const w = pipelineWorld({ claims: 'propose' });
    w.desk.insert('1', withOrgId(medium, { ...byStranger, owner, agent_group: scale }));
    w.desk.changes('1', by, {});
    await w.run('1');
    expect(standing(w, '1').group).toBe(cs);
  });

  test('a group that the sender sets while it is decided does not overrule the decision; an agent’s does', async () => {
    for (const [by, group] of [
      [stranger, cs],
      ['an@desk.example', scale],
    ] as const) {
      const w = pipelineWorld({ claims: 'propose' });
      w.desk.insert('1', withOrgId(medium, byStranger));
      w.crm.whileAsking = () => w.desk.personSetsGroup('1', scale, by);
      await w.run('1');
      expect([by, standing(w, '1').group]).toEqual([by, group]);
    }
  });

  test('an agent’s word for one org id is none for the customer that stands on the ticket', async () => {
    const w = pipelineWorld({ claims: 'propose' });
    w.desk.customers.set('Khác', { platformOrgId: medium, segment: 'Medium', shopPlan: 'Scale' });
    w.desk.insert('1', withOrgId('1234567', { ...byAgent, customer: 'Khác' }));
    await w.run('1');
    expect(standing(w, '1').group).toBe(cs);
  });
});
