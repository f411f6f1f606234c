import type { OrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import { memoryBy } from '#runtime/memory.ts';
import { fakeClock, uncounted } from '#runtime/testing/quiet.ts';
import { deleteNegative, markOutdated, putCompanies } from '#store/profile-cache.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { company, owner } from '#store/testing/sample-company.ts';
import { AnswerCache } from './cache.ts';

const portal = 'crm.example';
/** The company of an org id as it was checked at a moment. */
const checked = (orgId: OrgId, checkedAt: number, companies = [company(orgId)]) =>
  new Map([[orgId, { companies, answeredAt: { UF_CRM_COMPANY_ID: checkedAt }, checkedAt, payloads: {} }]]);
const a = '1000069001' as OrgId;

function setUp() {
  const clock = fakeClock();
  const store = { reads: 0, afterRead: async () => {} };
  const reading = new WeakSet<object>();
  const db = memoryStore().db.withPlugin({
    transformQuery({ node, queryId }) {
      if (node.kind === 'SelectQueryNode') reading.add(queryId);
      return node;
    },
    async transformResult({ result, queryId }) {
      if (reading.has(queryId)) {
        store.reads += 1;
        await store.afterRead();
      }
      return result;
    },
  });
  const cache = new AnswerCache(db, portal, memoryBy(clock), uncounted);
  const put = (orgId: OrgId, checkedAt: number, companies = [company(orgId)]) =>
    cache.putCompanies(checked(orgId, checkedAt, companies), checkedAt);
  const checkedAt = async (orgId: OrgId) => (await cache.company(orgId))?.answeredAt.UF_CRM_COMPANY_ID;
  return { clock, db, cache, store, put, checkedAt };
}

test("another process's newer answer, and that the CRM has announced a change, is seen at once", async () => {
  const { db, cache, put, checkedAt } = setUp();
  await put(a, 1);
  await checkedAt(a);
  await putCompanies(db, portal, checked(a, 2), 2);
  expect(await checkedAt(a)).toBe(2);
  await markOutdated(db, portal, '69001', 3);
  expect(await cache.company(a)).toMatchObject({ checkedAt: 2, outdated: true });
  await deleteNegative(db, portal);
  await put(a, 3);
  expect(await checkedAt(a)).toBe(3);
  await put(a, 4, []);
  await deleteNegative(db, portal);
  expect(await checkedAt(a)).toBeUndefined();
});

test('an answer is read and checked once, however often it is asked for', async () => {
  const { store, put, checkedAt } = setUp();
  await put(a, 1);
  await checkedAt(a);
  store.reads = 0;
  for (let i = 0; i < 5; i += 1) expect(await checkedAt(a)).toBe(1);
  // Of each look that is which answer counts, and not the answer.
  expect(store.reads).toBe(5);
});

test('a reading that began before a write does not bring the old answer back', async () => {
  const { store, cache, put, checkedAt } = setUp();
  await put(a, 1);
  const { promise, resolve } = Promise.withResolvers<void>();
  // What the write itself reads is not held up.
  store.afterRead = () => {
    store.afterRead = async () => {};
    return promise;
  };
  const reading = cache.company(a);
  await put(a, 2);
  resolve();
  await reading;
  expect(await checkedAt(a)).toBe(2);
});

test('a reading that began before a write does not bring the former account owner back', async () => {
  const { store, cache } = setUp();
  await cache.putUsers(new Map([[owner.id, { user: owner, checkedAt: 1 }]]));
  const { promise, resolve } = Promise.withResolvers<void>();
  store.afterRead = () => promise;
  const reading = cache.user(owner.id);
  await cache.putUsers(new Map([[owner.id, { user: null, checkedAt: 2 }]]));
  resolve();
  await reading;
  expect((await cache.user(owner.id))?.user).toBeNull();
});

test('an answer that came while the store was read is found, so that it is not asked for again', async () => {
  const { store, put, checkedAt } = setUp();
  let writing: Promise<void> | undefined;
  store.afterRead = async () => {
    writing ??= put(a, 1);
  };
  expect(await checkedAt(a)).toBe(1);
  await writing;
});

test('account owners are remembered in the same way', async () => {
  const { clock, store, cache } = setUp();
  await cache.putUsers(new Map([[owner.id, { user: owner, checkedAt: 1 }]]));
  for (let i = 0; i < 5; i += 1) expect((await cache.user(owner.id))?.user).toEqual(owner);
  expect(store.reads).toBe(1);
  await cache.putUsers(new Map([[owner.id, { user: null, checkedAt: 2 }]]));
  expect((await cache.user(owner.id))?.user).toBeNull();
  clock.advance(30_000);
  await cache.user(owner.id);
  expect(store.reads).toBe(3);
});
