import { parseArgs } from 'node:util';
import { runSoak } from './run-soak.ts';

/**
 * `npm run soak -- --minutes 30 --seed 7 [--postgres] [--replicas 3] [--per-second 1]`: see `run-soak.ts`. Ends with 1 where
 * something was found. The seed gives the same faults, tickets and kills again, at nearly the same moments.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    postgres: { type: 'boolean', default: false },
    replicas: { type: 'string' },
    'per-second': { type: 'string', default: '1' },
  },
});
const replicas = Number(values.replicas ?? (values.postgres ? 3 : 2));
if (!(replicas >= 2)) throw new Error('--replicas: at least 2, because one is never killed and watched.');
const on = values.postgres ? 'PostgreSQL' : 'SQLite';
console.log(`${values.minutes} minutes on ${replicas} processes and ${on}, seed ${values.seed}`);
const { findings, ...figures } = await runSoak({
  seconds: Number(values.minutes) * 60,
  seed: Number(values.seed),
  isPostgres: values.postgres,
  replicas,
  ticketsPerSecond: Number(values['per-second']),
  profilesPerSecond: 4 * Number(values['per-second']),
  killEverySeconds: 20,
  onProgress: (text) => console.error(text),
});
console.log(JSON.stringify(figures, null, 2));
for (const finding of findings.slice(0, 50)) console.log(`✗ ${finding}`);
console.log(`${findings.length} findings`);
process.exit(findings.length > 0 ? 1 : 0);
