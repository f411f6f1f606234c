import { describe, expect, test } from 'vitest';
import { byStranger, pipelineWorld, stranger, withOrgId } from '#app/testing/pipeline/pipeline-kit.ts';
import { cs, grow, scale } from '#app/testing/pipeline/pipeline-rules.ts';
import { growing, medium, small } from '#app/testing/sample-companies.ts';

const claim = (orgId: string) => withOrgId(orgId, byStranger);
const minute = 60_000;
const unconfirmed = (team: string) =>
  `Auto-routed: unconfirmed OrgID. Customer Segment=-, Shopplan=-, Source=claim. Target team=${team}.`;

function world() {
  const w = pipelineWorld({ claims: 'route' });
  const fieldsOf = (name: string) => {
    const { agentGroup: group, reason, status, error, ...fields } = w.desk.routingOf(name);
    const { segment, shopplan, servicePlan, crmLastCheckedAt, checkedAt } = fields;
    const facts = { segment, shopplan, servicePlan, crmLastCheckedAt, checkedAt };
    return { group, customer: w.desk.ticket(name).customer ?? null, reason, status, error, facts };
  };
  return { ...w, w, fieldsOf };
}

const nothing = { segment: null, shopplan: null, servicePlan: null, crmLastCheckedAt: null, checkedAt: null };

describe('claims: route', () => {
  test('a claim decides team and agent, and the ticket tells nothing else', async () => {
    const { w, desk, fieldsOf, decisions } = world();
    desk.insert('1', claim(medium));
    await w.run('1');
    const seen = fieldsOf('1');
    expect(seen).toMatchObject({ group: scale, customer: null, reason: unconfirmed(scale), status: 'Complete' });
    expect(seen.facts).toEqual(nothing);
    expect(desk.assigned('1')).toEqual(['an@desk.example']);
    expect(desk.writes.map((write) => write.split(' ')[0])).toEqual(['assign', 'route']);
    const decision = await decisions.latest('1');
    expect(decision?.inputs).toMatchObject({ claims: 'route', looked_up: { segment: 'Medium', source: 'crm' } });
    expect(decision?.link).toMatchObject({ done: false });
  });

  test('an SME company and an id that nobody has look the same to the sender', async () => {
    const { w, desk, fieldsOf } = world();
    desk.insert('1', claim(small));
    desk.insert('2', claim('7777777'));
    await w.run('1');
    await w.run('2');
    expect(fieldsOf('2')).toEqual(fieldsOf('1'));
    expect(fieldsOf('1')).toMatchObject({ group: cs, reason: unconfirmed(cs) });
  });

  test('the helpdesk’s own customer of that org id goes before the CRM', async () => {
    const { w, desk, fieldsOf } = world();
    desk.customers.set('Shop', { platformOrgId: small, segment: 'Medium', shopPlan: 'Grow 2024' });
    desk.insert('1', claim(small));
    await w.run('1');
    expect(fieldsOf('1')).toMatchObject({ group: grow, reason: unconfirmed(grow) });
  });

  test('service fields that the sender filled in are blanked, those of the desk are not', async () => {
    const { w, desk, fieldsOf } = world();
    const filled = { custom_customer_segment: 'Medium', custom_responsible: 'me@mail.example' };
    for (const [name, by] of [
      ['1', stranger],
      ['2', 'an@desk.example'],
    ] as const) {
      desk.insert(name, claim(small));
      desk.changes(name, by, filled);
      await w.run(name);
    }
    expect(fieldsOf('1').facts.segment).toBeNull();
    expect(desk.routingOf('1').responsible).toBeNull();
    expect(fieldsOf('2').facts.segment).toBe('Medium');
  });

  test('a sender’s group is not kept', async () => {
    const { w, desk, fieldsOf } = world();
    desk.insert('1', withOrgId(small, { ...byStranger, agent_group: scale }));
    await w.run('1');
    expect(fieldsOf('1')).toMatchObject({ group: cs });
  });
});

describe('a claim stays open', () => {
  test('it is judged again after a minute, ten minutes, an hour, then daily for a week', async () => {
    const { w, desk, decisions, clock } = world();
    desk.insert('1', claim(medium));
    const start = clock();
    const looks: number[] = [];
    for (let { again } = await w.run('1'); again !== null; { again } = await w.run('1')) {
      looks.push((again - start) / minute);
      clock.advance(again - clock());
    }
    expect(looks).toEqual([1, 10, 60, ...[1, 2, 3, 4, 5, 6, 7].map((days) => days * 24 * 60)]);
    expect(await decisions.list('1')).toHaveLength(1);
  });

  test('once vouched for, customer, link and fields follow as a second record; team and agent stay', async () => {
    const { w, desk, fieldsOf, decisions, clock } = world();
    desk.customers.set('Shop', { platformOrgId: growing, segment: 'SME' });
    desk.insert('1', claim(growing));
    await w.run('1');
    expect(fieldsOf('1')).toMatchObject({ group: cs });
    const before = desk.assigned('1');
    desk.addMember('Shop', stranger);
    clock.advance(minute);
    expect(await w.run('1')).toEqual({ again: null });
    const after = fieldsOf('1');
    expect(after).toMatchObject({ group: cs, customer: 'Shop', status: 'Complete' });
    expect(after.facts).toMatchObject({ segment: 'Medium', shopplan: 'Medium Grow', servicePlan: 'Grow 2024' });
    expect(after.reason).toBe(
      `Auto-routed: Customer Segment=Medium, Shopplan=Grow 2024, Source=hd_customer. Target team=${cs}.`,
    );
    expect(desk.assigned('1')).toEqual(before);
    const [second, first] = await decisions.list('1');
    expect(second).toMatchObject({ cause: 'confirmed', number: 2, state: 'applied', link: { done: true } });
    expect(first).toMatchObject({ number: 1, cause: 'webhook' });
    expect(await decisions.openClaimsOf([growing])).toEqual([]);
  });

  test('a team that a person has set since is theirs, and so is the reason', async () => {
    const { w, desk, fieldsOf, clock } = world();
    desk.insert('1', claim(medium));
    await w.run('1');
    desk.personSetsGroup('1', grow);
    const { reason } = fieldsOf('1');
    desk.customers.set('Shop', { platformOrgId: medium });
    desk.addMember('Shop', stranger);
    clock.advance(minute);
    await w.run('1');
    expect(fieldsOf('1')).toMatchObject({ group: grow, reason, customer: 'Shop' });
    expect(fieldsOf('1').facts.segment).toBe('Medium');
  });

  test('what was decided under other rules is not opened by a change of them', async () => {
    const w = pipelineWorld({ claims: 'propose' });
    w.desk.insert('1', claim(medium));
    expect(await w.run('1')).toEqual({ again: null });
    expect(await w.decisions.openClaimsOf([medium])).toEqual([]);
  });
});
