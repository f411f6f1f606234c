import { summaryOf } from './read-reports.ts';
import { runTests } from './run-tests.ts';

/** `npm run test:full`: `npm test` with floods, fuzzing and soaking as large as they are meant (`sized` in testing/). */
process.env.TEST_SIZE = 'full';
const counts = await runTests(process.argv.slice(2));
console.log(summaryOf(counts).join('\n'));
process.exit(counts.failed > 0 ? 1 : 0);
