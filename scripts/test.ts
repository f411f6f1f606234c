import { optionalPrograms } from '../testing/programs.ts';
import { summaryOf } from './read-reports.ts';
import { runTests } from './run-tests.ts';

/**
 * `npm test`. Ends with `N passed, N failed`, and where a test was skipped because a program is missing, with
 * `, N skipped`; above it stands by name what was skipped and what failed. Nothing is run a second time.
 *
 * `--all` (`npm run test:all`): installs first what some test needs, as far as this account may; a skipped test is a
 * failure. `--full` (`npm run test:full`): floods and soaking as large as they are meant (`sized` in testing/).
 */
const isAll = process.argv.includes('--all');
if (process.argv.includes('--full')) process.env.TEST_SIZE = 'full';
for (const { title, find, install, how } of isAll ? Object.values(optionalPrograms) : []) {
  if (find() !== null) continue;
  console.error(`Installing ${title}…`);
  await install();
  if (find() === null) console.error(`${title} could not be installed. ${how}`);
}
const counts = await runTests(process.argv.slice(2).filter((one) => one !== '--all' && one !== '--full'));
console.log(summaryOf(counts).join('\n'));
process.exit(counts.failed > 0 || (isAll && counts.skipped.length > 0) ? 1 : 0);
