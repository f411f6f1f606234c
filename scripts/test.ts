import { ensureChromium } from './ensure-chromium.ts';
import { type Counts, runCheck, runner, sum } from './steps.ts';

/**
 * `npm test`: lint, types, unit and adapter tests, end-to-end tests in a real Chromium. Ends with `N passed, N failed`.
 * Arguments go to the test runners, so `npm test -- profile` runs what has "profile" in its file name. What fails is run
 * once more, since a machine may stall; both runners name the tests that needed it (`retry x1`, `flaky`).
 */
const filters = process.argv.slice(2);

// First of all: the simulator's pages are tested in it as well.
const hasChromium = await ensureChromium();
const results: Counts[] = [await runCheck()];
results.push(
  await runner(
    'vitest',
    (file) => [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      '--passWithNoTests',
      ...filters,
    ],
    () => ({}),
    (report) => {
      const { numPassedTests, numFailedTests, numFailedTestSuites } = report as Record<string, number>;
      return { passed: numPassedTests ?? 0, failed: Math.max(numFailedTests ?? 1, numFailedTestSuites ? 1 : 0) };
    },
  ),
);
if (hasChromium) {
  results.push(
    await runner(
      'playwright',
      () => [
        'test',
        '--config',
        'e2e/playwright.config.ts',
        '--reporter=list,json',
        '--pass-with-no-tests',
        ...filters,
      ],
      (file) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: file }),
      (report) => {
        const { expected, unexpected, flaky } = (report as { stats: Record<string, number> }).stats;
        return { passed: (expected ?? 0) + (flaky ?? 0), failed: unexpected ?? 1 };
      },
    ),
  );
} else {
  results.push({ passed: 0, failed: 1 });
}

const { passed, failed } = sum(results);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
