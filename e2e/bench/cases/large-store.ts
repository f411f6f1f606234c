import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fillStore, type LargeStore, makeOld } from '@deskside/proxy/testing/large-store/fill';
import {
  measureDisk,
  measureRegularWork,
  measureRequests,
  type PerRequest,
} from '@deskside/proxy/testing/large-store/measure';
import { startPostgres } from '@deskside/proxy/testing/postgres-server';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import { alternate } from '../frame/alternate.ts';
import type { BenchCase, Conditions } from '../frame/case.ts';
import { memoryOf } from '../frame/processor-time.ts';
import type { Row } from '../frame/row.ts';
import { startProcess } from '../frame/start-process.ts';

/**
 * What grows stays flat: a store with very many tickets beside one with a thousand, on both databases, filled by plain SQL.
 * A million tickets take some 10 GB of disk and a quarter of an hour.
 */
export const largeStore: BenchCase = {
  name: 'large-store',
  isSlow: true,
  async measure(conditions) {
    const large = sizeOf(conditions.tickets);
    const small = sizeOf(1_000);
    const folders = { large: path.join(conditions.folder, 'large'), small: path.join(conditions.folder, 'small') };
    const rows = await measureOn('SQLite', conditions, {
      large: { ...large, url: `file:${folders.large}` },
      small: { ...small, url: `file:${folders.small}` },
    });
    const server = await startPostgres('bench');
    try {
      for (const name of ['large', 'small']) await server.createDatabase(name);
      const { urlOf } = server;
      const stores = { large: { ...large, url: urlOf('large') }, small: { ...small, url: urlOf('small') } };
      return [...rows, ...(await measureOn('PostgreSQL', conditions, stores))];
    } finally {
      await server.stop();
    }
  },
};

type Filled = LargeStore & { url: string };

function sizeOf(tickets: number): LargeStore {
  return { tickets, waiting: Math.ceil(tickets / 50), old: Math.min(2_000, Math.ceil(tickets / 50)), now: Date.now() };
}

async function measureOn(
  engine: string,
  { rounds, folder }: Conditions,
  stores: { large: Filled; small: Filled },
): Promise<Row[]> {
  for (const store of Object.values(stores)) await fillStore(store.url, store);
  const { large, small } = stores;
  const requests = await alternate(rounds, {
    large: () => measureRequests(large.url, large),
    small: () => measureRequests(small.url, small),
  });
  const at = `${engine}, ${large.tickets.toLocaleString('en')} tickets`;
  const flat = (measure: string, what: keyof PerRequest, goal?: Row['goal']): Row => ({
    ...{ measure: `${at}: ${measure}`, unit: 'ms', ...(goal && { goal }) },
    ours: requests.large.map((one) => one[what]),
    baseline: { name: '1,000 tickets', figures: requests.small.map((one) => one[what]) },
  });
  const started = await alternate(rounds, { large: () => startOn(large.url), small: () => startOn(small.url) });
  const restarted = await alternate(rounds, {
    large: () => startOn(large.url, 'SIGKILL'),
    small: () => startOn(small.url, 'SIGKILL'),
  });
  const rules = path.join(folder, 'rules.json');
  await writeFile(rules, '{}');
  const yesterday = new Date(large.now - 24 * 3_600_000).toISOString();
  const replayed = await replay(large.url, rules, []);
  const few = await replay(small.url, rules, []);
  const since = await replay(large.url, rules, ['--since', yesterday]);
  let cleaned = 0;
  const clean = async () => {
    await makeOld(large.url, large, cleaned);
    cleaned += 1;
    return measureRegularWork(large.url, large);
  };
  const worked = await alternate(rounds, {
    large: clean,
    disk: () => measureDisk(folder, 10),
  });
  const turn = (measure: string, what: 'longestTurn' | 'longestComputed', goal?: Row['goal']): Row => ({
    ...{ measure: `${at}: ${measure}`, unit: 'ms', ...(goal && { goal }) },
    ours: worked.large.map((one) => one[what]),
    baseline: { name: 'a plain page synced now and then', figures: worked.disk.map((one) => one[what]) },
  });
  const once = (measure: string, unit: string, [ours, few]: [number, number?], goal?: Row['goal']): Row => ({
    ...{ measure: `${at}: ${measure}`, unit, ours: [ours], ...(goal && { goal }) },
    ...(few !== undefined && { baseline: { name: '1,000 tickets', figures: [few] } }),
  });
  return [
    flat('what a profile reads of the store', 'profile', { is: 'at most', value: 1.5, of: 'ratio' }),
    flat('what the first profile of a ticket reads, partly from the disk', 'firstProfile'),
    flat('what a new ticket writes to it', 'ticket', { is: 'at most', value: 1.5, of: 'ratio' }),
    flat('what a sweep asks of 100 tickets', 'sweep', { is: 'at most', value: 1.5, of: 'ratio' }),
    flat('waiting tickets, nobody available', 'waiting', { is: 'at most', value: 2, of: 'ratio' }),
    flat('backlog, for a scrape', 'backlog', { is: 'at most', value: 10, of: 'ours' }),
    flat('opening the store', 'opening', { is: 'at most', value: 500, of: 'ours' }),
    {
      ...{ measure: `${at}: start to listening`, unit: 'ms', goal: { is: 'at most', value: 500, of: 'ours' } },
      ours: started.large,
      baseline: { name: '1,000 tickets', figures: started.small },
    },
    {
      ...{ measure: `${at}: start to listening after kill -9`, unit: 'ms' },
      ...{ ours: restarted.large, goal: { is: 'at most', value: 500, of: 'ours' } },
      baseline: { name: '1,000 tickets', figures: restarted.small },
    },
    once('replay of all', 's', [replayed.seconds, few.seconds]),
    once('replay of all, memory at most', 'MB', [replayed.memory, few.memory], {
      is: 'at most',
      value: 200,
      of: 'ours',
    }),
    once('replay --since yesterday', 's', [since.seconds]),
    {
      ...{ measure: `${at}: cleaning, ${large.old.toLocaleString('en')} tickets are old`, unit: 's' },
      ours: worked.large.map(({ seconds }) => seconds),
    },
    turn('longest turn of regular work, the disk included', 'longestTurn'),
    turn('longest turn of regular work, computing', 'longestComputed', { is: 'at most', value: 10, of: 'ours' }),
  ];
}

/** Milliseconds from the command to listening, after a service that was ended in an orderly way or not. */
async function startOn(url: string, former: NodeJS.Signals = 'SIGTERM'): Promise<number> {
  if (former === 'SIGKILL') await (await serve(url)).end(former);
  const from = performance.now();
  const started = await serve(url);
  const milliseconds = performance.now() - from;
  await started.end('SIGTERM');
  return milliseconds;
}

function serve(url: string) {
  return startProcess([proxyCli, 'serve'], {
    // Nobody answers there: whether the helpdesk does is not part of starting.
    ...proxyEnvironment({ helpdesk: { url: 'http://127.0.0.1:9' } }, url),
    LOG_LEVEL: 'error',
  });
}

/** The command in a process of its own, and the most memory that it was seen to hold, in MB. */
async function replay(url: string, rules: string, options: string[]): Promise<{ seconds: number; memory: number }> {
  const from = performance.now();
  const child = spawn(process.execPath, [proxyCli, 'replay', '--rules', rules, '--json', ...options], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'close');
  let memory = 0;
  const look = setInterval(() => {
    try {
      // Not a number for one that has just ended.
      memory = Math.max(memory, memoryOf(child.pid ?? 0) || 0);
    } catch {
      // Nor is it listed any more a moment later.
    }
  }, 20);
  const [code] = await ended;
  clearInterval(look);
  if (code !== 0) throw new Error(`replay ended with ${code}`);
  return { seconds: (performance.now() - from) / 1_000, memory };
}
