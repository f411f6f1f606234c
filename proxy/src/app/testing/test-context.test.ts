import { demo } from '@deskside/simulators/seed/index';
import { expect, test } from 'vitest';
import { lookupCompany } from '#app/crm/lookup-company.ts';
import { callerOf, hanging, sampleOrgId, testContext } from './test-context.ts';

const { signal } = new AbortController();

test('is the demo’s helpdesk, and the sample company that its first ticket names', async () => {
  const ctx = testContext();
  const { ticket } = await ctx.gate.openTicket(callerOf(demo.agent), demo.tickets.matched, signal);
  expect(ticket.orgIdFields.map(({ value }) => value)).toContain(sampleOrgId);
  const found = await lookupCompany(ctx.crm ?? expect.fail(), {
    orgId: sampleOrgId,
    refresh: false,
    deadlineMs: 1_000,
  });
  expect(found).toMatchObject({ status: 'matched', checkedAt: ctx.clock() });
});

test('its parts can be others, and its clock is turned', async () => {
  const ctx = testContext({ crm: hanging(), retentionMs: 1 });
  const asked = lookupCompany(ctx.crm ?? expect.fail(), { orgId: sampleOrgId, refresh: false, deadlineMs: 1 });
  expect(await asked).toMatchObject({ status: 'error', error: 'timeout' });
  expect(ctx.retentionMs).toBe(1);
  expect(await ctx.leases.take(['key'], 'a', 1_000)).toEqual(new Set(['key']));
  expect(await ctx.leases.take(['key'], 'b', 1_000)).toEqual(new Set());
  ctx.clock.advance(1_000);
  expect(await ctx.leases.take(['key'], 'b', 1_000)).toEqual(new Set(['key']));
  expect(await testContext().leases.take(['key'], 'c', 1_000)).toEqual(new Set(['key']));
});
