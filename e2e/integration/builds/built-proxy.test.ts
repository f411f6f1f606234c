import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildProxy } from '@deskside/proxy/build';
import { licensesOf } from '@deskside/shared/licenses';
import { childEnvironment } from '@deskside/testing/child-environment';
import { beforeAll, expect, onTestFinished, test } from 'vitest';

/** The folder as `npm test` has built it, or as it is built now where a test is run by itself. */
let built: string;

beforeAll(async () => {
  if (process.env.DESKSIDE_CLI) {
    built = path.dirname(process.env.DESKSIDE_CLI);
    return;
  }
  const place = await mkdtemp(path.join(tmpdir(), 'deskside-built-'));
  built = path.join(place, 'deskside');
  await buildProxy(built);
  return () => rm(place, { recursive: true, force: true });
});

async function emptyPlace(): Promise<string> {
  const place = await mkdtemp(path.join(tmpdir(), 'deskside-built-'));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  await chmod(place, 0o755);
  return place;
}

/** Every file of a folder with the digest of what is in it. */
async function digestsOf(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const digests = files
    .filter((file) => file.isFile())
    .map(async (file) => {
      const at = path.join(file.parentPath, file.name);
      return `${path.relative(folder, at)} ${createHash('sha256')
        .update(await readFile(at))
        .digest('hex')}`;
    });
  return (await Promise.all(digests)).sort();
}

test('the folder has the same bytes each time, with its source maps apart', async () => {
  const place = await emptyPlace();
  const [again, maps] = ['again', 'maps'].map((name) => path.join(place, name)) as [string, string];
  await buildProxy(again, maps);
  expect(await digestsOf(again), 'built again from the same sources').toEqual(await digestsOf(built));
  expect((await readdir(again)).sort()).toEqual([
    'LICENSE',
    'LICENSES.txt',
    'deskside.js',
    'node_modules',
    'package.json',
  ]);
  expect((await readdir(maps)).sort()).toContain('deskside.js.map');
});

test('the licence of everything in it is passed on, and one that is not on the list ends the build', async () => {
  const proxy = await readFile(path.join(built, 'LICENSES.txt'), 'utf8');
  expect(proxy).toMatch(/^hono \S+ \(MIT\)\n\nMIT License/m);
  const folder = path.join(await emptyPlace(), 'node_modules', '@else', 'where');
  await mkdir(folder, { recursive: true });
  await writeFile(
    path.join(folder, 'package.json'),
    JSON.stringify({ name: '@else/where', version: '1.0.0', license: 'SSPL-1.0' }),
  );
  expect(() => licensesOf([path.join(folder, 'lib', 'index.js')])).toThrow(
    '@else/where 1.0.0 is under SSPL-1.0, which is not on the list of licences.',
  );
});

test('an older Node is told so', () => {
  const older = 'data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "22.1.0" } })';
  const args = ['--import', older, path.join(built, 'deskside.js')];
  const { status, stderr } = spawnSync(process.execPath, args, { env: childEnvironment({}), encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, 'Deskside needs Node 24 or newer. This is Node 22.1.0.\n']);
});
