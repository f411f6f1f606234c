import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { contract } from '@deskside/shared/contract';
import { demo, keyOf } from '@deskside/simulators/seed/index';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { proxyEnvironment } from '../demo/proxy-environment.ts';
import { tellOfNewTickets, webhookSecret } from '../demo/world.ts';
import { nativeRules } from '../integration/pipeline-kit.ts';
import { routedCases } from '../integration/routed-cases.ts';
import {
  addShops,
  memoryOf,
  processorTime,
  type ServerProcess,
  startProcess,
  startSite,
} from '../integration/servers.ts';
import { startLoad } from './load.ts';
import { alternate, type BenchCase, type BenchRow, percentile } from './measure.ts';

const headers = { authorization: keyOf(demo.agent) };

/** What a server needed for so many requests; `processor`: microseconds for each; `held`: megabytes at their end. */
interface Measurement {
  milliseconds: number[];
  processor: number;
  held: number;
}

/** Two tickets of each of so many companies are a desk's day. */
const companies = 100;

/** Profiles of the tickets of a day, asked for in turn by one agent, beside a server that has nothing to do but make JSON of the same. */
export const cached: BenchCase = {
  name: 'cached',
  async measure({ rounds, isSmall, folder }) {
    // So many that one pause that meets all connections is not by itself the slowest hundredth.
    const requests = isSmall ? 40 : 12_000;
    const site = await startSite(folder);
    const load = startLoad();
    const shops = [0, companies].flatMap((from) =>
      addShops(site, { from, count: isSmall ? 5 : companies, of: companies }),
    );
    const addresses = shops.map(({ ticket }) => `${contract.customerProfile.path}?ticket=${ticket}`);
    const bodies: Record<string, unknown> = {};
    for (const at of addresses) bodies[at] = await (await fetch(site.proxy.url + at, { headers })).json();
    const file = path.join(folder, 'bodies.json');
    await writeFile(file, JSON.stringify(bodies));
    const bare = await startProcess([fileURLToPath(new URL('./hono.ts', import.meta.url)), file]);
    try {
      const ask = (server: ServerProcess) => async (): Promise<Measurement> => {
        const from = processorTime(server.pid);
        const milliseconds = await load.send({ urls: addresses.map((at) => server.url + at), headers, requests });
        const processor = (processorTime(server.pid) - from) / requests;
        return { milliseconds, processor, held: memoryOf(server.pid) };
      };
      const ways = { ours: ask(site.proxy), bare: ask(bare) };
      // What the just-in-time compilers are not done with is not what is asked here: that takes them 25,000 requests.
      if (!isSmall) await alternate(3, ways);
      const measured = await alternate(rounds, ways);
      const row = (measure: string, unit: string, figure: (one: Measurement) => number): BenchRow => ({
        ...{ measure: `cached profile, ${measure}`, unit, ours: measured.ours.map(figure) },
        baseline: { name: 'bare hono', figures: measured.bare.map(figure) },
      });
      return [
        row('processor time', 'µs', ({ processor }) => processor),
        row('32 connections, p50', 'ms', ({ milliseconds }) => percentile(milliseconds, 0.5)),
        row('32 connections, p99', 'ms', ({ milliseconds }) => percentile(milliseconds, 0.99)),
        row('memory', 'MB', ({ held }) => held),
      ];
    } finally {
      load.end();
      await bare.end();
      await site.close();
    }
  },
};

/** From the command to listening, on a store that is there already, beside a Node that does nothing; and the memory then. */
export const start: BenchCase = {
  name: 'start',
  isSlow: true,
  async measure({ rounds, folder }) {
    const timed = async (args: string[], environment: Record<string, string>) => {
      const from = performance.now();
      const started = await startProcess(args, environment);
      const milliseconds = performance.now() - from;
      const held = memoryOf(started.pid);
      await started.end('SIGTERM');
      return { milliseconds, held };
    };
    // Nobody answers there: whether the helpdesk does is not part of starting.
    const environment = proxyEnvironment({ helpdesk: { url: 'http://127.0.0.1:9' } }, `file:${folder}`);
    const proxy = () => timed([proxyCli, 'serve'], { ...environment, LOG_LEVEL: 'error' });
    const nothing = () => timed(['-e', 'console.log("http://nothing"); setInterval(() => {}, 1000)'], {});
    await alternate(1, { proxy, nothing });
    const measured = await alternate(rounds, { proxy, nothing });
    const row = (measure: string, unit: string, what: 'milliseconds' | 'held') => ({
      ...{ measure, unit, ours: measured.proxy.map((one) => one[what]) },
      baseline: { name: 'an empty Node', figures: measured.nothing.map((one) => one[what]) },
    });
    return [row('start to listening', 'ms', 'milliseconds'), row('memory once it listens', 'MB', 'held')];
  },
};

/**
 * What it takes to route a ticket of a known customer, one after the other, once company, sender and team are remembered.
 * What finds tickets that nobody told of is counted along, as it happens.
 */
export const routed: BenchCase = {
  name: 'routed',
  async measure({ rounds, isSmall, folder }) {
    const each = isSmall ? 3 : 50;
    const site = await startSite(folder, { HELPDESK_WEBHOOK_SECRET: webhookSecret });
    try {
      tellOfNewTickets(site.helpdesk, site.proxy.url);
      site.helpdesk.settings.webhookDelayMs = 0;
      nativeRules(site, false);
      const { prepare, insert } = routedCases['a known customer, by an address of the CRM'] ?? {};
      prepare?.(site);
      const some = async () => {
        site.helpdesk.clearJournal();
        site.crm.clearJournal();
        const [from, computed] = [performance.now(), processorTime(site.proxy.pid)];
        for (let n = 0; n < each; n += 1) {
          const name = (await insert?.(site)) ?? '';
          // The reason is written last.
          while (!site.helpdesk.document('HD Ticket', name)?.custom_platform_routing_reason) await wait(5);
        }
        return {
          milliseconds: (performance.now() - from) / each,
          processor: (processorTime(site.proxy.pid) - computed) / 1_000 / each,
          helpdesk: site.helpdesk.journal.length / each,
          crm: site.crm.journal.length / each,
        };
      };
      // For the just-in-time compilers.
      for (let round = 0; round < (isSmall ? 1 : 4); round += 1) await some();
      const { ours } = await alternate(rounds, { ours: some });
      const row = (measure: string, unit: string, what: keyof (typeof ours)[number]) => ({
        ...{ measure: `a routed ticket, ${measure}`, unit, ours: ours.map((one) => one[what]) },
      });
      return [
        row('processor time', 'ms', 'processor'),
        row('helpdesk requests', '', 'helpdesk'),
        row('CRM requests', '', 'crm'),
        row('from the insert to the reason on it', 'ms', 'milliseconds'),
      ];
    } finally {
      await site.close();
    }
  },
};
