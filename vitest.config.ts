import { defineConfig } from 'vitest/config';
import { patience } from './testing/patience.ts';

const project = (name: string, root: string, include: string, options = {}) => ({
  test: { name, root, include: [include], ...patience, ...options },
});

/** For tests that leave nothing behind: a worker keeps its modules from one file to the next. */
const shared = { isolate: false, experimental: { viteModuleRunner: false, nodeLoader: false } };

export default defineConfig({
  test: {
    // Many tests wait for time-outs and other processes; one worker for each processor would wait along.
    maxWorkers: 4,
    projects: [
      project('scripts', './scripts', '*.test.ts', shared),
      project('shared', './shared', 'src/**/*.test.ts', shared),
      project('proxy', './proxy', '{src,build}/**/*.test.ts', shared),
      project('simulators', './simulators', '**/*.test.ts', shared),
      project('integration', './e2e', 'integration/**/*.test.ts', shared),
      './extension/vitest.config.ts',
    ],
  },
});
