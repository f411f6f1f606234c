import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Unreadable } from '#setup/read-result.ts';
import { openStore } from '#store/store.ts';
import { recordsAt } from './own-records.ts';

async function inFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), 'deskside-records-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return `file:${folder}`;
}

test('records are closed once they have been read, and where there are none nothing is read', async () => {
  const url = await inFolder();
  const read = recordsAt(url);
  expect(await read(async () => 'read')).toBeNull();
  await (await openStore(url)).close();
  const kept = await read(async (records) => ({ records, last: await records.upkeep.lastBackup() }));
  expect(kept?.last).toBeNull();
  await expect(kept?.records.upkeep.lastBackup()).rejects.toThrow();
});

test('what fails while they are read is said in our own words', async () => {
  const url = await inFolder();
  await (await openStore(url)).close();
  const failing = recordsAt(url)(async () => {
    throw new Error('SELECT something secret');
  });
  await expect(failing).rejects.toEqual(new Unreadable('Our own records cannot be read.'));
});
