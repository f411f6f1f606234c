import { expect, test } from 'vitest';
import { readAudit } from './audit.ts';

const advisory = (module_name: string, severity: string) => ({
  module_name,
  severity,
  title: 'Something bad',
  patched_versions: '>=2.0.0',
  url: 'https://advisories.example/1',
});

test('what is grave is found, what is less is not', () => {
  const advisories = { 1: advisory('one', 'high'), 2: advisory('two', 'moderate'), 3: advisory('three', 'critical') };
  expect(readAudit(JSON.stringify({ advisories, metadata: {} }))).toEqual({
    asked: true,
    found: [advisories[1], advisories[3]],
  });
});

test.each([
  [
    'a registry that does not answer such questions',
    'Error: ERR_PNPM_AUDIT_BAD_RESPONSE\n\n  × responded with 405',
    '',
  ],
  ['no network', '', 'npm error code ENOTFOUND\nnpm error syscall getaddrinfo'],
  ['a cut answer', '{"advisories":', ''],
])('%s is not taken for "nothing known"', (_, printed, said) => {
  expect(readAudit(printed, said)).toEqual({ asked: false, why: expect.stringMatching(/ERR_|ENOTFOUND|no answer/) });
});
