import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@deskside/proxy/testing/postgres-server';
import { contract } from '@deskside/shared/contract';
import { type CrmSimulator, startCrm } from '@deskside/simulators/crm/server';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { demo, makeSeed, shops } from '@deskside/simulators/seed/index';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import { tellOfNewTickets, webhookSecret } from '../../demo/world.ts';
import { keyOf } from '../../integration/key-of.ts';
import { nativeRules, setAvailability } from '../../integration/pipeline-kit.ts';
import { alternate } from '../frame/alternate.ts';
import { nodeFlags } from '../frame/as-operator.ts';
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
 * Whether the same work costs more where several replicas share it, on one PostgreSQL and behind one balancer, than where as
 * many proxies have nothing in common: each with a database, a helpdesk and as much to do of its own. Beside a single proxy
 * that tells nothing, because it costs more to be one of four on two cores: they take turns, each finds its memory gone from
 * the processor's caches, and does less in one go. What that is stands in rows of its own, without a goal.
 *
 * Every proxy gets as many profiles and tickets to become warm by, for its just-in-time compiler has to have seen as much,
 * and then as many at once and in all. What regular duties take in the meantime is measured at rest and subtracted.
 * Processor time is told from noise by the rounds; how often the database and the helpdesk are asked is counted, which
 * another process on the machine hardly changes.
 */
export const replicas: BenchCase = {
  name: 'replicas',
  isSlow: true,
  async measure(conditions) {
    const rounds = conditions.isSmall ? 1 : Math.ceil(conditions.rounds / 3);
    const most = conditions.isSmall ? 2 : 4;
    const costs = await alternate(rounds, {
      one: () => costOf(1, 1, conditions),
      two: () => costOf(1, 2, conditions),
      twoApart: () => costOf(2, 1, conditions),
      four: () => costOf(1, most, conditions),
      fourApart: () => costOf(most, 1, conditions),
    });
    type Way = keyof typeof costs;
    const names = { one: 'one replica', twoApart: 'two proxies apart', fourApart: 'four proxies apart' };
    const row = (way: Way, beside: keyof typeof names, what: (cost: Cost) => number, unit: string) => ({
      unit,
      ours: costs[way].map(what),
      baseline: { name: names[beside], figures: costs[beside].map(what) },
    });
    const goal = { is: 'at most', value: 1.15, of: 'ratio' } as const;
    return (['two', 'four'] as const).flatMap((count) => {
      const [together, apart] = [`${count} replicas`, `${count}Apart`] as const;
      const profile = 'processor time of a cached profile with PostgreSQL';
      const ticket = 'processor time of a ticket with PostgreSQL';
      const computed = { profile: (cost: Cost) => cost.profile.computed, ticket: (cost: Cost) => cost.ticket.computed };
      return [
        { measure: `${profile}, ${together}`, ...row(count, apart, computed.profile, 'µs'), goal },
        { measure: `${ticket}, ${together}`, ...row(count, apart, computed.ticket, 'µs'), goal },
        {
          measure: `transactions of a cached profile, ${together}`,
          ...row(count, apart, ({ profile }) => profile.transactions, ''),
          goal,
        },
        {
          measure: `transactions of a ticket, ${together}`,
          ...row(count, apart, ({ ticket }) => ticket.transactions, ''),
          goal,
        },
        {
          measure: `helpdesk requests of a ticket, ${together}`,
          ...row(count, apart, ({ ticket }) => ticket.helpdeskRequests, ''),
          goal,
        },
        {
          measure: `processor time of a second at rest, ${together}`,
          ...row(count, 'one', ({ idle }) => idle, 'µs'),
        },
        { measure: `${profile}, ${names[apart]}`, ...row(apart, 'one', computed.profile, 'µs') },
        { measure: `${ticket}, ${names[apart]}`, ...row(apart, 'one', computed.ticket, 'µs') },
      ];
    });
  },
};

/** For each proxy. */
const sizes = {
  small: {
    ...{ warm: { profiles: 8, tickets: 2 }, measured: { profiles: 40, tickets: 4 } },
    ...{ restSeconds: 1, calmSeconds: 0 },
  },
  full: {
    ...{ warm: { profiles: 4_000, tickets: 80 }, measured: { profiles: 4_000, tickets: 80 } },
    // PostgreSQL counts the last transactions of a connection ten seconds late; after as long without use one is closed.
    ...{ restSeconds: 10, calmSeconds: 12 },
  },
};
/** To each proxy at once. */
const connectionsEach = 4;
const insertedEach = 8;

/** With so many proxies for each of so many helpdesks. */
async function costOf(helpdesks: number, replicasEach: number, { isSmall }: Conditions): Promise<Cost> {
  const { warm, measured, restSeconds, calmSeconds } = isSmall ? sizes.small : sizes.full;
  const count = helpdesks * replicasEach;
  const crm = await startCrm({ seed: makeSeed().crm, plan: 'enterprise' });
  const database = await startPostgres('replicas');
  const installations = await Promise.all(
    Array.from({ length: helpdesks }, async (_, nth) => {
      await database.createDatabase(`deskside_${nth}`);
      return install(crm, database.urlOf(`deskside_${nth}`), replicasEach);
    }),
  );
  const proxies = installations.flatMap((one) => one.proxies);
  try {
    const profiles = async (each: number) => {
      await Promise.all(installations.map((one) => one.profiles(each * replicasEach)));
      return each * count;
    };
    const tickets = async (each: number) => {
      await Promise.all(installations.map((one) => one.tickets(each * replicasEach)));
      return each * count;
    };
    const transactions = async () => {
      await wait(calmSeconds * 1_000);
      const [row] = await database.query(
        "select sum(xact_commit + xact_rollback) as sum from pg_stat_database where datname like 'deskside%'",
      );
      return Number(row?.sum);
    };
    const computed = () =>
      proxies.reduce((sum, { pid }) => sum + processorTime(pid), 0) + processorTimeBelow(database.pid);
    /** For each second, or each of what was done apart from what the time takes by itself. */
    const costs = async (work: () => Promise<number>, idle: Spent | null): Promise<Spent> => {
      const counted = await transactions();
      const [from, began] = [computed(), performance.now()];
      const done = await work();
      const [to, seconds] = [computed(), (performance.now() - began) / 1_000];
      const spent = { computed: to - from, transactions: (await transactions()) - counted };
      const all = (performance.now() - began) / 1_000;
      if (idle === null) return { computed: spent.computed / seconds, transactions: spent.transactions / all };
      // Of a smoke test nothing may be left.
      return {
        computed: Math.max(0, (spent.computed - idle.computed * seconds) / done),
        transactions: Math.max(0, (spent.transactions - idle.transactions * all) / done),
      };
    };
    await profiles(warm.profiles);
    await tickets(warm.tickets);
    const rest = async () => {
      await wait(restSeconds * 1_000);
      return restSeconds;
    };
    const idle = await costs(rest, null);
    const profile = await costs(() => profiles(measured.profiles), idle);
    const asked = () => installations.reduce((sum, { helpdesk }) => sum + helpdesk.journal.length, 0);
    const before = asked();
    const ticket = await costs(() => tickets(measured.tickets), idle);
    const helpdeskRequests = (asked() - before) / (measured.tickets * count);
    return { profile, ticket: { ...ticket, helpdeskRequests }, idle: idle.computed };
  } finally {
    await Promise.all(installations.map((one) => one.end()));
    await database.stop();
    await crm.close();
  }
}

/** A helpdesk and its proxies behind one balancer, and what can be asked of them. */
async function install(crm: CrmSimulator, databaseUrl: string, replicas: number) {
  const helpdesk = await startHelpdesk({ seed: makeSeed().helpdesk });
  const environment = {
    ...proxyEnvironment({ helpdesk, crm }, databaseUrl),
    HELPDESK_WEBHOOK_SECRET: webhookSecret,
    CRM_PLAN: 'enterprise',
    RULES_FILE: fileURLToPath(new URL('../../demo/rules.json', import.meta.url)),
    LOG_LEVEL: 'warn',
  };
  const proxies = await Promise.all(
    Array.from({ length: replicas }, () => startProcess([...nodeFlags, proxyCli, 'serve'], environment)),
  );
  const balancer = await balance(proxies.map(({ url }) => Number(new URL(url).port)));
  nativeRules({ helpdesk }, false);
  for (const agent of agents) setAvailability({ helpdesk }, agent, 'Active');
  tellOfNewTickets(helpdesk, balancer.url);
  /** By an agent, who vouches for its company: a mere claim is looked at again and again, the longer the more often. */
  const insert = async (n: number) => {
    const name = await helpdesk.insertTicket(demo.agent.name, {
      ...{ subject: `Turn ${n}`, raised_by: 'a@b.example' },
      custom_orgid: shops[n % shops.length]?.orgId,
    });
    // Written last.
    while (helpdesk.document('HD Ticket', name)?.custom_platform_profile_status !== 'Complete') await wait(20);
  };
  return {
    helpdesk,
    proxies,
    async profiles(requests: number) {
      const url = `${balancer.url}${contract.customerProfile.path}?ticket=${demo.tickets.matched}`;
      const headers = { authorization: keyOf(demo.agent) };
      const { statuses } = await closedLoop({ url, headers, connections: connectionsEach * replicas, requests });
      if (statuses[200] !== requests) throw new Error(`Not all got 200: ${JSON.stringify(statuses)}`);
    },
    async tickets(wanted: number) {
      let next = 0;
      const one = async () => {
        while (next < wanted) {
          next += 1;
          await insert(next);
        }
      };
      await Promise.all(Array.from({ length: Math.min(wanted, insertedEach * replicas) }, one));
    },
    async end() {
      await balancer.close();
      await Promise.all(proxies.map((proxy) => proxy.end()));
      await helpdesk.close();
    },
  };
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
