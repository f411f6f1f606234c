import { expect, test } from 'vitest';
import { enrichmentWorld, orgId, otherOrgId } from '#testing/enrichment-kit.ts';
import { matched, sampleCompany } from '#testing/sample-companies.ts';
import { adoptCustomer, undoAdoption } from './write-customer.ts';

function world() {
  const w = enrichmentWorld();
  w.desk.customers.set('Acme', { shopPlan: 'By hand' });
  const match = { orgId, company: sampleCompany(), checkedAt: 1, others: [] };
  const cause = { by: null, via: 'match' as const, ticket: null };
  return {
    ...w,
    adopt: (customer = 'Acme') => adoptCustomer(w.ctx, { customer, match, ...cause }),
    undo: (id: string) => undoAdoption(w.ctx, id),
  };
}

test('adopting makes a customer the company, and keeps what was there, by whom and why', async () => {
  const w = world();
  const done = await w.adopt();
  expect(done).toMatchObject({
    outcome: 'adopted',
    adoption: { customer: 'Acme', orgId, by: null, via: 'match' },
  });
  expect(w.desk.customers.get('Acme')).toMatchObject({ platformOrgId: orgId, crmCompanyId: '63001' });
  expect(w.rows.adoptions[0]?.changes).toContainEqual({ field: 'custom_platform_orgid', from: null, to: orgId });
});

test('it is recorded before its effect, and once however often it is tried', async () => {
  const w = world();
  w.desk.before('update', () => {
    expect(w.rows.adoptions).toHaveLength(1);
    throw new Error('kill -9');
  });
  await expect(w.adopt()).rejects.toThrow('kill -9');
  expect(w.desk.customers.get('Acme')).toEqual({ shopPlan: 'By hand' });
  const done = await w.adopt();
  expect(await w.adopt()).toEqual(done);
  expect(w.rows.adoptions).toHaveLength(1);
});

test('what a person writes at that moment is neither overwritten nor taken back', async () => {
  const w = world();
  w.desk.before('update', () => w.desk.customers.edit('Acme', { segment: 'Theirs' }));
  const done = await w.adopt();
  if (done.outcome !== 'adopted') throw new TypeError(done.outcome);
  expect(w.desk.customers.get('Acme')).toMatchObject({ segment: 'Theirs', platformOrgId: orgId });
  await w.undo(done.adoption?.id ?? '');
  expect(w.desk.customers.get('Acme')).toMatchObject({ segment: 'Theirs', shopPlan: 'By hand' });
});

test.each([
  ['another company by now', 'Acme', { outcome: 'other_identity', other: otherOrgId }],
  ['gone', 'Nobody', { outcome: 'gone' }],
  ['the company already', 'Shop', { outcome: 'already' }],
  ['a twin of the company’s customer', 'Free', { outcome: 'company_has_customer', other: 'Shop' }],
])('a customer that is %s is refused, and nothing is written', async (_, customer, outcome) => {
  const w = world();
  w.desk.customers.set('Free', {});
  w.desk.customers.set('Acme', { platformOrgId: otherOrgId });
  if (customer !== 'Acme') w.desk.customers.set('Shop', { platformOrgId: orgId });
  expect(await w.adopt(customer)).toMatchObject(outcome);
  expect([w.desk.writes, w.rows.adoptions]).toEqual([[], []]);
});

test('undoing gives the customer back what it was, and can be repeated', async () => {
  const w = world();
  const done = await w.adopt();
  if (done.outcome !== 'adopted') throw new TypeError(done.outcome);
  expect(w.desk.customers.get('Acme')).toMatchObject({ segment: 'Medium', shopPlan: 'Grow 2024' });
  const id = done.adoption?.id ?? '';
  expect((await w.undo(id))?.changes).toContainEqual({ field: 'custom_customer_segment', from: 'Medium', to: null });
  const { shopPlan, segment, platformOrgId, crmCompanyId } = w.desk.customers.get('Acme') ?? {};
  expect([shopPlan, segment, platformOrgId, crmCompanyId]).toEqual(['By hand', undefined, undefined, undefined]);
  expect(await w.undo(id)).toMatchObject({ changes: [] });
  expect(await w.undo('unknown')).toBeNull();
});

test('undoing leaves what a later refresh has written in the place of what adopting wrote, and no identity', async () => {
  const w = world();
  const done = await w.adopt();
  if (done.outcome !== 'adopted') throw new TypeError(done.outcome);
  w.crm.answer = () =>
    matched(sampleCompany({ modifiedAt: Date.UTC(2026, 8, 1) }, { customer_segment: 'SME', current_shopplan: 'Grow' }));
  await w.enrich({ hdCustomer: 'Acme' });
  await w.undo(done.adoption?.id ?? '');
  const { shopPlan, segment, platformOrgId, crmCompanyId } = w.desk.customers.get('Acme') ?? {};
  expect([shopPlan, segment, platformOrgId, crmCompanyId]).toEqual(['Grow', 'SME', undefined, undefined]);
});

test('undoing leaves a customer that somebody has made another company since', async () => {
  const w = world();
  const done = await w.adopt();
  if (done.outcome !== 'adopted') throw new TypeError(done.outcome);
  w.desk.customers.edit('Acme', { platformOrgId: otherOrgId });
  expect((await w.undo(done.adoption?.id ?? ''))?.changes).toEqual([]);
  expect(w.desk.customers.get('Acme')).toMatchObject({ platformOrgId: otherOrgId, crmCompanyId: '63001' });
});
