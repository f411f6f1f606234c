import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    retry: 1,
    // Many tests wait for time-outs and other processes; one worker for each processor would wait along.
    maxWorkers: 4,
    projects: [
      { test: { name: 'shared', root: './shared', include: ['src/**/*.test.ts'] } },
      { test: { name: 'proxy', root: './proxy', include: ['src/**/*.test.ts'], testTimeout: 20_000 } },
      { test: { name: 'simulators', root: './e2e', include: ['simulators/**/*.test.ts'], testTimeout: 20_000 } },
      {
        test: {
          name: 'integration',
          root: './e2e',
          include: ['integration/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      './extension/vitest.config.ts',
    ],
  },
});
