import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { contract } from '@deskside/shared/contract';
import { demo } from '@deskside/simulators/seed/index';
import { keyOf } from '../../integration/key-of.ts';
import { startNginx } from '../baselines/nginx.ts';
import { alternate } from '../frame/alternate.ts';
import { percentile } from '../frame/closed-loop.ts';
import { startLoadProcess } from '../frame/load-process.ts';
import { processorTime } from '../frame/processor-time.ts';
import type { BenchCase, Row } from '../frame/row.ts';
import { startSite } from '../frame/site.ts';
import { type ServerProcess, startProcess } from '../frame/start-process.ts';

const honoProgram = fileURLToPath(new URL('../baselines/hono.ts', import.meta.url));

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
    const load = startLoadProcess();
    const others: ServerProcess[] = [];
    try {
      const at = `${contract.customerProfile.path}?ticket=${demo.tickets.matched}`;
      const headers = { authorization: keyOf(demo.agent) };
      const file = path.join(folder, 'body.json');
      await writeFile(file, await (await fetch(site.proxy.url + at, { headers })).text());
      const hono = await startProcess([honoProgram, file]);
      others.push(hono);
      const nginx = await startNginx(folder, hono.url);
      if (nginx) others.push(nginx);
      const ask = (server: { url: string; pid: number }) => async (): Promise<Measured> => {
        const from = processorTime(server.pid);
        const answered = await load.send({ url: server.url + at, headers, connections: 32, requests });
        if (answered.statuses[200] !== requests)
          throw new Error(`Not all got 200: ${JSON.stringify(answered.statuses)}`);
        return { milliseconds: answered.milliseconds, processor: (processorTime(server.pid) - from) / requests };
      };
      const ways: Record<string, () => Promise<Measured>> = { ours: ask(site.proxy), hono: ask(hono) };
      if (nginx) ways.nginx = ask(nginx);
      // What the just-in-time compilers are not done with is not what is asked here: that takes them 25,000 requests.
      if (!isSmall) await alternate(3, ways);
      const measured = await alternate(rounds, ways);
      const rows = (measure: string, unit: string, figure: (one: Measured) => number): Row[] =>
        (['nginx', 'hono'] as const).map((other) => {
          const name = { nginx: 'nginx proxy_cache', hono: 'bare hono' }[other];
          const figures = measured[other]?.map(figure);
          return {
            ...{ measure: `cached profile, ${measure}`, unit, ours: (measured.ours ?? []).map(figure) },
            baseline: figures ? { name, figures } : { name, missing: 'not installed' },
          };
        });
      return [
        ...rows('processor time', 'µs', ({ processor }) => processor),
        ...rows('32 connections, p50', 'ms', ({ milliseconds }) => percentile(milliseconds, 0.5)),
        ...rows('32 connections, p99', 'ms', ({ milliseconds }) => percentile(milliseconds, 0.99)),
      ];
    } finally {
      load.end();
      await Promise.all(others.map((one) => one.end()));
      await site.close();
    }
  },
};
