import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { type PostgresServer, startPostgres } from '@deskside/proxy/testing/postgres-server';
import { callProxy } from '@deskside/shared/client';
import type { SettingName } from '@deskside/shared/operator/settings';
import { startCrm } from '@deskside/simulators/crm/server';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { demo, makeSeed } from '@deskside/simulators/seed/index';
import { childEnvironment } from '@deskside/testing/child-environment';
import { freePort } from '@deskside/testing/free-port';
import { printedBy } from '@deskside/testing/printed-by';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import { keyOf } from '../../integration/key-of.ts';
import { receiveAlerts } from '../../integration/receive-alerts.ts';
import { environmentBefore, rotate, secretsBefore } from './rotate.ts';

/**
 * Two proxy processes on one store, changed by the command line as an operator does: how long until a change is in force
 * at both, and what becomes of requests while every secret
 * is replaced. `--postgres`, `--per-second 200`, `--step-ms 6000`, `--rounds 10` of the former.
 */
const { values } = parseArgs({
  options: {
    postgres: { type: 'boolean', default: false },
    'per-second': { type: 'string', default: '200' },
    'step-ms': { type: 'string', default: '6000' },
    rounds: { type: 'string', default: '10' },
  },
});

const folder = await mkdtemp(path.join(tmpdir(), 'deskside-rotation-'));
const seed = makeSeed();
const helpdesk = await startHelpdesk({ seed: seed.helpdesk });
// The standard plan takes two requests a second.
const plan = 'enterprise';
const crm = await startCrm({ seed: seed.crm, plan });
const [alertsBefore, alertsAfter] = [await receiveAlerts(), await receiveAlerts()];
const postgres = values.postgres ? await startPostgres('rotation') : null;
await postgres?.createDatabase('rotation');
const store = postgres ? postgres.urlOf('rotation') : `file:${path.join(folder, 'data')}`;
let environment = childEnvironment({
  ...proxyEnvironment({ helpdesk }, store),
  ...environmentBefore,
  ALERT_WEBHOOK_URL: `${alertsBefore.url}/before`,
  CRM_PLAN: plan,
  // Each profile asks the CRM.
  CRM_REFRESH_TTL_MINUTES: '0',
  LOG_LEVEL: 'warn',
});
const proxies: { port: number; child: ChildProcess }[] = [];

async function serve(port: number): Promise<{ port: number; child: ChildProcess }> {
  const env = { ...environment, PORT: String(port) };
  const child = spawn(process.execPath, [proxyCli, 'serve'], { cwd: folder, env });
  child.stderr.pipe(process.stderr);
  child.stdout.pipe(process.stdout);
  await printedBy(child).address;
  return { port, child };
}

async function stop({ child }: { child: ChildProcess }): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function restart(changes: Record<string, string>): Promise<void> {
  environment = { ...environment, ...changes };
  for (const [at, proxy] of proxies.entries()) {
    await stop(proxy);
    proxies[at] = await serve(proxy.port);
  }
}

async function settings(...args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [proxyCli, 'settings', ...args], { cwd: folder, env: environment });
}

async function setSecret(name: SettingName, value: string, slot: 'current' | 'next'): Promise<void> {
  const file = path.join(folder, 'secret');
  await writeFile(file, value, { mode: 0o600 });
  await settings('set', name, '--file', file, ...(slot === 'next' ? ['--next'] : []));
}

/** The address with another login, which acts as the one before: docs/settings.md#secrets. */
async function anotherLogin(server: PostgresServer): Promise<string> {
  await server.query("create role another login password 'another-password' in role postgres");
  await server.query('alter role another set role = postgres');
  return server.urlOf('rotation').replace(/\/\/[^@]*@/, '//another:another-password@');
}

const stateAt = async (baseUrl: string) => {
  const input = { ticket: demo.tickets.matched };
  const answer = await callProxy('customerProfile', input, { baseUrl, authorization: keyOf(demo.manager) });
  return answer.ok ? answer.data.bitrix.status : answer.error.code;
};

/** Milliseconds until every proxy has it in force. */
async function untilEverywhere(urls: readonly string[], isThere: (url: string) => Promise<boolean>): Promise<number[]> {
  const since = performance.now();
  return Promise.all(
    urls.map(async (url) => {
      while (!(await isThere(url))) await wait(25);
      return Math.round(performance.now() - since);
    }),
  );
}

try {
  for (let count = 0; count < 2; count += 1) proxies.push(await serve(await freePort()));
  const urls = proxies.map(({ port }) => `http://127.0.0.1:${port}`);
  for (const [name, value] of secretsBefore(crm)) await setSecret(name, value, 'current');
  await untilEverywhere(urls, async (url) => (await stateAt(url)) === 'matched');
  const times: number[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const [value, status] = round % 2 === 0 ? ['0', 'disabled'] : ['1', 'matched'];
    await settings('set', 'CRM_ENABLED', value);
    times.push(...(await untilEverywhere(urls, async (url) => (await stateAt(url)) === status)));
    await wait(Math.random() * 2_000);
  }
  console.log(`In force at each of two processes after a command: ${times.toSorted((a, b) => a - b).join(', ')} ms`);
  crm.clearJournal();
  const figures = await rotate(
    {
      ...{ urls, crm, helpdesk, restart },
      alerts: alertsAfter.bodies,
      addresses: {
        ALERT_WEBHOOK_URL: `${alertsAfter.url}/after`,
        ...(postgres && { DATABASE_URL: await anotherLogin(postgres) }),
      },
      set: setSecret,
      promote: (name) => settings('secrets', 'promote', name),
      sealAgain: () => settings('secrets', 'rotate'),
    },
    { perSecond: Number(values['per-second']), stepMs: Number(values['step-ms']) },
  );
  console.log(JSON.stringify(figures));
} finally {
  await Promise.all(proxies.map(stop));
  await Promise.all([helpdesk, crm, alertsBefore, alertsAfter].map((one) => one.close()));
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
