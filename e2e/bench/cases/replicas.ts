import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@deskside/proxy/testing/postgres-server';
import { contract } from '@deskside/shared/contract';
import { startCrm } from '@deskside/simulators/crm/server';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { demo, makeSeed, shops } from '@deskside/simulators/seed/index';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import { tellOfNewTickets, webhookSecret } from '../../demo/world.ts';
import { keyOf } from '../../integration/key-of.ts';
import { nativeRules, setAvailability } from '../../integration/pipeline-kit.ts';
import { alternate } from '../frame/alternate.ts';
import type { BenchCase, Conditions } from '../frame/case.ts';
import { closedLoop } from '../frame/closed-loop.ts';
import { processorTime } from '../frame/processor-time.ts';
import { startProcess } from '../frame/start-process.ts';

const agents = ['an', 'dung', 'hoa', 'khoa', 'linh', 'minh', 'truong'].map((id) => `${id}@support.example`);

/** Microseconds of processor time, of all replicas and PostgreSQL together. */
interface Cost {
  profile: number;
  ticket: number;
  /** For each second in which nothing happens. */
  idle: number;
}

/** Whether the same work costs more where several replicas share it, on one PostgreSQL and behind one balancer. */
export const replicas: BenchCase = {
  name: 'replicas',
  isSlow: true,
  async measure(conditions) {
    const rounds = conditions.isSmall ? 1 : Math.ceil(conditions.rounds / 2);
    const costs = await alternate(rounds, {
      one: () => costOf(1, conditions),
      two: () => costOf(2, conditions),
      four: () => costOf(conditions.isSmall ? 2 : 4, conditions),
    });
    const row = (measure: string, count: 'two' | 'four', what: keyof Cost, most?: number) => ({
      measure: `${measure}, ${count} replicas, PostgreSQL's included`,
      unit: 'µs',
      ours: costs[count].map((one) => one[what]),
      baseline: { name: 'one replica', figures: costs.one.map((one) => one[what]) },
      ...(most !== undefined && { goal: { is: 'at most', value: most, of: 'ratio' } as const }),
    });
    return (['two', 'four'] as const).flatMap((count) => [
      row('processor time of a cached profile', count, 'profile', 1.25),
      row('processor time of a ticket to its agent', count, 'ticket', 1.25),
      row('processor time of a second at rest', count, 'idle'),
    ]);
  },
};

async function costOf(count: number, { isSmall }: Conditions): Promise<Cost> {
  const seed = makeSeed();
  const helpdesk = await startHelpdesk({ seed: seed.helpdesk });
  const crm = await startCrm({ seed: seed.crm, plan: 'enterprise' });
  const database = await startPostgres('replicas');
  const environment = {
    ...proxyEnvironment({ helpdesk, crm }, `postgres://postgres:replicas@127.0.0.1:${database.port}/postgres`),
    HELPDESK_WEBHOOK_SECRET: webhookSecret,
    CRM_PLAN: 'enterprise',
    RULES_FILE: fileURLToPath(new URL('../../demo/rules.json', import.meta.url)),
    LOG_LEVEL: 'warn',
  };
  const proxies = await Promise.all(
    Array.from({ length: count }, () => startProcess(['--max-semi-space-size=8', proxyCli, 'serve'], environment)),
  );
  const balancer = await balance(proxies.map(({ url }) => Number(new URL(url).port)));
  try {
    nativeRules({ helpdesk }, false);
    for (const agent of agents) setAvailability({ helpdesk }, agent, 'Active');
    tellOfNewTickets(helpdesk, balancer.url);
    const computed = () =>
      proxies.reduce((sum, { pid }) => sum + processorTime(pid), 0) + processorTimeBelow(database.pid);
    const costs = async (work: () => Promise<number>) => {
      const from = computed();
      const done = await work();
      return (computed() - from) / done;
    };
    const profiles = async (requests: number) => {
      const url = `${balancer.url}${contract.customerProfile.path}?ticket=${demo.tickets.matched}`;
      const headers = { authorization: keyOf(demo.agent) };
      const { statuses } = await closedLoop({ url, headers, connections: 8, requests });
      if (statuses[200] !== requests) throw new Error(`Not all got 200: ${JSON.stringify(statuses)}`);
      return requests;
    };
    const tickets = async (wanted: number) => {
      const insert = (_: unknown, n: number) =>
        helpdesk.insertTicket(demo.service.name, {
          ...{ subject: `Turn ${n}`, raised_by: 'a@b.example' },
          custom_orgid: shops[n % shops.length]?.orgId,
        });
      const names = await Promise.all(Array.from({ length: wanted }, insert));
      const isAssigned = (name: string) =>
        !['', '[]'].includes(String(helpdesk.document('HD Ticket', name)?._assign ?? ''));
      while (!names.every(isAssigned)) await wait(20);
      return wanted;
    };
    // Each replica's just-in-time compiler is to have seen as much.
    await profiles(isSmall ? 8 : 3_000 * count);
    await tickets(isSmall ? 2 : 60 * count);
    return {
      profile: await costs(() => profiles(isSmall ? 40 : 4_000)),
      ticket: await costs(() => tickets(isSmall ? 4 : 200)),
      idle: await costs(async () => {
        const seconds = isSmall ? 1 : 10;
        await wait(seconds * 1_000);
        return seconds;
      }),
    };
  } finally {
    await balancer.close();
    await Promise.all(proxies.map((proxy) => proxy.end()));
    await database.stop();
    await Promise.all([helpdesk.close(), crm.close()]);
  }
}

/** Passes each connection on to the next port in turn, as bytes. */
async function balance(ports: readonly number[]): Promise<{ url: string; close(): Promise<void> }> {
  let turn = 0;
  const open = new Set<{ destroy(): void }>();
  const server = createServer((from) => {
    const to = connect(ports[turn % ports.length] ?? 0, '127.0.0.1');
    turn += 1;
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      open.add(one);
      one.setNoDelay(true);
      one.on('error', () => other.destroy()).on('close', () => open.delete(one));
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Microseconds that a process and those that it has started have computed, those that have ended included. */
function processorTimeBelow(pid: number): number {
  const ticks = (at: number) => {
    const fields = readFileSync(`/proc/${at}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return { own: Number(fields[11]) + Number(fields[12]), ended: Number(fields[13]) + Number(fields[14]) };
  };
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(Number(name)) === pid);
  const { own, ended } = ticks(pid);
  const sum = children.reduce((all, child) => all + ticks(Number(child)).own, own + ended);
  // A hundredth of a second each.
  return sum * 10_000;
}

function parentOf(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return null;
  }
}
