import { expect, test } from 'vitest';
import { gatherBackup, judgeBackup } from './backup.ts';

const now = Date.UTC(2026, 10, 20, 12);
const dayMs = 86_400_000;
const judged = async (last: number | null) => {
  const upkeep = { lastBackup: async () => last, lastSignUp: async () => null };
  return judgeBackup(await gatherBackup((read) => read({ upkeep }), { databaseUrl: 'file:./data', now }));
};

test.each([
  ['none at all', null, 'The store has never been backed up.'],
  ['one of two days and a moment ago', now - 2 * dayMs - 1, 'The last backup is 2 days old.'],
  ['one of last month', now - 31.5 * dayMs, 'The last backup is 31 days old.'],
])('%s is a warning with its remedy', async (_, last, problem) => {
  const { findings, passed } = await judged(last);
  expect(findings).toMatchObject([
    {
      code: 'backup_old',
      severity: 'warning',
      problem,
      remedy: expect.stringContaining('Run "deskside backup" every night'),
    },
  ]);
  expect(passed).toEqual([]);
});

test('one of the last two days is well, and so are a place without a store and a database that pg_dump backs up', async () => {
  expect(await judged(now - 2 * dayMs)).toMatchObject({ findings: [], passed: ['The last backup is of 2026-11-18.'] });
  expect(judgeBackup(await gatherBackup(async () => null, { databaseUrl: 'file:./data', now }))).toMatchObject({
    findings: [],
  });
  const upkeep = { lastBackup: async () => null, lastSignUp: async () => null };
  const onPostgres = { databaseUrl: 'postgres://db.example/deskside', now };
  expect(judgeBackup(await gatherBackup((read) => read({ upkeep }), onPostgres))).toMatchObject({ findings: [] });
});
