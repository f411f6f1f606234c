import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, platform, totalmem } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type BenchCase, type BenchRow, type Conditions, tableOf } from './measure.ts';
import { panel } from './panel.ts';
import { mixed } from './profiles.ts';
import { cached, routed, start } from './served.ts';

/** What `npm run bench` measures, in the order of its table. */
export const benchCases: readonly BenchCase[] = [cached, mixed, routed, start, panel];

/** A folder for temporary files is often in memory, where waiting for the disk costs nothing. */
const onDisk = fileURLToPath(new URL('../../node_modules/.cache/deskside', import.meta.url));

/** Runs one case in a folder of its own. */
export async function runCase({ measure }: BenchCase, conditions: Omit<Conditions, 'folder'>): Promise<BenchRow[]> {
  await mkdir(onDisk, { recursive: true });
  const folder = await mkdtemp(path.join(onDisk, 'bench-'));
  try {
    return await measure({ ...conditions, folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) process.exit(await bench());

/**
 * `npm run bench [-- --only cached,mixed] [--rounds 7]`: measures every case beside its baselines in the same run and prints one
 * table with the ratios. The table of all cases is kept beside this file. Gives 1 where a case failed.
 */
async function bench(): Promise<number> {
  const { values } = parseArgs({ options: { only: { type: 'string' }, rounds: { type: 'string', default: '7' } } });
  const only = values.only?.split(',');
  const unknown = only?.filter((name) => !benchCases.some((one) => one.name === name)) ?? [];
  if (unknown.length > 0) {
    const known = benchCases.map(({ name }) => name).join(', ');
    console.error(`--only: no case ${unknown.join(', ')}. There are ${known}.`);
    return 2;
  }
  // How busy the machine was before the first case.
  const [load = 0] = loadavg();
  const machine = `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${platform()}, Node ${process.versions.node}`;
  const about = `Median of ${values.rounds} rounds, in brackets the quartiles. ${machine}, load ${load.toFixed(1)} at the start.`;
  const rows: BenchRow[] = [];
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
    const text = `# The last run of \`npm run bench\`\n\n${about}\nWhat is measured and how stands in the files of this folder.\n\n${tableOf(rows)}\n`;
    await writeFile(new URL('./RESULTS.md', import.meta.url), text);
  }
  return failed.length > 0 ? 1 : 0;
}
