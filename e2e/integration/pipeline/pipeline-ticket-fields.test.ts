import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import type { DemoWorld } from '../../demo/world.ts';
import { routedWorld, settle } from '../pipeline-kit.ts';

const orgId = '200000376001';
const stamp = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);

/** The fields of a ticket that an agent created, so that its org id is more than a claim, after it was routed. */
async function routed(w: DemoWorld, values: Record<string, unknown>) {
  const name = await w.helpdesk.insertTicket(demo.agent.name, {
    subject: 'x',
    raised_by: 'la@hopthu.example',
    ...values,
  });
  await settle(w);
  return w.helpdesk.document('HD Ticket', name);
}

describe.each(['1.24', '1.28'] as const)('the fields of a routed ticket, Helpdesk %s', (generation) => {
  test('a company, one that the CRM does not have, and none', async () => {
    const w = await routedWorld({ generation });
    const found = await routed(w, { custom_orgid: orgId });
    expect(found).toMatchObject({
      agent_group: 'Medium - Scale',
      custom_customer_segment: 'Medium',
      custom_shopplan: 'Medium Scale',
      custom_platform_service_plan: 'OMNI SCALE 2025 (1 năm)',
      custom_platform_profile_status: 'Complete',
      custom_platform_profile_checked_at: stamp,
      custom_platform_routing_reason: expect.stringMatching(/^Auto-routed: Customer Segment=Medium/),
      custom_crm_last_checked_at: stamp,
    });
    expect(found?.custom_platform_profile_error || null).toBeNull();
    expect(found?.custom_crm_not_found_at || null).toBeNull();

    expect(await routed(w, { custom_orgid: '1234567' })).toMatchObject({
      custom_customer_segment: 'SME',
      custom_shopplan: 'SME',
      custom_platform_profile_status: 'Complete',
      custom_crm_last_checked_at: stamp,
      custom_crm_not_found_at: stamp,
    });

    const missing = await routed(w, {});
    expect(missing).toMatchObject({ custom_platform_profile_status: 'Complete', custom_shopplan: 'SME' });
    expect(missing?.custom_crm_last_checked_at || null).toBeNull();

    const shop = await routed(w, { custom_store_url: 'https://1000391001.myplatform.example/admin' });
    expect(shop).toMatchObject({
      custom_orgid: '1000391001',
      custom_myplatform_domain: '1000391001.myplatform.example',
    });
  });
});
