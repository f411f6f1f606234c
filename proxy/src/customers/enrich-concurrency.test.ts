import type { OrgId } from '@deskside/shared/orgid';
import { describe, expect, test } from 'vitest';
import { AppError } from '#runtime/app-error.ts';
import { enrichmentWorld, newName, orgId, otherAgent, otherOrgId } from '#testing/enrichment-kit.ts';
import { modifiedAt, notFound } from '#testing/sample-companies.ts';

const own = { platformOrgId: orgId, crmCompanyId: '63001', companyModifiedAt: modifiedAt };

describe('at the same time', () => {
  test('100 callers in two processes create one customer and one snapshot', async () => {
    const w = enrichmentWorld();
    const processes = [w.process(), w.process()];
    await Promise.all(Array.from({ length: 100 }, (_, i) => processes[i % 2]?.enrich({ force: i % 3 === 0 })));
    expect(w.desk.writes).toEqual([`create ${newName}`, 'snapshot 63001']);
    expect(w.rows.leases.size).toBe(0);
  });

  test('a lost race is judged on fresh data, and a person’s edit of meanwhile stays', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('Shop', { ...own, companyModifiedAt: 0, segment: 'SME', shopPlan: 'Old' });
    w.desk.before('update', () => w.desk.customers.edit('Shop', { segment: 'Enterprise' }));
    await w.enrich();
    expect(w.desk.customers.get('Shop')).toMatchObject({ segment: 'Enterprise', shopPlan: 'Grow 2024' });
    await w.enrich({ force: true });
    expect(w.desk.customers.get('Shop')?.segment).toBe('Enterprise');
  });

  test('a customer who becomes somebody else’s meanwhile is not written', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('Shop', { crmCompanyId: '63001' });
    w.desk.before('update', () => w.desk.customers.edit('Shop', { platformOrgId: otherOrgId }));
    expect((await w.enrich()).hd_customer).toBe(newName);
    expect(w.desk.customers.get('Shop')).toEqual({ crmCompanyId: '63001', platformOrgId: otherOrgId });
  });

  test('three lost races are enough: 409, and every edit stands', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('Shop', { platformOrgId: orgId });
    const edit = () => w.desk.customers.edit('Shop', { myplatform: 'x' });
    for (const _ of [1, 2, 3]) w.desk.before('update', edit);
    await expect(w.enrich()).rejects.toMatchObject({ code: 'changed_since' });
    expect(w.desk.writes).toEqual([]);
  });

  test('a name that is taken in the very moment of creating is the same customer', async () => {
    const w = enrichmentWorld();
    w.desk.before('create', () => w.desk.customers.set(newName, { platformOrgId: orgId }));
    expect(await w.enrich()).toMatchObject({ hd_customer: newName, created: false });
  });
});

test('who posts hundreds of org ids fills a short queue and is told to come back; other agents are served', async () => {
  const w = enrichmentWorld();
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  w.crm.hold = promise;
  w.crm.answer = () => notFound;
  const orgIds = Array.from({ length: 500 }, (_, i) => String(300_000_000 + i) as OrgId);
  const posted = orgIds.map((orgId) => w.enrich({ orgId }).catch((error: unknown) => error));
  // The last one is refused at once, while the first are still being looked up.
  expect(await posted.at(-1)).toMatchObject({ code: 'rate_limited', retryAfterSeconds: expect.any(Number) });
  const other = w.enrich({ caller: otherAgent, orgId: '1000069002' as OrgId });
  await expect.poll(() => w.asked.some(({ orgId }) => orgId === '1000069002')).toBe(true);
  expect(w.asked.length).toBeLessThanOrEqual(33);
  letGo();
  expect(await other).toMatchObject({ status: 'not_found' });
  const refused = (await Promise.all(posted)).filter((answer) => answer instanceof AppError);
  expect(refused.length).toBe(500 - 232);
  expect(await w.enrich({ orgId: orgIds[499] })).toMatchObject({ status: 'not_found' });
});
