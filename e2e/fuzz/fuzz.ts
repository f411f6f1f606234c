import { parseArgs } from 'node:util';
import { startPostgres } from '@deskside/proxy/testing/postgres-server';
import { runFuzz } from './run-fuzz.ts';

/** `npm run fuzz -- --requests 100000 [--seed 7] [--postgres]`: see `run-fuzz.ts`. Ends with 1 where it has found something. */
const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    postgres: { type: 'boolean', default: false },
  },
});
const server = options.postgres ? await startPostgres('fuzz') : null;
await server?.createDatabase('fuzz');
const startedAt = performance.now();
try {
  const report = await runFuzz({
    requests: Number(options.requests),
    seed: Number(options.seed),
    ...(server && { postgres: server.urlOf('fuzz') }),
  });
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(`${options.requests} requests, seed ${options.seed}, ${server ? 'PostgreSQL' : 'SQLite'}, ${seconds} s`);
  console.log(
    `answers: ${Object.entries(report.statuses)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ')}`,
  );
  console.log(`${report.logLines} lines of log, ${report.writes} writes to the helpdesk by people who may`);
  const { alone, meanwhile } = report.waits;
  console.log(`a second caller waits at p99 ${alone.toFixed(1)} ms alone, ${meanwhile.toFixed(1)} meanwhile`);
  for (const finding of report.findings.slice(0, 50)) console.log(`✗ ${finding}`);
  console.log(`${report.findings.length} findings`);
  process.exitCode = report.findings.length > 0 ? 1 : 0;
} finally {
  await server?.stop();
}
process.exit();
