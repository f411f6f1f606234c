import { writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, platform, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { benchCases, runCase } from './cases.ts';
import { type Row, tableOf } from './frame/row.ts';

/**
 * `npm run bench [-- --only cached,cold] [--rounds 7]`: measures every case beside its baselines in the same run and prints one
 * table with the ratios. The table of all cases is kept beside this file. Ends with 1 where a case failed.
 */
const { values } = parseArgs({ options: { only: { type: 'string' }, rounds: { type: 'string', default: '7' } } });
const only = values.only?.split(',');
const unknown = only?.filter((name) => !benchCases.some((one) => one.name === name)) ?? [];
if (unknown.length > 0) {
  const known = benchCases.map(({ name }) => name).join(', ');
  console.error(`--only: no case ${unknown.join(', ')}. There are ${known}.`);
  process.exit(2);
}
// How busy the machine was before the first case.
const [load = 0] = loadavg();
const machine = `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${platform()}, Node ${process.versions.node}`;
const about = `Median of ${values.rounds} rounds, in brackets the quartiles. ${machine}, load ${load.toFixed(1)} at the start.`;
const rows: Row[] = [];
const failed: string[] = [];
for (const one of benchCases) {
  if (only && !only.includes(one.name)) continue;
  console.error(`${one.name}…`);
  try {
    rows.push(...(await runCase(one, { rounds: Number(values.rounds), isSmall: false })));
  } catch (error) {
    console.error(error);
    failed.push(one.name);
  }
}
console.log(`\n${about}\n\n${tableOf(rows)}`);
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}.`);
else if (only === undefined) {
  const text = `# The last run of \`npm run bench\`\n\n${about}\nWhat is measured and how stands in the files of \`cases/\`.\n\n${tableOf(rows)}\n`;
  await writeFile(new URL('./RESULTS.md', import.meta.url), text);
}
process.exit(failed.length > 0 ? 1 : 0);
