import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { callProxy } from '@deskside/shared/client';
import { startCrm } from '@deskside/simulators/crm/server';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { demo, makeSeed } from '@deskside/simulators/seed/index';
import { expect, onTestFinished, test } from 'vitest';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import { keyOf } from '../key-of.ts';
import { spawnProxy } from '../spawn-proxy.ts';

/** Two proxies as processes of their own, on one folder, between both simulators. */
async function twoProcesses() {
  const seed = makeSeed();
  const [helpdesk, crm] = [await startHelpdesk({ seed: seed.helpdesk }), await startCrm({ seed: seed.crm })];
  const folder = await mkdtemp(path.join(tmpdir(), 'deskside-two-'));
  onTestFinished(async () => {
    await Promise.all([helpdesk.close(), crm.close()]);
    await rm(folder, { recursive: true, force: true });
  });
  const environment = proxyEnvironment({ helpdesk, crm }, `file:${folder}`);
  const proxies = await Promise.all([spawnProxy(environment), spawnProxy(environment)]);
  const open = async (which: number, ticket: string, refresh: 0 | 1 = 0, who = demo.agent) => {
    const proxy = proxies[which % proxies.length];
    const baseUrl = proxy?.url ?? '';
    const answer = await callProxy('customerProfile', { ticket, refresh }, { baseUrl, authorization: keyOf(who) });
    if (!answer.ok) throw new Error(`${answer.error.status} ${answer.error.code}`);
    return answer.data.bitrix;
  };
  return { helpdesk, crm, proxies, open };
}

test('50 opens of one company across two processes on one folder make one CRM request each at most', async () => {
  const { crm, open } = await twoProcesses();
  crm.latencyMs = 300;
  const opened = await Promise.all(Array.from({ length: 50 }, (_, i) => open(i, demo.tickets.matched)));
  expect(new Set(opened.map(({ company }) => company?.company_id))).toEqual(new Set(['200000376001']));
  expect(crm.journal.length).toBeLessThanOrEqual(2);
});

test('when the process that asks is killed, the other one asks for itself', async () => {
  const { crm, proxies, open } = await twoProcesses();
  crm.fault = 'hang';
  const lost = open(0, demo.tickets.matched).catch(() => null);
  await expect.poll(() => crm.journal.length).toBe(1);
  proxies[0]?.kill('SIGKILL');
  await lost;
  crm.fault = null;
  await expect.poll(async () => (await open(1, demo.tickets.matched)).outcome, { interval: 200 }).toBe('matched');
});

test('two processes share the budget: together they never exceed what the portal takes', async () => {
  const { crm, open } = await twoProcesses();
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
