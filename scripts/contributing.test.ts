import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { root } from './steps.ts';

test('the change that CONTRIBUTING.md leads through can be made', () => {
  const apply = () => execFileSync('git', ['apply', '--check', 'docs/crm-field.diff'], { cwd: root, encoding: 'utf8' });
  expect(apply).not.toThrow();
});
