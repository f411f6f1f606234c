import { describe, expect, test } from 'vitest';
import { hdCustomer } from '#app/testing/fake-helpdesk.ts';
import { medium } from '#app/testing/pipeline/pipeline-crm.ts';
import { pipelineWorld, standing, withOrgId } from '#app/testing/pipeline/pipeline-kit.ts';
import { cs, scale } from '#app/testing/pipeline/pipeline-rules.ts';

const sender = { owner: 'evil@mail.example', raisedBy: 'evil@mail.example', viaCustomerPortal: true };
/** What the sender filled into the service's fields. */
const typed = {
  responsible: 'me@mail.example',
  servicePlan: 'Scale',
  crmNotFoundAt: 1,
  crmLastCheckedAt: 1,
  checkedAt: 1,
};

function claim(orgId: string, stored: Record<string, unknown> = {}) {
  const w = pipelineWorld({ claims: 'accept' });
  w.tickets.insert('1', { ...withOrgId(orgId, { origin: sender }), segment: 'Medium', stored });
  return { ...w, w, seen: () => w.tickets.tickets.get('1')?.stored };
}

describe('claims: accept', () => {
  test('a claim does what the specification says: link, segment, plan and times', async () => {
    const { w, seen, decisions, clock } = claim(medium);
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, customer: `Shop ${medium} - ${medium}` });
    expect(seen()).toMatchObject({
      segment: 'Medium',
      shopplan: 'Medium Scale',
      servicePlan: 'OMNI SCALE 2025 (1 năm)',
      status: 'Complete',
      checkedAt: clock(),
      crmLastCheckedAt: clock(),
      crmNotFoundAt: null,
    });
    expect(await decisions.latest('1')).toMatchObject({
      link: { done: true },
      inputs: { org_id: { trust: { level: 'claimed' } } },
    });
  });

  test.each([
    ['a customer made by hand stays, and the company’s segment and plan count', {}, scale, 'OMNI SCALE 2025 (1 năm)'],
    [
      'what somebody filled into such a customer counts',
      { custom_customer_segment: 'SME', custom_shopplan_name: 'Grow' },
      cs,
      'Grow',
    ],
  ])('%s', async (_, filled, team, plan) => {
    const { w, seen, tickets } = claim(medium);
    const customer = hdCustomer('Khách', { custom_platform_orgid: null, ...filled });
    tickets.insert('1', { ...withOrgId(medium, { origin: sender }), customer });
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: team, customer: 'Khách' });
    expect(seen()).toMatchObject({ servicePlan: plan });
  });

  test('an id that the CRM does not know: the ticket’s own segment, no plan, and the ticket says so', async () => {
    const { w, seen, clock } = claim('7777777');
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: cs, customer: null });
    expect(seen()).toMatchObject({ segment: 'Medium', servicePlan: '', crmNotFoundAt: clock() });
    expect(seen()?.reason).toContain('Source=ticket. Target team=CS 60p. CRM has no company for this OrgID.');
  });

  test('what we have no value for is blanked where the sender filled it in, and ours is not', async () => {
    const { w, seen, tickets, clock } = claim(medium, typed);
    w.crmDown = true;
    await w.run('1');
    expect(seen()).toMatchObject({ responsible: '', servicePlan: '', crmNotFoundAt: null, crmLastCheckedAt: null });
    expect(seen()).toMatchObject({ status: 'API Error', checkedAt: clock() });
    // The panel has told the owner since; the repair that follows is no reason to take it back.
    const ticket = await tickets.readPipelineTicket('1', new AbortController().signal);
    await tickets.writeRouting(ticket, { responsible: 'an@crm.example' }, new AbortController().signal);
    w.crmDown = false;
    clock.advance(60_000);
    await w.run('1');
    expect(seen()).toMatchObject({ responsible: 'an@crm.example', status: 'Complete', crmLastCheckedAt: clock() });
  });

  test('nor is it when somebody comes back to whom the ticket is assigned', async () => {
    const { w, seen, tickets, clock } = claim(medium);
    const away = tickets.teams.get(scale)?.members ?? [];
    for (const member of away) member.availability = 'unavailable';
    await w.run('1');
    const before = seen();
    expect(before).toMatchObject({ servicePlan: 'OMNI SCALE 2025 (1 năm)', crmLastCheckedAt: clock() });
    for (const member of away) member.availability = 'active';
    await w.assignWaiting();
    expect(standing(w, '1').assigned).toHaveLength(1);
    expect(seen()).toEqual({ ...before, reason: expect.any(String) });
  });

  test('after a crash the times of the check are written all the same', async () => {
    const { w, seen, tickets, clock } = claim(medium);
    tickets.failNext('writeRouting');
    await w.run('1').catch(() => {});
    await w.process().run('1');
    expect(seen()).toMatchObject({ checkedAt: clock(), crmLastCheckedAt: clock() });
  });
});
