import type { OrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import type { Logger } from '#runtime/logger.ts';
import * as leases from '#store/leases.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { fakeCrm, unlimited } from '#testing/fakes.ts';
import { silent } from '#testing/quiet.ts';
import { company } from '#testing/sample-company.ts';
import { createAskCrm } from './ask-crm.ts';

const a = '1000069001' as OrgId;
const b = '200000376001' as OrgId;

function setUp({ store = memoryStore(), logger = silent as Logger } = {}) {
  const crm = fakeCrm({ [a]: company(a), [b]: company(b) });
  const { db, profileCache: cache } = store;
  const process = () =>
    createAskCrm({ crm: unlimited(crm), portal: crm.portal, cache, shared: cache, db, clock: Date.now, logger });
  return { crm, cache, store, process };
}

const question = (ms = 60_000, lane: 'click' | 'backfill' = 'click') =>
  ({ by: 'company_id', lane, since: Date.now() - 1, deadline: Date.now() + ms }) as const;

test('50 callers in each of two processes make one request, and all get its answer', async () => {
  const { crm, process } = setUp();
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  crm.hold = promise;
  const processes = [process(), process()];
  const asked = Array.from({ length: 100 }, (_, i) => processes[i % 2]?.companies([a], question()));
  await expect.poll(() => crm.requests.length).toBe(1);
  letGo();
  const kinds = (await Promise.all(asked)).map((answers) => answers?.get(a)?.answer.kind);
  expect(new Set(kinds)).toEqual(new Set(['found']));
  expect(crm.requests).toHaveLength(1);
});

test('an answer that came between the look into the cache and the lease is taken', async () => {
  const { crm, cache, process } = setUp();
  const since = Date.now() - 5;
  await cache.putCompanies(
    crm.portal,
    'company_id',
    new Map([[a, { companies: [company(a)], checkedAt: Date.now() }]]),
    0,
  );
  const answers = await process().companies([a], { ...question(), since });
  expect(answers.get(a)?.answer.kind).toBe('found');
  expect(crm.requests).toEqual([]);
});

test('when the process that asks fails, the next one asks for itself', async () => {
  const { crm, process } = setUp();
  const good = crm.answer;
  crm.answer = () => ({ kind: 'failed', code: 'unreachable' });
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  crm.hold = promise;
  const [first, second] = [process(), process()];
  const failing = first.companies([a], question());
  const following = second.companies([a], question());
  await expect.poll(() => crm.requests.length).toBe(1);
  letGo();
  expect((await failing).get(a)?.answer).toEqual({ kind: 'failed', code: 'unreachable' });
  crm.answer = good;
  expect((await following).get(a)?.answer.kind).toBe('found');
  expect(crm.requests).toHaveLength(2);
});

test('a process that holds the lease and never answers costs the deadline, and nothing else would end the wait', async () => {
  const { crm, store, process } = setUp();
  await leases.take(store, [`crm ${crm.portal} company_id ${a}`], 'somebody else', 5_000);
  const answers = await process().companies([a], question(300));
  expect(answers.get(a)?.answer).toEqual({ kind: 'failed', code: 'timeout' });
  expect(crm.requests).toEqual([]);
});

test('who follows the look-ups of a company that is announced all the time asks for itself', async () => {
  const { crm, cache, store, process } = setUp();
  const { portal } = crm;
  const announced = async (checkedAt: number) => {
    await cache.putCompanies(portal, 'company_id', new Map([[a, { companies: [company(a)], checkedAt }]]), checkedAt);
    await cache.markOutdated(portal, company(a).fields.bitrix_id, checkedAt + 1);
  };
  await announced(Date.now());
  await leases.take(store, [`crm ${crm.portal} company_id ${a}`], 'somebody else', 5_000);
  const following = process().companies([a], question());
  await new Promise((resolve) => setTimeout(resolve, 200));
  // What was outdated before is what the other one asks for just now.
  expect(crm.requests).toEqual([]);
  await announced(Date.now() + 1);
  expect((await following).get(a)?.answer.kind).toBe('found');
  expect(crm.requests).toHaveLength(1);
});

test('the lease is given back after every answer, good or bad', async () => {
  const { crm, process, store } = setUp();
  await process().companies([a, b], question());
  crm.answer = () => ({ kind: 'failed', code: 'timeout' });
  await process().companies([a, b], question());
  expect(store.rows.leases.size).toBe(0);
});

test('bulk work waits for nobody and keeps nobody waiting', async () => {
  const { crm, process, store } = setUp();
  await leases.take(store, [`crm ${crm.portal} company_id ${a}`], 'somebody else', 5_000);
  expect((await process().companies([a], question(60_000, 'backfill'))).get(a)?.answer.kind).toBe('found');
});

test('a store without leases costs a request, not the answer', async () => {
  const { process, store } = setUp();
  store.database.exec('drop table lease');
  expect((await process().companies([a], question())).get(a)?.answer.kind).toBe('found');
});

test('several org ids are asked for in one request, and one org id by different fields in two', async () => {
  const { crm, process } = setUp();
  const one = process();
  await Promise.all([
    one.companies([a, b], question()),
    one.companies([a], { ...question(), by: 'platform_orgid_then_company_id' }),
  ]);
  expect(crm.requests.map(({ orgIds }) => orgIds)).toEqual([[a, b], [a]]);
});
