import { defineConfig } from 'vitest/config';
import { patience } from '../testing/patience.ts';

export default defineConfig({
  test: {
    name: 'extension',
    include: ['src/**/*.test.{ts,tsx}', 'build/**/*.test.ts'],
    passWithNoTests: true,
    ...patience,
  },
});
