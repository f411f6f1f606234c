import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openStore } from '#store/database.ts';
import * as decisions from '#store/decisions.ts';
import { draftOf } from '#store/testing/decision-draft.ts';
import { replayCommand } from './replay.ts';

/** A folder with a file of rules, and what the command prints there. */
function folderWithRules(): { folder: string; replay: () => Promise<string> } {
  const folder = mkdtempSync(join(tmpdir(), 'deskside-replay-'));
  const rules = join(folder, 'rules.json');
  writeFileSync(rules, '{}');
  vi.stubEnv('DATABASE_URL', `file:${folder}/store`);
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => {
    written.mockRestore();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  const replay = async () => {
    await replayCommand().parseAsync(['--json', '--all', '--rules', rules], { from: 'user' });
    return written.mock.calls.map(([text]) => text).join('');
  };
  return { folder, replay };
}

test('every decided ticket is printed, however many', async () => {
  const { folder, replay } = folderWithRules();
  const store = await openStore(`file:${folder}/store`);
  const names = Array.from({ length: 450 }, (_, n) => `T${n}`);
  for (const name of names) await decisions.add(store.db, draftOf(name), 0, null);
  await store.close();
  const lines = (await replay()).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).ticket)).toEqual(names);
});

test('a store that is not there is not made, and of one of 0.1 it says that it cannot be read', async () => {
  const { folder, replay } = folderWithRules();
  expect(await replay()).toBe('');
  expect(readdirSync(folder)).toEqual(['rules.json']);

  mkdirSync(join(folder, 'store'));
  const old = new Sqlite(join(folder, 'store', 'state.db'));
  old.exec('create table pipeline_migration_lock (id text)');
  old.close();
  await expect(replay()).rejects.toThrow('was written by Deskside 0.1');
});
