import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keepBuild } from './keep-build.ts';

const files = Array.from({ length: 3 }, (_, nth) => `${nth}.js`);

async function emptyPlace() {
  const folder = await mkdtemp(path.join(tmpdir(), 'deskside-kept-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { folder, place: path.join(folder, 'page') };
}

async function make(folder: string): Promise<void> {
  const assets = path.join(folder, 'assets');
  await mkdir(assets);
  for (const file of files) await writeFile(path.join(assets, file), file);
}

test('of several who miss it at the same moment each is given the one that is ready first, which nobody touches then', async () => {
  const { folder, place } = await emptyPlace();
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const slow = keepBuild(place, 1, async (into) => {
    await ready;
    await make(into);
  });
  const kept = await keepBuild(place, 1, make);
  const { ino } = await stat(kept);
  resolve();
  expect(await slow).toBe(kept);
  expect((await stat(kept)).ino).toBe(ino);
  expect((await readdir(path.join(kept, 'assets'))).toSorted()).toEqual(files.toSorted());
  expect(await readdir(folder)).toHaveLength(1);
});

test('it is made anew for a later state only, and the former one goes', async () => {
  const { folder, place } = await emptyPlace();
  let made = 0;
  const count = async (into: string) => {
    made += 1;
    await make(into);
  };
  for (const state of [1, 1, 2]) await keepBuild(place, state, count);
  expect(made).toBe(2);
  expect(await readdir(folder)).toHaveLength(1);
});

test('one that could not be made leaves nothing', async () => {
  const { folder, place } = await emptyPlace();
  await expect(keepBuild(place, 1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await readdir(folder)).toEqual([]);
});
