import { expect, test } from 'vitest';
import { readPlaywright, readVitest, sum, summaryOf } from './read-reports.ts';

const vitest = {
  numPassedTests: 3,
  numFailedTests: 0,
  numFailedTestSuites: 0,
  testResults: [
    {
      assertionResults: [
        { status: 'passed', title: 'a', ancestorTitles: [] },
        { status: 'skipped', title: 'sends the key', ancestorTitles: ['the script (needs RestrictedPython)'] },
        { status: 'todo', title: 'later', ancestorTitles: ['another'] },
      ],
    },
  ],
};

const playwright = {
  stats: { expected: 4, flaky: 0, unexpected: 1, skipped: 1 },
  suites: [
    {
      title: 'panel.spec.ts',
      specs: [{ title: 'opens', tests: [{ status: 'expected', annotations: [] }] }],
      suites: [
        {
          title: 'Firefox',
          specs: [
            {
              title: 'opens too',
              tests: [{ status: 'skipped', annotations: [{ type: 'skip', description: 'needs Firefox' }] }],
            },
          ],
        },
      ],
    },
  ],
};

test('what was skipped is named with what it needs, and counted last', () => {
  expect(summaryOf(sum([readVitest(vitest), readPlaywright(playwright)]))).toEqual([
    'skipped: the script > sends the key (needs RestrictedPython)',
    'skipped: another > later',
    'skipped: panel.spec.ts > Firefox > opens too (needs Firefox)',
    '7 passed, 1 failed, 3 skipped',
  ]);
});

test('where nothing was skipped, the last line has the two counts alone', () => {
  expect(summaryOf({ passed: 12, failed: 0, skipped: [] })).toEqual(['12 passed, 0 failed']);
});

test('a file that cannot be loaded is a failure', () => {
  const broken = { ...vitest, numFailedTestSuites: 1, testResults: [{ assertionResults: [] }] };
  expect(readVitest(broken)).toEqual({ passed: 3, failed: 1, skipped: [] });
});
