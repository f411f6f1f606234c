import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { patience } from '../testing/patience.ts';
import { root } from './steps.ts';

/**
 * `npm run mutate -- proxy/src/trust`, or one file: Stryker changes it at one place after another, and names each change that
 * no test of the workspace notices. That takes seconds for each. What else is given is for Stryker, such as `--concurrency 4`.
 * It works in a copy of the tree, and is fetched for the run, as nothing else needs it.
 */
const version = '10.1.1';
const [what = 'proxy/src/trust', ...options] = process.argv.slice(2);
const [workspace = '', ...inside] = what.split('/');
const target = inside.join('/');
const isFile = /\.tsx?$/.test(target);

const settings = {
  testRunner: 'vitest',
  mutate: isFile ? [target] : [`${target}/**/*.{ts,tsx}`, '!**/*.{test,contract}.{ts,tsx}', '!**/testing/**'],
  coverageAnalysis: 'perTest',
  // What acts when its module is loaded would take all tests each time.
  ignoreStatic: true,
  inPlace: true,
  // It would be read by a compiler that the package `typescript` no longer has.
  tsconfigFile: 'none',
  reporters: ['progress-append-only', 'clear-text'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
};
/** Where the workspace has none of its own: one worker that loads everything once, by way of Vite, which Stryker takes. */
const tests = { test: { include: ['src/**/*.test.ts'], isolate: false, ...patience } };

const copy = mkdtempSync(path.join(tmpdir(), 'mutate-'));
// Ctrl-C ends Stryker; the copy still has to go.
process.on('SIGINT', () => {});
try {
  const isLeft = (name: string) => ['.git', 'node_modules', '.output'].includes(name);
  const filter = (from: string) => !isLeft(path.relative(root, from)) && path.basename(from) !== '.output';
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true, filter });
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  const cwd = path.join(copy, workspace);
  writeFileSync(path.join(cwd, 'stryker.config.json'), JSON.stringify(settings));
  if (workspace !== 'extension')
    writeFileSync(path.join(cwd, 'vitest.config.ts'), `export default ${JSON.stringify(tests)};`);
  const packages = ['core', 'vitest-runner'].map((name) => `--package=@stryker-mutator/${name}@${version}`);
  const run = spawnSync('npm', ['exec', '--yes', ...packages, '--', 'stryker', 'run', ...options], {
    cwd,
    stdio: 'inherit',
  });
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(copy, { recursive: true });
}
