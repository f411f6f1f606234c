import { parseArgs } from 'node:util';
import { runSoak } from './run-soak.ts';

/**
 * `npm run soak -- --minutes 30 --seed 7 [--postgres] [--per-second 1]`: see `run-soak.ts`. Ends with 1 where something was
 * found. The seed gives the same faults, tickets and kills again, at nearly the same moments.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    postgres: { type: 'boolean', default: false },
    'per-second': { type: 'string', default: '1' },
  },
});
console.log(`${values.minutes} minutes on ${values.postgres ? 'PostgreSQL' : 'SQLite'}, seed ${values.seed}`);
const { findings, ...figures } = await runSoak({
  seconds: Number(values.minutes) * 60,
  seed: Number(values.seed),
  isPostgres: values.postgres,
  ticketsPerSecond: Number(values['per-second']),
});
console.log(JSON.stringify(figures, null, 2));
for (const finding of findings.slice(0, 50)) console.log(`✗ ${finding}`);
console.log(`${findings.length} findings`);
process.exit(findings.length > 0 ? 1 : 0);
