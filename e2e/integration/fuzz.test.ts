import { expect, test } from 'vitest';
import { runFuzz } from '../fuzz/run-fuzz.ts';

test('nothing that callers send is an error of ours, writes what it must not, or shows a secret', async () => {
  const { findings, statuses } = await runFuzz({ requests: 1_000, seed: 1 });
  expect(findings).toEqual([]);
  // Each kind of answer there is was had.
  for (const status of [200, 202, 400, 401, 403, 404, 405, 413, 431]) expect(statuses[status]).toBeGreaterThan(0);
}, 120_000);
