import { defineConfig } from 'vitest/config';
import { patience } from './testing/patience.ts';

export default defineConfig({
  test: {
    // Many tests wait for time-outs and other processes; one worker for each processor would wait along.
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: 'node',
          include: [
            'scripts/*.test.ts',
            'shared/src/**/*.test.ts',
            'simulators/**/*.test.ts',
            'proxy/{src,build}/**/*.test.ts',
            'e2e/integration/**/*.test.ts',
          ],
          // They leave nothing behind: a worker keeps its modules, and what was compiled of them, from one file to the next.
          isolate: false,
          experimental: { viteModuleRunner: false, nodeLoader: false },
          ...patience,
        },
      },
      './extension/vitest.config.ts',
    ],
  },
});
