import { expect, test } from 'vitest';
import { medium, small } from '#crm/testing/sample-companies.ts';
import { sender } from '#testing/desk-seed.ts';
import { type PipelineWorld, pipelineWorld, withOrgId } from '#testing/pipeline-kit.ts';
import { reroute } from './retry.ts';

/** Whose claim which org id is (decision 7: who vouches). */
function claimsIn(w: PipelineWorld) {
  return w.db.selectFrom('claims').select(['sender', 'org_id']).execute();
}

test('an org id is the claim of who sent the ticket, though an agent has synced it since', async () => {
  const w = pipelineWorld({ ticket: withOrgId(medium) });
  await w.sync('1', medium);
  await w.runFound('1');
  expect(await claimsIn(w)).toEqual([{ sender, org_id: medium }]);
});

test('it is not where an agent’s Sync wrote it, but what has replaced that is', async () => {
  const w = pipelineWorld();
  await w.route('1', {});
  await w.sync('1', medium, { reroute: true });
  expect((await w.decided('1'))?.inputs.org_id).toMatchObject({ value: medium, source: 'ticket' });
  expect(await claimsIn(w)).toEqual([]);
  w.desk.changes('1', sender, { custom_orgid: small });
  await reroute(w.ctx, '1');
  expect(await claimsIn(w)).toEqual([{ sender, org_id: small }]);
});

test('it is not where it stands on the customer alone', async () => {
  const w = pipelineWorld();
  w.desk.customers.set('Tiệm Hoa', { platformOrgId: small });
  await w.route('1', { customer: 'Tiệm Hoa' });
  expect((await w.decided('1'))?.inputs.org_id).toMatchObject({ value: small, source: 'customer' });
  expect(await claimsIn(w)).toEqual([]);
});
