import { describe, expect, test } from 'vitest';
import { service } from '#app/testing/desk-seed.ts';
import {
  byStranger,
  type PipelineWorld,
  pipelineWorld,
  standing,
  withOrgId,
} from '#app/testing/pipeline/pipeline-kit.ts';
import { grow, scale } from '#app/testing/pipeline/pipeline-rules.ts';
import { medium } from '#app/testing/sample-companies.ts';

const agent = 'linh@desk.example';
const causes = async (w: PipelineWorld) => (await w.decisions.list('1')).map(({ cause }) => cause);

describe('a Sync that confirmed a claim and left the ticket where it is', () => {
  const ofClaim = { agent, orgId: medium, crmCompanyId: '1', customer: `Shop ${medium} - ${medium}` };

  /** A claim that a Sync has confirmed; `undo` is what undoing it does to the routing. */
  async function confirmed(before: (w: PipelineWorld) => void = () => {}) {
    const w = pipelineWorld({ claims: 'hold' });
    w.desk.insert('1', withOrgId(medium, byStranger));
    before(w);
    await w.run('1');
    const shown = shownOf(w);
    const { customer } = ofClaim;
    w.desk.customers.set(customer, {
      ...{ platformOrgId: medium, segment: 'Medium', shopPlan: 'OMNI SCALE 2025 (1 năm)' },
    });
    w.desk.setsCustomer('1', customer, service);
    const id = await w.syncLog.record({ ...ofClaim, ticket: '1', previousCustomer: null, at: w.clock() });
    await w.run('1');
    expect(shownOf(w)).toMatchObject({ segment: 'Medium', reason: expect.stringContaining('Source=hd_customer') });
    const undo = async (leaves: string | null = null) => {
      w.desk.setsCustomer('1', leaves, service);
      await w.syncLog.markUndone(id, w.clock());
      return w.moveBack({ ...ofClaim, id, ticket: '1' });
    };
    return { w, shown, undo };
  }
  function shownOf(w: PipelineWorld) {
    const { status, segment, shopplan, servicePlan, checkedAt } = w.desk.routingOf('1');
    return { ...standing(w, '1'), status, segment, shopplan, servicePlan, checkedAt };
  }

  test('undone, leaves what was decided before in force, and the claim open', async () => {
    const { w, shown, undo } = await confirmed();
    expect(await undo()).toBeNull();
    expect(shownOf(w)).toEqual(shown);
    expect(await causes(w)).toEqual(['sync_undone', 'confirmed', 'webhook']);
    const [latest, , first] = await w.decisions.list('1');
    expect(latest).toMatchObject({ state: 'applied', outcome: first?.outcome, assignment: first?.assignment });
    expect(latest?.inputs.org_id).toEqual(first?.inputs.org_id);
    expect(await w.decisions.openClaimsOf([medium])).toEqual(['1']);
    await undo();
    await w.run('1');
    expect(await causes(w)).toHaveLength(3);
    expect(shownOf(w)).toEqual(shown);
    w.desk.setsCustomer('1', ofClaim.customer, service);
    await w.syncLog.record({ ...ofClaim, ticket: '1', previousCustomer: null, at: w.clock() + 1 });
    await w.run('1');
    expect(await causes(w)).toEqual(['confirmed', 'sync_undone', 'confirmed', 'webhook']);
  });

  test('undone, is finished by the pipeline where the process died in between', async () => {
    const { w, shown, undo } = await confirmed();
    w.desk.failNext('clearRouting');
    await expect(undo()).rejects.toThrow();
    expect((await w.decisions.latest('1'))?.state).toBe('planned');
    await w.process().run('1');
    expect(shownOf(w)).toEqual(shown);
    expect(await causes(w)).toHaveLength(3);
  });

  test('undone, leaves what a person has changed since', async () => {
    const { w, undo } = await confirmed();
    w.desk.personSetsGroup('1', grow);
    w.desk.personAssigns('1', 'khoa@desk.example');
    w.desk.changes('1', 'an@desk.example', { custom_customer_segment: 'SME' });
    const { assigned } = standing(w, '1');
    await undo();
    expect(shownOf(w)).toMatchObject({ group: grow, assigned, segment: 'SME', shopplan: null });
    expect(await w.decisions.openClaimsOf([medium])).toEqual(['1']);
  });

  test('stays confirmed where another Sync vouches for the company', async () => {
    const { w, undo } = await confirmed();
    const { customer } = ofClaim;
    await w.syncLog.record({
      ...ofClaim,
      ticket: '1',
      agent: 'an@desk.example',
      previousCustomer: customer,
      at: w.clock() + 1,
    });
    await undo(customer);
    expect(await causes(w)).toEqual(['confirmed', 'webhook']);
  });

  test('and moved it later is taken back as a whole', async () => {
    const { w, shown, undo } = await confirmed();
    const id = (await w.syncLog.latest('1'))?.id ?? '';
    const synced = { agent, orgId: medium, status: 'matched' as const, checkedAt: '2026-05-08T00:00:00.000Z' };
    const customer = { name: ofClaim.customer, segment: 'Medium', shopPlan: 'Grow 2024' };
    const moved = await w.moveBySync('1', { ...synced, id, customer, team: grow });
    expect(moved).toMatchObject({ done: true });
    expect(await undo()).toBe(scale);
    expect(shownOf(w)).toMatchObject({ group: scale, reason: shown.reason });
    expect(await w.decisions.openClaimsOf([medium])).toEqual(['1']);
  });

  test('gives a ticket that waits to whoever comes back, confirmed or not', async () => {
    for (const isUndone of [false, true]) {
      const { w, undo } = await confirmed(({ desk }) => desk.goAway('an@desk.example', 'binh@desk.example'));
      if (isUndone) await undo();
      w.desk.comeBack('an@desk.example');
      expect(await w.assignWaiting()).toBe(1);
      expect([isUndone, standing(w, '1').assigned]).toEqual([isUndone, ['an@desk.example']]);
    }
  });
});
