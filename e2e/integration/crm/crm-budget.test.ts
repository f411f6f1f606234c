import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { callProxy } from '@deskside/shared/client';
import { type CrmSimulator, startCrm } from '@deskside/simulators/crm/server';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { demo, keyOf, sharedSeed } from '@deskside/simulators/seed/index';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import { spawnProxy } from '../processes.ts';

/** Two proxies as processes of their own, on one folder, between both simulators. */
let crm: CrmSimulator;
let proxies: Awaited<ReturnType<typeof spawnProxy>>[];

beforeAll(async () => {
  const seed = sharedSeed();
  const helpdesk = await startHelpdesk({ seed: seed.helpdesk });
  crm = await startCrm({ seed: seed.crm });
  const folder = await mkdtemp(path.join(tmpdir(), 'deskside-two-'));
  const environment = proxyEnvironment({ helpdesk, crm }, `file:${folder}`);
  const ends: (() => Promise<void>)[] = [];
  proxies = await Promise.all([0, 1].map(() => spawnProxy(environment, (end) => ends.push(end))));
  return async () => {
    await Promise.all(ends.map((end) => end()));
    await Promise.all([helpdesk.close(), crm.close()]);
    await rm(folder, { recursive: true, force: true });
  };
});
beforeEach(() => {
  crm.latencyMs = 0;
  crm.clearJournal();
});

async function open(which: number, ticket: string, refresh: 0 | 1 = 0, who = demo.agent) {
  const baseUrl = proxies[which]?.url ?? '';
  const answer = await callProxy('customerProfile', { ticket, refresh }, { baseUrl, authorization: keyOf(who) });
  if (!answer.ok) throw new Error(`${answer.error.status} ${answer.error.code}`);
  return answer.data.bitrix;
}

test('50 opens of one company across two processes on one folder make one CRM request each at most', async () => {
  crm.latencyMs = 300;
  const opened = await Promise.all(Array.from({ length: 50 }, (_, i) => open(i % 2, demo.tickets.matched)));
  expect(new Set(opened.map(({ company }) => company?.company_id))).toEqual(new Set(['200000376001']));
  expect(crm.journal.length).toBeLessThanOrEqual(2);
});

test('two processes share the budget: together they never exceed what the portal takes', async () => {
  // As many refreshes as the callers may make, one after another so that none is packed with another: more than the
  // portal takes at once.
  const names = Object.values(demo.tickets);
  const chain = async (which: number, who: typeof demo.agent) => {
    const answers: PromiseSettledResult<unknown>[] = [];
    for (const name of names.slice(0, 20)) answers.push(...(await Promise.allSettled([open(which, name, 1, who)])));
    return answers;
  };
  const chains = [demo.agent, demo.manager].flatMap((who) => [chain(0, who), chain(1, who)]);
  const opened = (await Promise.all(chains)).flat();
  expect(opened.some(({ status }) => status === 'fulfilled')).toBe(true);
  expect(crm.journal.length).toBeGreaterThan(20);
  expect(crm.journal.filter(({ error }) => error === 'QUERY_LIMIT_EXCEEDED')).toEqual([]);
});

test('when the process that asks is killed, the other one asks for itself', async () => {
  crm.fault = 'hang';
  const ask = (which: number) => open(which, demo.tickets.matched, 1, demo.otherAgent);
  const lost = ask(0).catch(() => null);
  await expect.poll(() => crm.journal.length).toBe(1);
  await proxies[0]?.end();
  await lost;
  crm.fault = null;
  await expect.poll(async () => (await ask(1)).status, { interval: 200 }).toBe('matched');
});
