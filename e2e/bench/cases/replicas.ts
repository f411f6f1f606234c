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

/** Of all replicas and PostgreSQL together; without what they do in any case, which `idle` has. */
interface Cost {
  /** Microseconds of processor time, and transactions of the database. */
  profile: Spent;
  ticket: Spent & { helpdeskRequests: number };
  /** Microseconds for each second in which nothing happens. */
  idle: number;
}

interface Spent {
  computed: number;
  transactions: number;
}

/**
 * Whether the same work costs more where several replicas share it, on one PostgreSQL and behind one balancer. Every replica
 * gets as much to do as the single one does: as many profiles and tickets to become warm by, for its just-in-time compiler
 * has to have seen as much, and then as many at once and in all, for what it remembers serves as many. What regular duties
 * take in the meantime is measured at rest and subtracted. Processor time is told from noise by the rounds; how often the
 * database and the helpdesk are asked is counted, which another process on the machine hardly changes.
 */
export const replicas: BenchCase = {
  name: 'replicas',
  isSlow: true,
  async measure(conditions) {
    const rounds = conditions.isSmall ? 1 : Math.ceil(conditions.rounds / 3);
    const costs = await alternate(rounds, {
      one: () => costOf(1, conditions),
      two: () => costOf(2, conditions),
      four: () => costOf(conditions.isSmall ? 2 : 4, conditions),
    });
    const row = (
      measure: string,
      count: 'two' | 'four',
      what: (cost: Cost) => number,
      unit: string,
      most?: number,
    ) => ({
      measure: `${measure}, ${count} replicas`,
      unit,
      ours: costs[count].map(what),
      baseline: { name: 'one replica', figures: costs.one.map(what) },
      ...(most !== undefined && { goal: { is: 'at most', value: most, of: 'ratio' } as const }),
    });
    return (['two', 'four'] as const).flatMap((count) => [
      row('processor time of a cached profile with PostgreSQL', count, ({ profile }) => profile.computed, 'µs', 1.15),
      row('processor time of a ticket with PostgreSQL', count, ({ ticket }) => ticket.computed, 'µs', 1.15),
      row('transactions of a cached profile', count, ({ profile }) => profile.transactions, '', 1.15),
      row('transactions of a ticket', count, ({ ticket }) => ticket.transactions, '', 1.15),
      row('helpdesk requests of a ticket', count, ({ ticket }) => ticket.helpdeskRequests, '', 1.15),
      row('processor time of a second at rest', count, ({ idle }) => idle, 'µs'),
    ]);
  },
};

/** For each replica. */
const sizes = {
  small: { warm: { profiles: 8, tickets: 2 }, measured: { profiles: 40, tickets: 4 }, restSeconds: 1 },
  full: { warm: { profiles: 4_000, tickets: 80 }, measured: { profiles: 4_000, tickets: 80 }, restSeconds: 10 },
};
/** To each replica at once. */
const connectionsEach = 4;
const insertedEach = 8;

async function costOf(count: number, { isSmall }: Conditions): Promise<Cost> {
  const { warm, measured, restSeconds } = isSmall ? sizes.small : sizes.full;
  const seed = makeSeed();
  const helpdesk = await startHelpdesk({ seed: seed.helpdesk });
  const crm = await startCrm({ seed: seed.crm, plan: 'enterprise' });
  const database = await startPostgres('replicas');
  const environment = {
    ...proxyEnvironment({ helpdesk, crm }, database.urlOf('postgres')),
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
    const profiles = async (requests: number) => {
      const url = `${balancer.url}${contract.customerProfile.path}?ticket=${demo.tickets.matched}`;
      const headers = { authorization: keyOf(demo.agent) };
      const { statuses } = await closedLoop({ url, headers, connections: connectionsEach * count, requests });
      if (statuses[200] !== requests) throw new Error(`Not all got 200: ${JSON.stringify(statuses)}`);
      return requests;
    };
    /** By an agent, who vouches for its company: a mere claim is looked at again and again, the longer the more often. */
    const insert = async (n: number) => {
      const name = await helpdesk.insertTicket(demo.agent.name, {
        ...{ subject: `Turn ${n}`, raised_by: 'a@b.example' },
        custom_orgid: shops[n % shops.length]?.orgId,
      });
      while (['', '[]'].includes(String(helpdesk.document('HD Ticket', name)?._assign ?? ''))) await wait(20);
    };
    const tickets = async (wanted: number) => {
      let next = 0;
      const one = async () => {
        while (next < wanted) {
          next += 1;
          await insert(next);
        }
      };
      await Promise.all(Array.from({ length: Math.min(wanted, insertedEach * count) }, one));
      return wanted;
    };
    const spent = async (): Promise<Spent> => {
      const [row] = await database.query(
        "select sum(xact_commit + xact_rollback) as transactions from pg_stat_database where datname = 'postgres'",
      );
      const own = proxies.reduce((sum, { pid }) => sum + processorTime(pid), 0);
      return { computed: own + processorTimeBelow(database.pid), transactions: Number(row?.transactions) };
    };
    /** For each second, or each of what was done apart from what the time takes by itself. */
    const costs = async (work: () => Promise<number>, idle: Spent | null): Promise<Spent> => {
      const [from, began] = [await spent(), performance.now()];
      const done = await work();
      const seconds = (performance.now() - began) / 1_000;
      const to = await spent();
      const each = (what: keyof Spent) => (to[what] - from[what] - (idle?.[what] ?? 0) * seconds) / done;
      return { computed: each('computed'), transactions: each('transactions') };
    };
    await profiles(warm.profiles * count);
    await tickets(warm.tickets * count);
    const idle = await costs(async () => {
      await wait(restSeconds * 1_000);
      return restSeconds;
    }, null);
    const profile = await costs(() => profiles(measured.profiles * count), idle);
    const asked = helpdesk.journal.length;
    const ticket = await costs(() => tickets(measured.tickets * count), idle);
    const helpdeskRequests = (helpdesk.journal.length - asked) / (measured.tickets * count);
    return { profile, ticket: { ...ticket, helpdeskRequests }, idle: idle.computed };
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
  const known = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), ...fieldsOf(Number(name)) }));
  const sum = known.reduce((all, one) => {
    if (one.pid === pid) return all + one.own + one.ended;
    return one.parent === pid ? all + one.own : all;
  }, 0);
  // A hundredth of a second each.
  return sum * 10_000;
}

/** Of a process that has ended just now, nothing: what it computed is its parent's then. */
function fieldsOf(pid: number): { parent: number; own: number; ended: number } {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? [];
    const [, parent = 0] = fields;
    const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11);
    return { parent, own: user + system, ended: childrenUser + childrenSystem };
  } catch {
    return { parent: 0, own: 0, ended: 0 };
  }
}
