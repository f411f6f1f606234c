import { describe, expect, test } from 'vitest';
import { growing, medium, small } from '#app/testing/pipeline/pipeline-crm.ts';
import { pipelineWorld, withOrgId } from '#app/testing/pipeline/pipeline-kit.ts';
import { cs, grow, scale } from '#app/testing/pipeline/pipeline-rules.ts';

const sender = { owner: 'evil@mail.example', raisedBy: 'evil@mail.example', viaCustomerPortal: true };
const claim = (orgId: string) => withOrgId(orgId, { origin: sender });
const minute = 60_000;
const unconfirmed = (team: string) =>
  `Auto-routed: unconfirmed OrgID. Customer Segment=-, Shopplan=-, Source=claim. Target team=${team}.`;

function world() {
  const w = pipelineWorld({ claims: 'route' });
  const fieldsOf = (name: string) => {
    const { file, stored } = w.tickets.tickets.get(name) ?? {};
    const { reason, status, error, segment, shopplan, servicePlan, crmLastCheckedAt, checkedAt } = stored ?? {};
    const facts = { segment, shopplan, servicePlan, crmLastCheckedAt, checkedAt };
    const { agentGroup: group = null, customer = null } = file?.ticket ?? {};
    return { group, customer, reason, status, error, facts };
  };
  const assigned = (name: string) =>
    w.tickets.assignments.filter((a) => a.ticket === name && a.open).map((a) => a.user);
  return { ...w, w, fieldsOf, assigned };
}

const nothing = { segment: null, shopplan: null, servicePlan: null, crmLastCheckedAt: null, checkedAt: null };
const blank = (facts: object) => Object.fromEntries(Object.entries(facts).map(([k, v]) => [k, v || null]));

describe('claims: route', () => {
  test('a claim decides team and agent, and the ticket tells nothing else', async () => {
    const { w, fieldsOf, assigned, tickets, decisions } = world();
    tickets.insert('1', claim(medium));
    await w.run('1');
    const seen = fieldsOf('1');
    expect(seen).toMatchObject({ group: scale, customer: null, reason: unconfirmed(scale), status: 'Complete' });
    expect(blank(seen.facts)).toEqual(nothing);
    expect(assigned('1')).toEqual(['an@desk.example']);
    expect(w.records.writes).toEqual([]);
    const decision = await decisions.latest('1');
    expect(decision?.inputs).toMatchObject({ claims: 'route', looked_up: { segment: 'Medium', source: 'crm' } });
    expect(decision?.link).toMatchObject({ done: false });
  });

  test('an SME company and an id that nobody has look the same to the sender', async () => {
    const { w, fieldsOf, tickets } = world();
    tickets.insert('1', claim(small));
    tickets.insert('2', claim('7777777'));
    await w.run('1');
    await w.run('2');
    expect(fieldsOf('2')).toEqual(fieldsOf('1'));
    expect(fieldsOf('1')).toMatchObject({ group: cs, reason: unconfirmed(cs) });
  });

  test('the helpdesk’s own customer of that org id goes before the CRM', async () => {
    const { w, fieldsOf, tickets } = world();
    tickets.customers.push({ name: `Shop - ${small}`, segment: 'Medium', shopPlan: 'Grow 2024', checkedAt: null });
    tickets.insert('1', claim(small));
    await w.run('1');
    expect(fieldsOf('1')).toMatchObject({ group: grow, reason: unconfirmed(grow) });
  });

  test('service fields that the sender filled in are blanked, those of the desk are not', async () => {
    const { w, fieldsOf, tickets } = world();
    tickets.agents.add('an@desk.example');
    for (const [name, modifiedBy] of [
      ['1', sender.owner],
      ['2', 'an@desk.example'],
    ] as const) {
      const filled = { segment: 'Medium', responsible: 'me@mail.example' };
      tickets.insert(name, { ...claim(small), modifiedBy, filled });
      await w.run(name);
    }
    expect(fieldsOf('1').facts.segment || null).toBeNull();
    expect(tickets.tickets.get('1')?.stored.responsible || null).toBeNull();
    expect(fieldsOf('2').facts.segment).toBe('Medium');
  });

  test('a sender’s group is not kept', async () => {
    const { w, fieldsOf, tickets } = world();
    tickets.insert('1', withOrgId(small, { origin: sender, agentGroup: scale }));
    await w.run('1');
    expect(fieldsOf('1')).toMatchObject({ group: cs });
  });
});

describe('a claim stays open', () => {
  test('it is judged again after a minute, ten minutes, an hour, then daily for a week', async () => {
    const { w, tickets, decisions, clock } = world();
    tickets.insert('1', claim(medium));
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
    const { w, fieldsOf, assigned, tickets, decisions, clock } = world();
    tickets.customers.push({ name: `Shop - ${growing}`, segment: 'SME', shopPlan: null, checkedAt: null });
    tickets.insert('1', claim(growing));
    await w.run('1');
    expect(fieldsOf('1')).toMatchObject({ group: cs });
    const before = assigned('1');
    w.ties = { customers: [{ name: 'Shop', linkedBy: 'desk' }] };
    clock.advance(minute);
    expect(await w.run('1')).toEqual({ again: null });
    const after = fieldsOf('1');
    expect(after).toMatchObject({ group: cs, customer: expect.stringContaining(growing), status: 'Complete' });
    expect(after.facts).toMatchObject({ segment: 'Medium', shopplan: 'Medium Grow', servicePlan: 'Grow 2024' });
    expect(after.reason).toBe(
      `Auto-routed: Customer Segment=Medium, Shopplan=Grow 2024, Source=hd_customer. Target team=${cs}.`,
    );
    expect(assigned('1')).toEqual(before);
    const [second, first] = await decisions.list('1');
    expect(second).toMatchObject({ cause: 'confirmed', number: 2, state: 'applied', link: { done: true } });
    expect(first).toMatchObject({ number: 1, cause: 'webhook' });
    expect(await decisions.openClaimsOf([growing])).toEqual([]);
  });

  test('a team that a person has set since is theirs, and so is the reason', async () => {
    const { w, fieldsOf, tickets, clock } = world();
    tickets.insert('1', claim(medium));
    await w.run('1');
    tickets.personSetsGroup('1', grow);
    const { reason } = fieldsOf('1');
    w.ties = { customers: [{ name: 'Shop', linkedBy: 'desk' }] };
    clock.advance(minute);
    await w.run('1');
    expect(fieldsOf('1')).toMatchObject({ group: grow, reason, customer: expect.stringContaining(medium) });
    expect(fieldsOf('1').facts.segment).toBe('Medium');
  });

  test('what was decided under other rules is not opened by a change of them', async () => {
    const { w, tickets, decisions } = (() => {
      const proposing = pipelineWorld({ claims: 'propose' });
      return { w: proposing, tickets: proposing.tickets, decisions: proposing.decisions };
    })();
    tickets.insert('1', claim(medium));
    expect(await w.run('1')).toEqual({ again: null });
    expect(await decisions.openClaimsOf([medium])).toEqual([]);
  });
});
