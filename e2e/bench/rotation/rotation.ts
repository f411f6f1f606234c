import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { startPostgres } from '@deskside/proxy/testing/postgres-server';
import { callProxy } from '@deskside/shared/client';
import type { SettingName } from '@deskside/shared/operator/settings';
import { startCrm } from '@deskside/simulators/crm/server';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { demo, makeSeed } from '@deskside/simulators/seed/index';
import { childEnvironment } from '@deskside/testing/child-environment';
import { printedBy } from '@deskside/testing/printed-by';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import { keyOf } from '../../integration/key-of.ts';
import { rotate, secretsBefore, shownSecrets, tellOfTicket } from './rotate.ts';

/**
 * Two proxy processes on one store, changed by the command line as an operator does: how long until a change is in force
 * at both, and what becomes of requests while secrets are replaced. `--postgres`, `--per-second 200`, `--step-ms 6000`.
 */
const { values } = parseArgs({
  options: {
    postgres: { type: 'boolean', default: false },
    'per-second': { type: 'string', default: '200' },
    'step-ms': { type: 'string', default: '6000' },
  },
});

const folder = await mkdtemp(path.join(tmpdir(), 'deskside-rotation-'));
const seed = makeSeed();
const helpdesk = await startHelpdesk({ seed: seed.helpdesk });
// The standard plan takes a fifth of what is asked at this rate.
const plan = 'enterprise';
const crm = await startCrm({ seed: seed.crm, plan });
const postgres = values.postgres ? await startPostgres('rotation') : null;
await postgres?.createDatabase('rotation');
const store = postgres ? postgres.urlOf('rotation') : `file:${path.join(folder, 'data')}`;
const environment = childEnvironment({
  ...proxyEnvironment({ helpdesk }, store),
  MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
  CRM_PLAN: plan,
  CRM_REFRESH_TTL_MINUTES: '0',
  LOG_LEVEL: 'warn',
});
const processes: ChildProcess[] = [];

function serve(): Promise<string> {
  const child = spawn(process.execPath, [proxyCli, 'serve'], { cwd: folder, env: environment });
  processes.push(child);
  child.stderr.pipe(process.stderr);
  child.stdout.pipe(process.stdout);
  return printedBy(child).address;
}

async function settings(...args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [proxyCli, 'settings', ...args], { cwd: folder, env: environment });
}

async function setSecret(name: SettingName, value: string, slot: 'current' | 'next'): Promise<void> {
  const file = path.join(folder, 'secret');
  await writeFile(file, value, { mode: 0o600 });
  await settings('set', name, '--file', file, ...(slot === 'next' ? ['--next'] : []));
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
  const urls = [await serve(), await serve()];
  for (const [name, value] of secretsBefore(crm)) await setSecret(name, value, 'current');
  await untilEverywhere(urls, async (url) => (await stateAt(url)) === 'matched');
  const times: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const [value, status] = round % 2 === 0 ? ['0', 'disabled'] : ['1', 'matched'];
    await settings('set', 'CRM_ENABLED', value);
    times.push(...(await untilEverywhere(urls, async (url) => (await stateAt(url)) === status)));
    await wait(Math.random() * 2_000);
  }
  console.log(`In force at each of two processes after a command: ${times.toSorted((a, b) => a - b).join(', ')} ms`);
  crm.clearJournal();
  const everywhere = { set: setSecret, promote: (name: SettingName) => settings('secrets', 'promote', name) };
  const figures = await rotate(
    { urls, crm, ...everywhere },
    { perSecond: Number(values['per-second']), stepMs: Number(values['step-ms']) },
  );
  console.log(JSON.stringify(figures));
  console.log(`The secret before: ${await tellOfTicket(urls[0] ?? '', shownSecrets.HELPDESK_WEBHOOK_SECRET[0])}`);
} finally {
  const ended = processes.map((child) => once(child, 'exit'));
  for (const child of processes) child.kill('SIGTERM');
  await Promise.all(ended);
  await Promise.all([helpdesk.close(), crm.close()]);
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
