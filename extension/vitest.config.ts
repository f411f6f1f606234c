import { defineConfig } from 'vitest/config';
import { patience } from '../testing/patience.ts';

export default defineConfig({
  test: {
    name: 'extension',
    include: ['src/**/*.test.{ts,tsx}', 'build/**/*.test.ts'],
    passWithNoTests: true,
    // A worker keeps its process from one file to the next; the setup file takes what the last one left.
    isolate: false,
    maxWorkers: 4,
    setupFiles: ['./src/testing/fresh-modules.ts'],
    // These look for the browser when they are loaded. What Node itself loads is loaded once and could not be made new.
    server: { deps: { inline: [/node_modules\/(wxt|@wxt-dev|@webext-core)\//] } },
    ...patience,
  },
});
