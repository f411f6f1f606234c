import type { OrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import { enrichmentWorld } from '#testing/enrichment-kit.ts';
import { failed } from '#testing/fakes.ts';
import { matched, modifiedAt, notFound, sampleCompany } from '#testing/sample-companies.ts';
import { refreshCustomers } from './refresh.ts';

const never = new AbortController().signal;
const hour = 3_600_000;
const orgIdOf = (n: number) => String(1_000_000 + n) as OrgId;
const names = Array.from({ length: 24 }, (_, n) => `C${String(n).padStart(3, '0')}`);

/** A helpdesk with two dozen customers, and a CRM that knows their companies but for those that a test takes away. */
function world() {
  const { desk, asked, clock, layers, ...given } = enrichmentWorld();
  const w = {
    /** What the CRM does instead of finding the company. */
    crm: (_orgId: OrgId): 'not_found' | 'error' | null => null,
    /** What happens as an org id is looked up. */
    whileAsking: (_orgId: OrgId): void => {},
    /** When the CRM's companies were last changed. */
    modifiedAt,
    paused: [] as number[],
    said: [] as number[],
  };
  const known = { companyModifiedAt: modifiedAt, syncStatus: 'matched' } as const;
  for (const [n, name] of names.entries())
    desk.customers.set(name, { platformOrgId: orgIdOf(n), crmCompanyId: orgIdOf(n), ...known });
  given.crm.answer = (orgId) => {
    w.whileAsking(orgId);
    const status = w.crm(orgId);
    if (status === 'error') return failed;
    if (status === 'not_found') return notFound;
    return matched(sampleCompany({ modifiedAt: w.modifiedAt }, { bitrix_id: orgId, company_id: orgId }));
  };
  const ctx = { ...given.ctx, crm: layers, pause: async (ms: number) => void w.paused.push(ms) };
  /** Customers that were written. */
  const written = () => desk.writes.flatMap((write) => /^update (\S+)/.exec(write)?.[1] ?? []);
  const run = (signal = never) => refreshCustomers({ ...ctx, signal }, (done) => w.said.push(done));
  return Object.assign(w, { ctx, desk, asked, clock, written, run });
}

test('every customer with an org id is asked about, once, in the lowest lane, and what came of it is counted', async () => {
  const w = world();
  w.desk.customers.set('none');
  w.crm = (orgId) => (orgId === orgIdOf(7) ? 'not_found' : null);
  // It becomes another company's just then.
  w.whileAsking = (orgId) => {
    if (orgId === orgIdOf(3)) w.desk.customers.edit('C003', { platformOrgId: orgIdOf(99), crmCompanyId: '99' });
  };
  const counts = { updated: 0, unchanged: 22, notFound: 1, failed: { identity_conflict: 1 } };
  expect(await w.run()).toEqual({ ended: 'done', ...counts });
  expect(w.asked.map(({ orgId }) => orgId).toSorted()).toEqual(names.map((_, n) => orgIdOf(n)));
  expect(new Set(w.asked.map(({ lane }) => lane))).toEqual(new Set(['bulk']));
  expect(w.written().toSorted()).toEqual(names.filter((name) => name !== 'C003'));
  expect(w.said).toEqual([0, 16, 24]);
  w.whileAsking = () => {};
  w.modifiedAt += hour;
  expect(await w.run()).toMatchObject({ updated: 23 });
});

test('those come first that the CRM was asked about longest ago, so that after a stop the rest is first', async () => {
  const w = world();
  for (const [n, name] of names.entries())
    w.desk.customers.edit(name, { lastCheckedAt: w.clock() - (n < 4 ? 1 : 2) * hour });
  w.desk.customers.set('new', { platformOrgId: orgIdOf(50), crmCompanyId: orgIdOf(50) });
  const stop = new AbortController();
  w.whileAsking = () => void (w.asked.length === 25 && stop.abort());
  expect(await w.run(stop.signal)).toMatchObject({ ended: 'stopped', unchanged: 15, updated: 1 });
  expect(w.asked[0]?.orgId).toBe(orgIdOf(50));
  expect(w.written()).toHaveLength(16);
  w.whileAsking = () => {};
  w.asked.length = 0;
  w.clock.advance(hour);
  expect(await w.run()).toMatchObject({ ended: 'done', unchanged: 25 });
  const first = w.asked.slice(0, 5).map(({ orgId }) => orgId);
  expect(first.every((orgId) => orgId >= orgIdOf(4) && orgId < orgIdOf(24))).toBe(true);
  expect(w.asked.slice(-16).map(({ orgId }) => orgId)).toContain(orgIdOf(50));
});

test('it waits longer and longer for a CRM that fails, and ends; no customer says "error" for it', async () => {
  const w = world();
  w.crm = (orgId) => (orgId >= orgIdOf(16) ? 'error' : null);
  expect(await w.run()).toMatchObject({ ended: 'crm_failing', unchanged: 16, failed: {} });
  expect(w.paused).toEqual([2_000, 10_000]);
  expect(w.written()).toHaveLength(16);
});

test('a single customer that fails does not hold it up', async () => {
  const w = world();
  w.crm = (orgId) => (orgId === orgIdOf(5) ? 'error' : null);
  expect(await w.run()).toMatchObject({ ended: 'done', unchanged: 23, failed: { timeout: 1 } });
  expect(w.paused).toEqual([2_000]);
});
