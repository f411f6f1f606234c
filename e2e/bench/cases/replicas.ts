import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres } from '@deskside/proxy/testing/postgres-server';
import { startCrm } from '@deskside/simulators/crm/server';
import { makeSeed } from '@deskside/simulators/seed/index';
import { alternate } from '../frame/alternate.ts';
import type { BenchCase, Conditions } from '../frame/case.ts';
import { install } from '../frame/installation.ts';
import { processorTime, processorTimeBelow } from '../frame/processor-time.ts';

/** Of all replicas and PostgreSQL together; without what they do in any case, which `idle` has for each second. */
interface Cost {
  profile: Spent;
  ticket: Spent & { helpdeskRequests: number };
  idle: Spent;
}

/** Microseconds of processor time, and transactions of the database; NaN where a round did not wait for them. */
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
 * Processor time is told from noise by the rounds; how often the database is asked is counted, which another process on the
 * machine hardly changes. It is counted late, so the first round alone waits for it, and for the rest.
 */
export const replicas: BenchCase = {
  name: 'replicas',
  isSlow: true,
  async measure(conditions) {
    const rounds = conditions.isSmall ? 1 : Math.ceil(conditions.rounds / 3);
    const most = conditions.isSmall ? 2 : 4;
    const way = (helpdesks: number, replicasEach: number) => {
      let known: Cost | undefined;
      return async () => {
        const cost = await costOf(helpdesks, replicasEach, conditions, known?.idle);
        known ??= cost;
        return cost;
      };
    };
    const costs = await alternate(rounds, {
      one: way(1, 1),
      two: way(1, 2),
      twoApart: way(2, 1),
      four: way(1, most),
      fourApart: way(most, 1),
    });
    type Way = keyof typeof costs;
    const names = { one: 'one replica', twoApart: 'two proxies apart', fourApart: 'four proxies apart' };
    const figures = (way: Way, what: (cost: Cost) => number) =>
      costs[way].map(what).filter((figure) => !Number.isNaN(figure));
    const row = (way: Way, beside: keyof typeof names, what: (cost: Cost) => number, unit: string) => ({
      unit,
      ours: figures(way, what),
      baseline: { name: names[beside], figures: figures(beside, what) },
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
          ...row(count, 'one', ({ idle }) => idle.computed, 'µs'),
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
    ...{ warm: { profiles: 4_000, tickets: 160 }, measured: { profiles: 4_000, tickets: 240 } },
    // PostgreSQL counts the last transactions of a connection ten seconds late; after as long without use one is closed.
    ...{ restSeconds: 10, calmSeconds: 12 },
  },
};

/** With so many proxies for each of so many helpdesks. Waits, for what they do at rest and all counts, unless that rest is known. */
async function costOf(
  helpdesks: number,
  replicasEach: number,
  { isSmall }: Conditions,
  atRest: Spent | undefined,
): Promise<Cost> {
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
      if (atRest) return Number.NaN;
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
      const before = counted;
      const [from, began] = [computed(), performance.now()];
      const done = await work();
      const [to, seconds] = [computed(), (performance.now() - began) / 1_000];
      counted = await transactions();
      const spent = { computed: to - from, transactions: counted - before };
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
    let counted = await transactions();
    const rest = async () => {
      await wait(restSeconds * 1_000);
      return restSeconds;
    };
    const idle = atRest ?? (await costs(rest, null));
    const profile = await costs(() => profiles(measured.profiles), idle);
    const asked = () => installations.reduce((sum, { helpdesk }) => sum + helpdesk.journal.length, 0);
    const before = asked();
    const ticket = await costs(() => tickets(measured.tickets), idle);
    const helpdeskRequests = (asked() - before) / (measured.tickets * count);
    const unknown = { computed: Number.NaN, transactions: Number.NaN };
    return { profile, ticket: { ...ticket, helpdeskRequests }, idle: atRest ? unknown : idle };
  } finally {
    await Promise.all(installations.map((one) => one.end()));
    await database.stop();
    await crm.close();
  }
}
