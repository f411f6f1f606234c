import { defineConfig } from 'playwright/test';

export default defineConfig({
  testDir: './tests',
  globalSetup: './tests/setup/global-setup.ts',
  outputDir: '../test-results',
  // Node runs the TypeScript as it is.
  build: { external: ['**/*.ts'] },
  fullyParallel: true,
  // One waits while two others work.
  workers: 3,
  // Only what hangs runs into them (testing/patience.ts).
  timeout: 600_000,
  expect: { timeout: 60_000 },
  use: { actionTimeout: 60_000 },
  forbidOnly: true,
});
