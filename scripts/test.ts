import { summaryOf } from './read-reports.ts';
import { runTests } from './run-tests.ts';

/**
 * `npm test`. Ends with `N passed, N failed`, and where a test was skipped because a program is missing, with
 * `, N skipped`; above it stands by name what was skipped and what failed. Nothing is run a second time.
 */
const counts = await runTests(process.argv.slice(2));
console.log(summaryOf(counts).join('\n'));
process.exit(counts.failed > 0 ? 1 : 0);
