import { startPostgres } from '@deskside/proxy/testing/postgres-server';
import { sized } from '@deskside/testing/size';
import { expect, onTestFinished, test } from 'vitest';
import { runFuzz } from '../../fuzz/run-fuzz.ts';

/** A database that can hold less than the other is where a text that nobody expected fails. */
const databases = {
  SQLite: async () => ({}),
  PostgreSQL: async () => {
    const server = await startPostgres('fuzz');
    onTestFinished(() => server.stop());
    await server.createDatabase('fuzz');
    return { postgres: server.urlOf('fuzz') };
  },
};
const requests = sized({ small: 300, full: 100_000 });

test.each(['SQLite', 'PostgreSQL'] as const)(
  'nothing that callers send is an error of ours on %s, writes what it must not, or shows a secret',
  async (name) => {
    const { findings, statuses } = await runFuzz({ requests, seed: 1, ...(await databases[name]()) });
    expect(findings).toEqual([]);
    // Each kind of answer there is was had.
    for (const status of [200, 202, 400, 401, 403, 404, 405, 413, 431]) expect(statuses[status]).toBeGreaterThan(0);
  },
  sized({ small: 120_000, full: 1_800_000 }),
);
