import { mostAgents, needsOf } from './needs.ts';
import { simulateYear } from './year.ts';

/** `npm run sizing`: a year of desks of three sizes and three times-to-live, and what each needs (docs/sizing.md). */
const sizes = [10, 1_000, 100_000];
const lifetimes = { '1 h': 60, '1 day': 1_440, '7 days': 10_080 };
const heads = [
  'agents',
  'TTL',
  'tickets/year',
  'look-ups/day',
  'hit rate',
  'peak look-ups/s',
  'CRM plan',
  'helpdesk workers',
  'cores',
  'processes',
  'store GB',
];
const shown = (figure: number) =>
  figure >= 100 ? Math.round(figure).toLocaleString('en') : String(Number(figure.toPrecision(2)));
const rows = sizes.flatMap((agents) =>
  Object.entries(lifetimes).map(([ttl, ttlMinutes]) => {
    const year = simulateYear({ agents, ttlMinutes, seed: 1 });
    const needs = needsOf(year);
    const figures = [year.tickets, year.lookups / 365, year.hitRate * 100, needs.lookupsPerSecond].map(shown);
    const [tickets = '', lookups = '', hits = '', peak = ''] = figures;
    const rest = [needs.helpdeskWorkers, needs.cores, needs.replicas, needs.storeGigabytes].map(shown);
    return [agents.toLocaleString('en'), ttl, tickets, lookups, `${hits} %`, peak, needs.plan ?? 'none', ...rest];
  }),
);
const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
console.log([line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n'));
const { allowed } = needsOf(simulateYear({ agents: 10, ttlMinutes: 60, seed: 1 }));
console.log(JSON.stringify(allowed));
for (const [ttl, ttlMinutes] of Object.entries(lifetimes)) {
  const year = simulateYear({ agents: 1_000, ttlMinutes, seed: 1 });
  const most = (['standard', 'enterprise'] as const).map(
    (plan) => `${plan} ${mostAgents(plan, year, 1_000).toLocaleString('en')}`,
  );
  console.log(`most agents at a TTL of ${ttl}: ${most.join(', ')}`);
}
