import { setTimeout as sleep } from 'node:timers/promises';
import { contract } from '@deskside/shared/contract';
import { demo, makeSeed } from '@deskside/simulators/seed/index';
import { keyOf } from '../../integration/key-of.ts';
import type { BenchCase } from '../frame/case.ts';
import { startLoadProcess } from '../frame/load-process.ts';
import { memoryOf } from '../frame/processor-time.ts';
import type { Row } from '../frame/row.ts';
import { memoryLimit } from '../frame/serve-proxy.ts';
import { startSite } from '../frame/site.ts';

/**
 * What a process holds, file pages and all, while it is asked for 1,000 profiles a second over 32 connections: those of all
 * tickets in turn, with the limit of the shipped unit. In a minute it shows what it needs; that it stays flat, in an hour (`--minutes 60`).
 */
export const memory: BenchCase = {
  name: 'memory',
  async measure(conditions) {
    const seconds = conditions.isSmall ? 2 : conditions.minutes * 60;
    const requests = conditions.isSmall ? 40 : 1_000;
    const tickets = (makeSeed().helpdesk.documents['HD Ticket'] ?? []).map(({ name }) => String(name));
    const site = await startSite(conditions);
    const load = startLoadProcess(conditions);
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
      const half = held.length / 2;
      const room = site.proxy.isLimited ? `of ${memoryLimit} MB` : 'without a limit';
      const measure = `1,000 requests a second, memory at most (${room}), in the second half of ${conditions.minutes} min`;
      const row: Row = {
        measure,
        unit: 'MB',
        ours: [Math.max(...held.slice(half))],
        baseline: { name: 'in the first half', figures: [Math.max(...held.slice(0, half))] },
        goal: { is: 'at most', value: 220, of: 'ours' },
      };
      // A minute begins with what is still being compiled.
      const flat: Row = { ...row, measure: `${measure}: flat`, goal: { is: 'at most', value: 1.1, of: 'ratio' } };
      return conditions.minutes > 1 ? [row, flat] : [row];
    } finally {
      load.end();
      await site.close();
    }
  },
};
