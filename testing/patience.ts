/**
 * Time-outs of the test runners. Only what hangs runs into them: how long something takes on a busy machine says nothing
 * about whether it works.
 */
export const patience = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000, interval: 10 } },
};
