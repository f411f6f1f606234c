import path from 'node:path';
import { buildProxy } from '../proxy/build/build-proxy.ts';
import { ensureChromium } from './ensure-chromium.ts';
import { fastEnvironment } from './fast-environment.ts';
import { type Counts, packageLine, packageLines, readPlaywright, readVitest, sum } from './read-reports.ts';
import { proxyFolder, root, runCheck, runner } from './steps.ts';

/**
 * Lint, types, unit and adapter tests, end-to-end tests in a real Chromium. Filters go to the test runners: with
 * `profile` only what has "profile" in its file name runs.
 */
export async function runTests(filters: string[]): Promise<Counts> {
  Object.assign(process.env, fastEnvironment(root));
  // What operators run is what the tests run where they start a process of its own. The simulator's pages are tested in
  // Chromium as well, and the checks need neither.
  const [checked, hasChromium] = await Promise.all([runCheck(), ensureChromium(), buildProxy(proxyFolder)]);
  process.env.DESKSIDE_CLI = path.join(proxyFolder, 'deskside.js');
  const counts = await Promise.all([runVitest(waiting, 4, filters), runBesideThem(hasChromium, filters)]);
  return sum([checked, ...counts]);
}

/** One after another beside the tests that wait. */
async function runBesideThem(hasChromium: boolean, filters: string[]): Promise<Counts> {
  const computed = await runVitest(computing, 1, filters);
  const browsed = hasChromium
    ? await runPlaywright(filters)
    : { passed: 0, failed: 1, skipped: [], failures: ['no Chromium'] };
  return sum([computed, browsed]);
}

/** Projects whose tests wait for time-outs and other processes: one worker for each processor would wait along. */
const waiting = ['proxy', 'integration'];
/** Projects whose tests only compute: with one worker, everything is loaded once. */
const computing = ['scripts', 'shared', 'simulators', 'extension'];

function runVitest(projects: string[], workers: number, filters: string[]): Promise<Counts> {
  const which = [...projects.map((name) => `--project=${name}`), `--maxWorkers=${workers}`];
  const reporters = (file: string) => ['--reporter=minimal', '--reporter=json', `--outputFile.json=${file}`];
  const args = (file: string) => ['run', ...which, ...reporters(file), '--passWithNoTests', ...filters];
  const read = (report: unknown) => ({ counts: readVitest(report), lines: packageLines(report, root) });
  return runner('vitest', args, () => ({}), read);
}

function runPlaywright(filters: string[]): Promise<Counts> {
  const config = ['--config', 'e2e/playwright.config.ts'];
  const args = ['test', ...config, '--reporter=dot,json', '--pass-with-no-tests', ...filters];
  const env = (file: string) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: file });
  return runner(
    'playwright',
    () => args,
    env,
    (report) => {
      const counts = readPlaywright(report);
      return { counts, lines: counts.passed + counts.failed === 0 ? [] : [packageLine('browser', counts)] };
    },
  );
}
