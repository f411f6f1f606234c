import { rushHour } from '#wiring/testing/rush-hour.ts';

/**
 * Prints what 200 agents wait for while 5,000 customers are backfilled, and, as the baseline in the same run, what they
 * wait for alone. `node proxy/bench/crm-budget.ts`; about a minute.
 */
const agents = { speed: 8, agents: 200, withinMs: 10_000, deadlineMs: 4_500, untilAgentsAreServed: false };
const alone = await rushHour({ ...agents, backfill: 0 });
const together = await rushHour({ ...agents, backfill: 5_000 });
console.log('alone     ', JSON.stringify(alone));
console.log('together  ', JSON.stringify(together));
console.log(`a click waits ${(together.click.p95 / Math.max(1, alone.click.p95)).toFixed(1)} times as long (p95)`);
if (alone.limitErrors + together.limitErrors > 0) process.exitCode = 1;
