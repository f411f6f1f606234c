import { optionalPrograms } from '../testing/programs.ts';
import { summaryOf } from './read-reports.ts';
import { runTests } from './run-tests.ts';

/**
 * `npm run test:all`: `npm test` after everything that some test needs was installed, as far as this account may. A
 * skipped test is a failure here.
 */
for (const { title, find, install, how } of Object.values(optionalPrograms)) {
  if (find() !== null) continue;
  console.error(`Installing ${title}…`);
  await install();
  if (find() === null) console.error(`${title} could not be installed. ${how}`);
}
const counts = await runTests(process.argv.slice(2));
console.log(summaryOf(counts).join('\n'));
process.exit(counts.failed > 0 || counts.skipped.length > 0 ? 1 : 0);
