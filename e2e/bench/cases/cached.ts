import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { contract } from '@deskside/shared/contract';
import { demo } from '@deskside/simulators/seed/index';
import { keyOf } from '../../integration/key-of.ts';
import { startNginx } from '../baselines/nginx.ts';
import { alternate } from '../frame/alternate.ts';
import type { BenchCase } from '../frame/case.ts';
import { percentile } from '../frame/closed-loop.ts';
import { startLoadProcess } from '../frame/load-process.ts';
import { processorTime } from '../frame/processor-time.ts';
import type { Row } from '../frame/row.ts';
import { startSite } from '../frame/site.ts';
import { type ServerProcess, startProcess } from '../frame/start-process.ts';

const baseline = (name: string, file: string) =>
  startProcess([fileURLToPath(new URL(`../baselines/${name}.ts`, import.meta.url)), file]);

/** What a server needed for so many requests. */
interface Measured {
  milliseconds: number[];
  /** Microseconds of processor time for each request. */
  processor: number;
}

/** A profile that is asked for again and again by one agent, beside servers that have nothing to do but send its bytes. */
export const cached: BenchCase = {
  name: 'cached',
  async measure(conditions) {
    const { rounds, isSmall, folder } = conditions;
    // So many that one pause that meets all 32 connections is not by itself the slowest hundredth.
    const requests = isSmall ? 40 : 12_000;
    const site = await startSite(conditions);
    const load = startLoadProcess(conditions);
    const others: ServerProcess[] = [];
    try {
      const at = `${contract.customerProfile.path}?ticket=${demo.tickets.matched}`;
      const headers = { authorization: keyOf(demo.agent) };
      const file = path.join(folder, 'body.json');
      await writeFile(file, await (await fetch(site.proxy.url + at, { headers })).text());
      const bare = await baseline('node-http', file);
      others.push(bare, await baseline('hono', file));
      const nginx = await startNginx(folder, bare.url);
      if (nginx) others.push(nginx);
      const [, hono = bare] = others;
      const ask = (server: { url: string; pid: number }) => async (): Promise<Measured> => {
        const from = processorTime(server.pid);
        const answered = await load.send({ url: server.url + at, headers, connections: 32, requests });
        if (answered.statuses[200] !== requests)
          throw new Error(`Not all got 200: ${JSON.stringify(answered.statuses)}`);
        return { milliseconds: answered.milliseconds, processor: (processorTime(server.pid) - from) / requests };
      };
      const ways: Record<string, () => Promise<Measured>> = { ours: ask(site.proxy), bare: ask(bare), hono: ask(hono) };
      if (nginx) ways.nginx = ask(nginx);
      // What the just-in-time compilers are not done with is not what is asked here: that takes them 25,000 requests.
      if (!isSmall) await alternate(3, ways);
      const measured = await alternate(rounds, ways);
      const processor = (name: string) => (measured[name] ?? []).map((one) => one.processor);
      const latency = (share: number, name = 'ours') =>
        (measured[name] ?? []).map((one) => percentile(one.milliseconds, share));
      const tail = (name: string) => {
        const p50 = latency(0.5, name);
        return latency(0.99, name).map((p99, round) => p99 / (p50[round] ?? Number.NaN));
      };
      const beside = (name: string, title: string): Row => ({
        measure: 'cached profile, processor time',
        unit: 'µs',
        ours: processor('ours'),
        baseline: ways[name] ? { name: title, figures: processor(name) } : { name: title, missing: 'not installed' },
      });
      return [
        { ...beside('nginx', 'nginx proxy_cache'), goal: { is: 'at most', value: 4, of: 'ratio' } },
        beside('hono', 'bare hono'),
        beside('bare', 'bare node:http'),
        { measure: 'cached profile, 32 connections, p99', unit: 'ms', ours: latency(0.99) },
        // Much of a tail is the machine's and the load's own.
        {
          measure: 'cached profile, 32 connections, p99 by p50',
          unit: 'times',
          ours: tail('ours'),
          baseline: { name: 'bare hono', figures: tail('hono') },
          goal: { is: 'at most', value: 2, of: 'ratio' },
        },
      ];
    } finally {
      load.end();
      await Promise.all(others.map((one) => one.end()));
      await site.close();
    }
  },
};
