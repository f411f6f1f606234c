import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { gatherDisk } from './disk.ts';

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'deskside-disk-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

test('a folder of ours, with and without a file that others can read', async () => {
  const path = await folder();
  expect(await gatherDisk(`file:${path}`)).toMatchObject({
    folder: path,
    kind: 'folder',
    writable: true,
    exposed: [],
    ownedByUs: true,
    free: { bytes: expect.any(Number), share: expect.any(Number) },
  });
  await writeFile(join(path, 'state.db'), '', { mode: 0o600 });
  await writeFile(join(path, 'cache.db'), '', { mode: 0o600 });
  await chmod(join(path, 'cache.db'), 0o640);
  expect((await gatherDisk(`file://${path}`)).exposed).toEqual([join(path, 'cache.db')]);
  await chmod(path, 0o755);
  expect((await gatherDisk(`file:${path}`)).exposed).toEqual([path, join(path, 'cache.db')]);
});

test('a folder that is not there yet is judged by the nearest one above', async () => {
  const path = await folder();
  const deep = join(path, 'a', 'b');
  expect(await gatherDisk(`file:${deep}`)).toMatchObject({
    folder: deep,
    kind: 'missing',
    writable: true,
    exposed: [],
  });
});

test.runIf(process.getuid?.() === 0)('root is not told that the folder is the service’s', async () => {
  const path = await folder();
  await chown(path, 4_711, 4_711);
  expect(await gatherDisk(`file:${path}`)).toMatchObject({ ownedByUs: true });
});

test.runIf(process.getuid?.() === 0)('root is told what the folder’s owner cannot write', async () => {
  const path = await folder();
  await chown(path, 4_711, 4_711);
  await writeFile(join(path, 'state.db'), '', { mode: 0o600 });
  expect((await gatherDisk(`file:${path}`)).locked).toEqual([join(path, 'state.db')]);
  await chown(join(path, 'state.db'), 4_711, 4_711);
  expect(await gatherDisk(`file:${path}`)).toMatchObject({ writable: true, locked: [] });
  await chmod(path, 0o500);
  expect(await gatherDisk(`file:${path}`)).toMatchObject({ writable: false });
});

test('a file in the folder’s place, and a data base elsewhere', async () => {
  const file = join(await folder(), 'file');
  await writeFile(file, '');
  expect(await gatherDisk(`file:${file}`)).toMatchObject({ kind: 'no_folder' });
  expect(await gatherDisk('postgres://user:secret@db/deskside')).toMatchObject({ folder: null });
});
