import { describe, expect, test } from 'vitest';
import type { CustomerFacts } from '#helpdesk/fields.ts';
import * as decisions from '#store/decisions.ts';
import { service } from '#testing/desk-seed.ts';
import { medium } from '#testing/sample-companies.ts';
import { byStranger, pipelineWorld, standing, withOrgId } from './testing/pipeline-kit.ts';
import { cs, scale } from './testing/pipeline-rules.ts';

const longAgo = '2020-01-01 00:00:00';
/** What the sender filled into the service's fields. */
const typed = {
  custom_responsible: 'me@mail.example',
  custom_platform_service_plan: 'Scale',
  custom_crm_not_found_at: longAgo,
  custom_crm_last_checked_at: longAgo,
  custom_platform_profile_checked_at: longAgo,
};

function claim(orgId: string, more: Record<string, unknown> = {}) {
  const w = pipelineWorld({
    claims: 'accept',
    ticket: withOrgId(orgId, { ...byStranger, custom_customer_segment: 'Medium', ...more }),
  });
  return { ...w, w, seen: () => w.desk.routingOf('1') };
}

describe('claims: accept', () => {
  test('a claim does what the specification says: link, segment, plan and times', async () => {
    const { w, seen, db, clock } = claim(medium);
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: scale, customer: `Shop ${medium} - ${medium}` });
    const shown = { segment: 'Medium', servicePlan: 'OMNI SCALE 2025 (1 năm)', crmLastCheckedAt: clock() };
    expect(seen()).toMatchObject(shown);
    expect(await decisions.latestNamed(db, '1')).toMatchObject({
      link: { done: true },
      inputs: { org_id: { trust: { level: 'claimed' } } },
    });
  });

  test.each<[string, CustomerFacts, string, string | null]>([
    ['a customer made by hand stays, and the company decides the team and nothing else', {}, scale, null],
    ['what somebody filled into such a customer counts', { segment: 'SME', shopPlan: 'Grow' }, cs, 'Grow'],
  ])('%s', async (_, filled, team, plan) => {
    const { w, seen } = claim(medium);
    w.desk.customers.set('Khách', filled);
    w.desk.setsCustomer('1', 'Khách', service);
    await w.run('1');
    expect(standing(w, '1')).toMatchObject({ group: team, customer: 'Khách' });
    expect(seen()).toMatchObject({ servicePlan: plan });
  });

  test('what we have no value for is blanked where the sender filled it in, and ours is not', async () => {
    const { w, seen, clock } = claim(medium, typed);
    w.crm.isDown = true;
    await w.run('1');
    const blank = { responsible: null, servicePlan: null, crmNotFoundAt: null, crmLastCheckedAt: null };
    expect(seen()).toMatchObject(blank);
    expect(seen()).toMatchObject({ status: 'API Error', checkedAt: clock() });
    // The panel has told the owner since; the repair that follows is no reason to take it back.
    w.desk.changes('1', 'deskside@desk.example', { custom_responsible: 'an@crm.example' });
    w.crm.isDown = false;
    clock.advance(60_000);
    await w.run('1');
    expect(seen()).toMatchObject({ responsible: 'an@crm.example', status: 'Complete', crmLastCheckedAt: clock() });
  });

  test('after a crash the times of the check are written all the same', async () => {
    const { w, seen, clock } = claim(medium);
    w.desk.failNext('tickets.write');
    await w.run('1').catch(() => {});
    await w.process().run('1');
    expect(seen()).toMatchObject({ checkedAt: clock(), crmLastCheckedAt: clock() });
  });
});
