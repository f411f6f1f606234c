import { setTimeout as sleep } from 'node:timers/promises';
import { contract } from '@deskside/shared/contract';
import { demo, makeSeed } from '@deskside/simulators/seed/index';
import { keyOf } from '../../integration/key-of.ts';
import { startLoadProcess } from '../frame/load-process.ts';
import { memoryOf } from '../frame/processor-time.ts';
import type { BenchCase } from '../frame/row.ts';
import { memoryLimit } from '../frame/serve-proxy.ts';
import { startSite } from '../frame/site.ts';

/**
 * What a process holds, file pages and all, while it is asked for 1,000 profiles a second over 32 connections: those of all
 * tickets in turn, with the limit of the shipped unit.
 */
export const memory: BenchCase = {
  name: 'memory',
  async measure(conditions) {
    const [seconds, requests] = conditions.isSmall ? [2, 40] : [60, 1_000];
    const tickets = (makeSeed().helpdesk.documents['HD Ticket'] ?? []).map(({ name }) => String(name));
    const site = await startSite(conditions);
    const load = startLoadProcess();
    try {
      const url = tickets.map((name) => `${site.proxy.url}${contract.customerProfile.path}?ticket=${name}`);
      const headers = { authorization: keyOf(demo.agent) };
      const held: number[] = [];
      for (let second = 0; second < seconds; second += 1) {
        const over = sleep(conditions.isSmall ? 0 : 1_000);
        const { statuses } = await load.send({ url, headers, connections: 32, requests });
        if (statuses[200] !== requests) throw new Error(`Not all got 200: ${JSON.stringify(statuses)}`);
        held.push(memoryOf(site.proxy.pid));
        await over;
      }
      const room = site.proxy.isLimited ? `of ${memoryLimit} MB` : 'without a limit';
      return [
        {
          measure: `1,000 requests a second, memory at most (${room}), in the second half of a minute`,
          unit: 'MB',
          ours: [Math.max(...held.slice(seconds / 2))],
          baseline: { name: 'in the first half', figures: [Math.max(...held.slice(0, seconds / 2))] },
        },
      ];
    } finally {
      load.end();
      await site.close();
    }
  },
};
