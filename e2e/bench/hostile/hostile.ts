import { fork, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { contract } from '@deskside/shared/contract';
import { startCrm } from '@deskside/simulators/crm/server';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { demo, makeSeed } from '@deskside/simulators/seed/index';
import { printedBy } from '@deskside/testing/printed-by';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import { keyOf } from '../../integration/key-of.ts';
import { percentile } from '../frame/closed-loop.ts';

/**
 * Response times of agents and of first sign-ins, and the proxy's memory, first without and then during an attack.
 * Everything is on loopback: the attack and one agent come from 127.0.0.1, another agent from 127.0.0.3, first sign-ins
 * from 127.0.0.2. Exits with 1 if a bound is exceeded.
 */
const { values: options } = parseArgs({
  options: {
    connections: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '60' },
    /** The proxy's program of another checkout, to compare. */
    proxy: { type: 'string', default: proxyCli },
  },
});
const bounds = { memoryMb: 300, agentP99Ms: 100, signInMs: 2_000 };
/** Response time of a real helpdesk. */
const helpdeskMs = 20;

const seed = makeSeed();
const helpdesk = await startHelpdesk({ seed: seed.helpdesk });
helpdesk.latency = () => helpdeskMs;
const crm = await startCrm({ seed: seed.crm });
const data = await mkdtemp(path.join(tmpdir(), 'deskside-hostile-'));
const proxy = spawn(process.execPath, [options.proxy, 'serve'], {
  env: {
    ...proxyEnvironment({ helpdesk, crm }, `file:${data}`),
    PATH: process.env.PATH,
    TRUSTED_PROXIES: 'none',
    HELPDESK_WEBHOOK_SECRET: 'bench-webhook-secret',
    LOG_LEVEL: 'warn',
  },
  stdio: ['ignore', 'pipe', 'ignore'],
});
const { ended, address: listening } = printedBy(proxy);
const address = await listening;

/** Milliseconds that each request took, and how many got no good response. */
interface Times {
  ms: number[];
  lost: number;
}
const newTimes = (): Times => ({ ms: [], lost: 0 });

/** Sends one request; `agent` pools its connections. */
function ask(at: string, authorization: string, localAddress: string, agent: Agent | undefined, times: Times) {
  const startedAt = performance.now();
  return new Promise<void>((resolve) => {
    const done = (isGood: boolean) => {
      times.ms.push(performance.now() - startedAt);
      if (!isGood) times.lost += 1;
      resolve();
    };
    const options = { headers: { authorization }, localAddress, agent: agent ?? false, timeout: 10_000 };
    const sent = request(address + at, options, (answer) => {
      answer.resume();
      answer.once('close', () => done(answer.statusCode === 200 && answer.complete));
    });
    sent.once('timeout', () => sent.destroy(new Error('late')));
    sent.once('error', () => done(false));
    sent.end();
  });
}

const profile = `${contract.customerProfile.path}?ticket=${demo.tickets.matched}`;
const newcomers = seed.helpdesk.users.filter((user) => user.enabled && user.name !== demo.agent.name).map(keyOf);

/** Like a browser's: kept alive, and never more than six. */
const connectionsOf = {
  here: new Agent({ keepAlive: true, maxSockets: 6 }),
  there: new Agent({ keepAlive: true, maxSockets: 6 }),
};

async function measure(seconds: number) {
  const here = { times: newTimes(), from: '127.0.0.1', agent: connectionsOf.here, key: keyOf(demo.agent) };
  const there = { times: newTimes(), from: '127.0.0.3', agent: connectionsOf.there, key: keyOf(demo.agent) };
  const signIns = newTimes();
  let peakKb = 0;
  const running: Promise<void>[] = [];
  const until = performance.now() + seconds * 1_000;
  for (let turn = 0; performance.now() < until && proxy.exitCode === null; turn += 1) {
    for (const { key, from, agent, times } of [here, there]) running.push(ask(profile, key, from, agent, times));
    const newcomer = turn % 40 === 0 ? newcomers.pop() : undefined;
    if (newcomer) running.push(ask(contract.whoami.path, newcomer, '127.0.0.2', undefined, signIns));
    const status = await readFile(`/proc/${proxy.pid}/status`, 'utf8').catch(() => '');
    peakKb = Math.max(peakKb, Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0));
    await wait(50);
  }
  await Promise.all(running);
  return { here: here.times, there: there.times, signIns, memoryMb: Math.round(peakKb / 1024) };
}

function print(name: string, { here, there, signIns, memoryMb }: Awaited<ReturnType<typeof measure>>): void {
  const line = (who: string, { ms, lost }: Times) => {
    const at = (share: number) => `${percentile(ms, share).toFixed(1)} ms`;
    return `  ${who.padEnd(28)} p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}, lost ${lost} of ${ms.length}`;
  };
  console.log(`${name}: memory at most ${memoryMb} MB`);
  console.log(line('agent, his own address', there));
  console.log(line('agent, the same address', here));
  console.log(line('first sign-in', signIns));
}

const seconds = Number(options.seconds);
try {
  for (const [from, agent] of [
    ['127.0.0.1', connectionsOf.here],
    ['127.0.0.3', connectionsOf.there],
  ] as const)
    await Promise.all(Array.from({ length: 6 }, () => ask(profile, keyOf(demo.agent), from, agent, newTimes())));
  print('Nobody else', await measure(Math.min(10, seconds)));
  const attack = fork(fileURLToPath(new URL('./attack.ts', import.meta.url)), [address, options.connections]);
  let totals = { opened: 0, closed: 0 };
  attack.on('message', (message) => {
    totals = message as typeof totals;
  });
  await wait(2_000);
  const beside = await measure(seconds);
  attack.disconnect();
  print(`Beside ${options.connections} hostile connections, ${seconds} s`, beside);
  console.log(`  hostile connections opened ${totals.opened}, closed ${totals.closed}`);
  if (proxy.exitCode !== null || proxy.signalCode !== null) console.log('  The proxy did not live to see the end.');
  const isBroken =
    proxy.exitCode !== null ||
    proxy.signalCode !== null ||
    beside.memoryMb >= bounds.memoryMb ||
    percentile(beside.there.ms, 0.99) >= bounds.agentP99Ms ||
    percentile(beside.signIns.ms, 1) >= bounds.signInMs ||
    [beside.here, beside.there, beside.signIns].some(({ lost }) => lost > 0);
  process.exitCode = isBroken ? 1 : 0;
} finally {
  for (const agent of Object.values(connectionsOf)) agent.destroy();
  proxy.kill('SIGKILL');
  await ended;
  await Promise.all([helpdesk.close(), crm.close()]);
  await rm(data, { recursive: true, force: true });
}
process.exit();
