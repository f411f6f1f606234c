import { sized } from './size.ts';

/** For one test: what `npm run test:full` does many times over takes minutes. */
const atMost = sized({ small: 600_000, full: 1_800_000 });

/**
 * Time-outs of the test runners. Only what hangs runs into them: how long something takes on a busy machine says nothing
 * about whether it works.
 */
export const patience = {
  testTimeout: atMost,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000, interval: 50 } },
};
