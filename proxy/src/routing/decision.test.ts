import { expect, test } from 'vitest';
import { medium } from '#crm/testing/sample-companies.ts';
import { byStranger, pipelineWorld, withOrgId } from '#testing/pipeline-kit.ts';
import { routeTicket } from './pipeline.ts';

const claim = withOrgId(medium, byStranger);

test.each([
  ['is not configured', { configured: false }, { status: 'missing_config' }],
  ['is switched off', { crmEnabled: false }, { status: 'disabled' }],
  ['fails', { isDown: true }, { status: 'error', checked_at: expect.any(String) }],
] as const)('a held claim is not looked at again at once where the CRM %s', async (_, is, crm) => {
  const { configured = true, crmEnabled = true, isDown = false } = is as Record<string, boolean>;
  const w = pipelineWorld({ claims: 'hold', ttlMinutes: 60, configured });
  await w.route('1', claim);
  // Its answer is no longer its last word.
  await w.ctx.crm?.noteEvent({ kind: 'changed', companyId: '63001' });
  w.crm.isDown = isDown;
  w.desk.insert('2', claim);
  const found = { foundBy: 'sweep', since: w.clock(), attempts: 0, revision: 1 } as const;
  await routeTicket({ ...w.ctx, crmEnabled }, { ...w.desk.keyOf('2'), ...found });
  expect((await w.decided('2'))?.inputs).toMatchObject({ org_id: { trust: { level: 'claimed' } }, crm });
  expect(w.rows.work.get('2')?.dueAt ?? null).toBeNull();
});
