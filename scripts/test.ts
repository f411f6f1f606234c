import { summaryOf } from './read-reports.ts';
import { runTests } from './run-tests.ts';

/**
 * `npm test`. Ends with `N passed, N failed`, and where a test was skipped because a program is missing, with
 * `, N skipped` and above it what and why. What fails is run once more, since a machine may stall; both runners name the
 * tests that needed it (`retry x1`, `flaky`).
 */
const counts = await runTests(process.argv.slice(2));
console.log(summaryOf(counts).join('\n'));
process.exit(counts.failed > 0 ? 1 : 0);
