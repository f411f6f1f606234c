import { spawnSync } from 'node:child_process';
import { accessSync, constants, statfsSync } from 'node:fs';
import path from 'node:path';
import { ensureChromium } from '../e2e/browser/ensure-chromium.ts';
import { buildProxy } from '../proxy/build/build-proxy.ts';
import { optionalPrograms } from '../testing/programs.ts';
import { type Counts, readPlaywright, readVitest, sum, summaryOf } from './read-reports.ts';
import { proxyFolder, root, runCheck, runner } from './steps.ts';

/**
 * `npm test`: lint, types, unit and adapter tests, end-to-end tests in a real Chromium. Filters go to the test runners: with
 * `profile` only what has "profile" in its file name runs. Ends with `N passed, N failed`, and where a test was skipped because
 * a program is missing, with `, N skipped`; above it stands by name what was skipped and what failed. Nothing is run a second time.
 *
 * `--all` (`npm run test:all`): installs first what some test needs, as far as this account may; a skipped test is a
 * failure. `--full` (`npm run test:full`): floods as large as they are meant (`sized` in testing/).
 */
const isAll = process.argv.includes('--all');
if (process.argv.includes('--full')) process.env.TEST_SIZE = 'full';
for (const { title, find, install, how } of isAll ? Object.values(optionalPrograms) : []) {
  if (find() !== null) continue;
  console.error(`Installing ${title}…`);
  await install();
  if (find() === null) console.error(`${title} could not be installed. ${how}`);
}
const filters = process.argv.slice(2).filter((one) => one !== '--all' && one !== '--full');
// Compiled modules are kept for the many processes that tests start.
process.env.NODE_COMPILE_CACHE = path.join(root, 'node_modules', '.cache', 'deskside', 'compiled');
if (hasRoom('/dev/shm')) process.env.TMPDIR = '/dev/shm';
// A dozen processes share the processors: each keeps one for longer, and finds more of its own in the caches (sched(7),
// SCHED_BATCH). Those that are started from here on do as well. Without the program it only takes longer.
spawnSync('chrt', ['--batch', '--pid', '0', String(process.pid)]);
// The checks need neither what operators run, which the tests run where they start a process of its own, nor Chromium, in
// which the simulator's pages are tested as well: they have the processor where a test waits.
const checked = runCheck();
const [hasChromium] = await Promise.all([ensureChromium(), buildProxy(proxyFolder)]);
process.env.DESKSIDE_CLI = path.join(proxyFolder, 'deskside.js');
// Tests that wait for time-outs and other processes: one worker for each processor would wait along.
const waiting = runVitest('node', 4);
const counts = sum((await Promise.all([checked, waiting, runBesideThem()])).flat());
console.log(summaryOf(counts).join('\n'));
process.exit(counts.failed > 0 || (isAll && counts.skipped.length > 0) ? 1 : 0);

/** One after another beside the tests that wait. */
async function runBesideThem(): Promise<Counts[]> {
  // Tests that only compute: with one worker, everything is loaded once.
  const computed = await runVitest('extension', 1);
  if (!hasChromium) return [computed, { passed: 0, failed: 1, skipped: [], failures: ['no Chromium'] }];
  const config = ['--config', 'e2e/playwright.config.ts'];
  const args = ['test', ...config, '--reporter=dot,json', '--pass-with-no-tests', ...filters];
  const env = (file: string) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: file });
  return [computed, await runner('playwright', () => args, env, readPlaywright)];
}

function runVitest(project: string, workers: number): Promise<Counts> {
  const which = [`--project=${project}`, `--maxWorkers=${workers}`];
  const reporters = (file: string) => ['--reporter=minimal', '--reporter=json', `--outputFile.json=${file}`];
  const args = (file: string) => ['run', ...which, ...reporters(file), '--passWithNoTests', ...filters];
  return runner(
    'vitest',
    args,
    () => ({}),
    (report) => readVitest(report, root),
  );
}

/** Temporary files in memory: a database's every commit does not wait for a disk. A container may give it next to no room. */
function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    // A browser's profiles want some.
    return bavail * bsize >= 2 ** 31;
  } catch {
    return false;
  }
}
