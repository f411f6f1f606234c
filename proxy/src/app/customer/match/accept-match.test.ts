import type { CustomerMatch } from '@deskside/shared/customer-matches';
import { OrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import { enrichmentWorld, orgId } from '#app/testing/enrichment-kit.ts';
import { failed } from '#app/testing/fakes.ts';
import { matched, notFound, sampleCompany } from '#app/testing/sample-companies.ts';
import { acceptCertain, acceptMatch, undoAccepted } from './accept-match.ts';

const { signal } = new AbortController();
const begunAt = Date.UTC(2026, 10, 20);
const judgedAt = new Date(begunAt).toISOString();
const facts = [
  { code: 'same_name', value: 'Acme', of: 'ACME', weight: 'full' },
  { code: 'member_address', value: 'x@acme.example', of: 'x@acme.example', weight: 'unproven' },
] as const;

/** Twenty customers made by hand, each certain to be a company of its own. */
function world() {
  const w = enrichmentWorld();
  const { upkeep } = w.store;
  w.crm.answer = (id) => {
    if (id === '404') return notFound;
    if (id === '500') return failed;
    return matched(sampleCompany({}, { bitrix_id: id }));
  };
  const ctx = { ...w.ctx, crm: w.layers, upkeep };
  const names = Array.from({ length: 20 }, (_, n) => `C${String(n).padStart(2, '0')}`);
  const matches = names.map((customer, n): CustomerMatch => {
    const candidate = { org_id: OrgId.parse(`10000${n}`), crm_id: `10000${n}`, name: null, url: null, customer: null };
    return {
      customer,
      at: judgedAt,
      verdict: n === 3 ? 'likely' : 'certain',
      candidates: [{ ...candidate, facts: [...facts] }],
    };
  });
  for (const name of names) w.desk.customers.set(name, {});
  const orgIdOf = (name: string) => w.desk.customers.get(name)?.platformOrgId ?? null;
  const noted = upkeep.noteMatching({ begunAt, after: null, done: 20, total: 20, failed: 0 });
  return { ...w, ctx, names, orgIdOf, ready: Promise.all([noted, ctx.matches.keep(matches)]) };
}

test('one is accepted at an operator’s word, and given back', async () => {
  const w = world();
  await w.ready;
  const done = await acceptMatch(w.ctx, { by: 'truong', customer: 'C03', orgId: OrgId.parse('100003') }, signal);
  expect(done).toMatchObject({ outcome: 'adopted', customer: 'C03', other: null });
  expect(w.adoptions.entries).toMatchObject([{ by: 'truong', via: 'match', batch: null }]);
  expect(await undoAccepted(w.ctx, { id: done.id ?? '' }, signal)).toEqual({ customers: ['C03'], left: 0 });
  expect(w.orgIdOf('C03')).toBeNull();
  expect(await undoAccepted(w.ctx, { id: 'unknown' }, signal)).toEqual({ customers: [], left: 0 });
});

test.each([
  ['404', 'C03', 'not_in_crm'],
  ['500', 'C03', 'crm_failed'],
  ['100003', 'Nobody', 'gone'],
])('with org id %s, %s: %s, and nothing is written', async (id, customer, outcome) => {
  const w = world();
  expect(await acceptMatch(w.ctx, { by: 'truong', customer, orgId: OrgId.parse(id) }, signal)).toMatchObject({
    outcome,
    id: null,
  });
  expect([w.desk.writes, w.adoptions.entries]).toEqual([[], []]);
});

test('a twin of the company’s customer stays what it is, and is told of the other one', async () => {
  const w = world();
  w.desk.customers.set('Shop', { platformOrgId: orgId });
  const done = await acceptMatch(w.ctx, { by: 'truong', customer: 'C03', orgId }, signal);
  expect(done).toMatchObject({ outcome: 'company_has_customer', other: 'Shop', id: null });
});

test('all that are certain are accepted a few at a time under one batch, and given back in the same way', async () => {
  const w = world();
  await w.ready;
  const order = { by: 'truong', judgedAt, batch: 'b' };
  const first = await acceptCertain(w.ctx, { ...order, after: null }, signal);
  expect([first.accepted.length, first.next]).toEqual([16, 'C16']);
  // Asked for together before any is written, and not by one that fails.
  const asked = w.asked.slice(0, 16).map((one) => one.orgId);
  expect(asked).toHaveLength(new Set(asked).size);
  const second = await acceptCertain(w.ctx, { ...order, after: first.next }, signal);
  expect([second.accepted.length, second.next]).toEqual([3, null]);
  expect(w.names.filter((name) => w.orgIdOf(name) === null)).toEqual(['C03']);
  expect(await undoAccepted(w.ctx, { batch: 'b' }, signal)).toMatchObject({ left: 3 });
  expect((await undoAccepted(w.ctx, { batch: 'b' }, signal)).customers).toHaveLength(3);
  expect(w.names.filter((name) => w.orgIdOf(name) !== null)).toEqual([]);
});

test('another look since than the one on screen: nothing is accepted', async () => {
  const w = world();
  await w.ready;
  const order = { by: 'truong', judgedAt: '2026-11-19T00:00:00.000Z', batch: 'b', after: null };
  await expect(acceptCertain(w.ctx, order, signal)).rejects.toMatchObject({ code: 'changed_since' });
  expect(w.adoptions.entries).toEqual([]);
});
