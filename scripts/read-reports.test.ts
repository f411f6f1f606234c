import { expect, test } from 'vitest';
import { readPlaywright, readVitest, sum, summaryOf } from './read-reports.ts';

const file = (name: string, ...tests: [status: string, title: string, ...above: string[]][]) => ({
  name: `/repo/${name}`,
  assertionResults: tests.map(([status, title, ...ancestorTitles]) => ({ status, title, ancestorTitles })),
});
const unit = (...testResults: object[]) => readVitest({ testResults }, '/repo');
const browser = (status: string, more: object) =>
  readPlaywright({
    suites: [
      {
        title: 'panel.spec.ts',
        specs: [{ title: 'opens', tests: [{ status: 'expected', annotations: [] }] }],
        suites: [{ title: 'Firefox', specs: [{ title: 'opens too', tests: [{ status, annotations: [], ...more }] }] }],
      },
    ],
  });

test('what was skipped is named with what it needs, and counted last', () => {
  const needy = ['the script (needs RestrictedPython)'] as const;
  const { counts } = unit(
    file('proxy/a.test.ts', ['passed', 'a'], ['skipped', 'sends the key', ...needy], ['todo', 'later', 'another']),
  );
  const skipped = browser('skipped', { annotations: [{ type: 'skip', description: 'needs Firefox' }] });
  expect(summaryOf(sum([counts, skipped.counts]))).toEqual([
    'skipped: the script > sends the key (needs RestrictedPython)',
    'skipped: another > later',
    'skipped: panel.spec.ts > Firefox > opens too (needs Firefox)',
    '2 passed, 0 failed, 3 skipped',
  ]);
  expect(summaryOf(unit(file('proxy/a.test.ts', ['passed', 'a'])).counts)).toEqual(['1 passed, 0 failed']);
});

test('what failed is named with the first lines of why, just above the counts', () => {
  const why = `\u001b[31mAssertionError: expected 4 to be 3\u001b[39m\n    at new Promise (<anonymous>)\n${'    at somewhere\n'.repeat(40)}`;
  const failed = { status: 'failed', title: 'counts', ancestorTitles: ['reads'], failureMessages: [why] };
  const { counts } = unit(
    { name: '/repo/proxy/src/read.test.ts', assertionResults: [failed] },
    { name: '/repo/proxy/src/broken.test.ts', message: 'Cannot find module', assertionResults: [] },
  );
  const unexpected = browser('unexpected', { results: [{ error: { message: 'not visible' } }] });
  const lines = summaryOf(sum([counts, unexpected.counts]));
  expect(lines.at(-1)).toBe('1 passed, 3 failed');
  const [first, second, third] = lines.slice(0, -1).map((line) => line.split('\n'));
  const head = ['failed: src/read.test.ts > reads > counts', '    AssertionError: expected 4 to be 3'];
  expect(first?.slice(0, 3)).toEqual([...head, '        at somewhere']);
  expect(first?.length).toBe(13);
  expect(second).toEqual(['failed: src/broken.test.ts', '    Cannot find module']);
  expect(third).toEqual(['failed: panel.spec.ts > Firefox > opens too', '    not visible']);
});

test('a package has one line, with what failed in it', () => {
  const { lines } = unit(
    file('proxy/src/a.test.ts', ['passed', 'a'], ['passed', 'b']),
    file('e2e/integration/b.test.ts', ['passed', 'a'], ['skipped', 'b']),
    file('proxy/src/c/d.test.ts', ['passed', 'a'], ['failed', 'b']),
    { ...file('shared/src/e.test.ts'), message: 'Cannot find module' },
  );
  expect(lines).toEqual(['✗ proxy: 3 passed, 1 failed', '✓ integration: 1 passed', '✗ shared: 0 passed, 1 failed']);
  expect(browser('expected', {}).lines).toEqual(['✓ browser: 2 passed']);
});
