import { expect, test } from 'vitest';
import { packageLines, readPlaywright, readVitest, sum, summaryOf } from './read-reports.ts';

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

test('what failed is named with the first lines of why, just above the counts', () => {
  const why = `\u001b[31mAssertionError: expected 4 to be 3\u001b[39m\n    at new Promise (<anonymous>)\n${'    at somewhere\n'.repeat(40)}`;
  const unit = {
    ...vitest,
    numFailedTests: 1,
    testResults: [
      {
        name: '/somewhere/proxy/src/read.test.ts',
        assertionResults: [{ status: 'failed', title: 'counts', ancestorTitles: ['reads'], failureMessages: [why] }],
      },
      { name: '/somewhere/proxy/src/broken.test.ts', message: 'Cannot find module', assertionResults: [] },
    ],
  };
  const browser = {
    stats: { expected: 0, flaky: 0, unexpected: 1 },
    suites: [
      {
        title: 'panel.spec.ts',
        specs: [
          {
            title: 'opens',
            tests: [{ status: 'unexpected', annotations: [], results: [{ error: { message: 'not visible' } }] }],
          },
        ],
      },
    ],
  };
  const lines = summaryOf(sum([readVitest(unit), readPlaywright(browser)]));
  expect(lines.at(-1)).toBe('3 passed, 2 failed');
  const [first, second, third] = lines.slice(0, -1).map((line) => line.split('\n'));
  expect(first?.slice(0, 2)).toEqual([
    'failed: src/read.test.ts > reads > counts',
    '    AssertionError: expected 4 to be 3',
  ]);
  expect(first?.[2]).toBe('        at somewhere');
  expect(first?.length).toBe(13);
  expect(second).toEqual(['failed: src/broken.test.ts', '    Cannot find module']);
  expect(third).toEqual(['failed: panel.spec.ts > opens', '    not visible']);
});

test('a package has one line, with what failed in it', () => {
  const file = (name: string, ...statuses: string[]) => ({
    name: `/repo/${name}`,
    assertionResults: statuses.map((status) => ({ status, title: 'a', ancestorTitles: [] })),
  });
  const testResults = [
    file('proxy/src/a.test.ts', 'passed', 'passed'),
    file('e2e/integration/b.test.ts', 'passed', 'skipped'),
    file('proxy/src/c/d.test.ts', 'passed', 'failed'),
    { ...file('shared/src/e.test.ts'), message: 'Cannot find module' },
  ];
  expect(packageLines({ ...vitest, testResults }, '/repo')).toEqual([
    '✗ proxy: 3 passed, 1 failed',
    '✓ integration: 1 passed',
    '✗ shared: 0 passed, 1 failed',
  ]);
});

test('where nothing was skipped, the last line has the two counts alone', () => {
  expect(summaryOf({ passed: 12, failed: 0, skipped: [], failures: [] })).toEqual(['12 passed, 0 failed']);
});

test('a file that cannot be loaded is a failure', () => {
  const broken = { ...vitest, numFailedTestSuites: 1, testResults: [{ assertionResults: [] }] };
  expect(readVitest(broken)).toMatchObject({ passed: 3, failed: 1, skipped: [] });
});
