import { refreshLoop } from '#wiring/testing/refresh-loop.ts';
import { rushHour } from '#wiring/testing/rush-hour.ts';

/**
 * What the CRM's budget gives to whom, each against a baseline of the same run: what 200 agents wait for while 5,000
 * customers are backfilled, and what becomes of tickets that come in while callers refresh in a loop.
 * `npm run bench`; about two minutes.
 */
const agents = { speed: 8, agents: 200, withinMs: 10_000, deadlineMs: 4_500, untilAgentsAreServed: false };
const alone = await rushHour({ ...agents, backfill: 0 });
const together = await rushHour({ ...agents, backfill: 5_000 });
console.log('alone     ', JSON.stringify(alone));
console.log('together  ', JSON.stringify(together));
console.log(`a click waits ${(together.click.p95 / Math.max(1, alone.click.p95)).toFixed(1)} times as long (p95)`);

const lookups = { speed: 8, lookups: 30, everyMs: 2_000 };
const quiet = await refreshLoop({ ...lookups, loops: 0 });
const beside = await refreshLoop({ ...lookups, loops: 40 });
console.log('quiet     ', JSON.stringify(quiet));
console.log('refreshing', JSON.stringify(beside));
for (const lane of ['open', 'backfill'] as const)
  console.log(
    `beside 40 loops of refreshes, ${lane} gets ${percent(beside[lane].answered / quiet[lane].answered)} of its answers`,
  );

if (alone.limitErrors + together.limitErrors + quiet.limitErrors + beside.limitErrors > 0) process.exitCode = 1;

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
