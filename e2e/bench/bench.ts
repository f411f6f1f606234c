import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { benchCases } from './cases.ts';
import { machine } from './frame/machine.ts';
import { judge, type Row } from './frame/row.ts';
import { tableOf } from './frame/table.ts';
import { runCase } from './run-bench.ts';

/**
 * `npm run bench [-- --only cached,cold] [--rounds 7] [--tickets 1000000] [--minutes 60]`: measures every case beside its
 * baselines and prints one table. The table of all cases is kept beside this file. Ends with 1 where a goal was not met or a case failed.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    tickets: { type: 'string', default: '20000' },
    minutes: { type: 'string', default: '1' },
  },
});
const only = values.only?.split(',');
const unknown = only?.filter((name) => !benchCases.some((one) => one.name === name)) ?? [];
if (unknown.length > 0) {
  const known = benchCases.map(({ name }) => name).join(', ');
  console.error(`--only: no case ${unknown.join(', ')}. There are ${known}.`);
  process.exit(2);
}
const on = machine();
const conditions = {
  rounds: Number(values.rounds),
  tickets: Number(values.tickets),
  minutes: Number(values.minutes),
  isSmall: false,
};
const rows: Row[] = [];
const failed: string[] = [];
for (const one of benchCases) {
  if (only && !only.includes(one.name)) continue;
  console.error(`${one.name}…`);
  try {
    rows.push(...(await runCase(one, conditions)));
  } catch (error) {
    console.error(error);
    failed.push(one.name);
  }
}
const about = `Median of ${values.rounds} rounds, in brackets the quartiles. ${on}.`;
console.log(`\n${about}\n\n${tableOf(rows)}`);
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}.`);
else if (only === undefined) {
  const text = `# The last run of \`npm run bench\`\n\n${about}\nWhat is measured and how stands in the files of \`cases/\`.\n\n${tableOf(rows)}\n`;
  await writeFile(new URL('./RESULTS.md', import.meta.url), text);
}
process.exit(failed.length > 0 || rows.some((row) => judge(row) === 'not met') ? 1 : 0);
