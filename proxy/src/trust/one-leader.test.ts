import type { OrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import { getProfile } from '#profile/get-profile.ts';
import { pipelineWorld } from '#routing/testing/pipeline-kit.ts';
import * as decisions from '#store/decisions.ts';
import { medium } from '#testing/sample-companies.ts';
import { callBy } from '#testing/test-context.ts';

const unknown = '1999999999';

/** An agent's ticket with this org id, for a customer of that one. */
async function routed(orgId: string, ofCustomer: string) {
  const w = pipelineWorld({ claims: 'accept' });
  w.desk.customers.set('Shop', { platformOrgId: ofCustomer as OrgId, segment: 'Medium', shopPlan: 'Scale 2024' });
  w.desk.insert('1', { owner: 'an@desk.example', raised_by: 'vy@shop.example', custom_orgid: orgId, customer: 'Shop' });
  await w.run('1');
  const { bitrix } = await getProfile(callBy(w.ctx, 'an'), { ticket: '1', refresh: false });
  return { decision: await decisions.latest(w.db, w.desk.keyOf('1')), bitrix };
}

test('a company that the CRM has leads before an org id that it does not know, in routing as in the panel', async () => {
  const { decision, bitrix } = await routed(unknown, medium);
  expect(bitrix).toMatchObject({ status: expect.stringMatching(/matched|cached/), lookup_value: medium });
  expect(decision?.inputs.org_id?.value).toBe(medium);
  expect(decision?.outcome).toMatchObject({ segment: 'Medium', reason: expect.stringContaining('Source=hd_customer') });
});

test('where the CRM has none of them, the helpdesk’s customer decides', async () => {
  const { decision } = await routed(unknown, '1888888888');
  expect(decision?.inputs.org_id?.value).toBe('1888888888');
  expect(decision?.outcome).toMatchObject({ segment: 'Medium', team: 'Medium - Scale' });
});
