import { refreshLoop } from '@deskside/proxy/testing/refresh-loop';
import { rushHour } from '@deskside/proxy/testing/rush-hour';
import { alternate } from '../frame/alternate.ts';
import type { BenchCase } from '../frame/case.ts';
import type { Row } from '../frame/row.ts';

/**
 * What the CRM's budget gives to whom: what 200 agents wait for while 5,000 customers are backfilled, and what becomes of
 * look-ups while callers refresh in a loop. One round: the time passes eight times as fast, and so long is all the same.
 */
export const crmBudget: BenchCase = {
  name: 'crm-budget',
  isSlow: true,
  async measure({ isSmall }) {
    const agents = isSmall ? 20 : 200;
    const rush = { speed: 8, agents, withinMs: 50 * agents, deadlineMs: 4_500, untilAgentsAreServed: isSmall };
    const rushes = await alternate(1, {
      alone: () => rushHour({ ...rush, backfill: 0 }),
      beside: () => rushHour({ ...rush, backfill: 25 * agents }),
    });
    const loop = { speed: 8, lookups: isSmall ? 3 : 30, everyMs: 2_000 };
    const loops = await alternate(1, {
      quiet: () => refreshLoop({ ...loop, loops: 0 }),
      beside: () => refreshLoop({ ...loop, loops: isSmall ? 5 : 40 }),
    });
    const limitErrors = [...Object.values(rushes).flat(), ...Object.values(loops).flat()].map((one) => one.limitErrors);
    const answered = (lane: 'open' | 'backfill'): Row => ({
      measure: `look-ups answered beside 40 loops of refreshes, lane ${lane}`,
      unit: '',
      ours: loops.beside.map((one) => one[lane].answered),
      baseline: { name: 'without', figures: loops.quiet.map((one) => one[lane].answered) },
    });
    return [
      {
        measure: 'a click waits beside a backfill of 5,000, p95',
        unit: 'ms',
        ours: rushes.beside.map(({ click }) => click.p95),
        baseline: { name: 'without', figures: rushes.alone.map(({ click }) => click.p95) },
      },
      answered('open'),
      answered('backfill'),
      {
        measure: "refusals by the CRM's limit",
        unit: '',
        ours: [limitErrors.reduce((sum, one) => sum + one, 0)],
        goal: { is: 'at most', value: 0, of: 'ours' },
      },
    ];
  },
};
