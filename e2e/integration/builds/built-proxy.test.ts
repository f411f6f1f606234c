import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildProxy } from '@deskside/proxy/build';
import { licensesOf } from '@deskside/shared/licenses';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { demo, sharedSeed } from '@deskside/simulators/seed/index';
import { childEnvironment } from '@deskside/testing/child-environment';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import { keyOf } from '../key-of.ts';

/** Another user than the one who built it, where a test may choose. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

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

test('in an empty place, as another user, it serves a profile and every command answers; an older Node is told so', async () => {
  const place = await emptyPlace();
  const [folder, data] = [path.join(place, 'deskside'), path.join(place, 'data')];
  await cp(built, folder, { recursive: true });
  await mkdir(data);
  // Node as well: the other user may not be able to enter the folder of this project.
  const node = path.join(place, 'node');
  await copyFile(process.execPath, node);
  if (nobody.uid) await chown(data, nobody.uid, nobody.gid);
  const helpdesk = await startHelpdesk({ seed: sharedSeed().helpdesk });
  onTestFinished(() => helpdesk.close());
  const env = childEnvironment({
    ...proxyEnvironment({ helpdesk }, `file:${data}`),
    // Belongs to whoever runs the tests.
    NODE_COMPILE_CACHE: undefined,
  });
  const start = (...args: string[]) => {
    const child = spawn(node, args, { cwd: place, env, ...nobody });
    onTestFinished(() => void child.kill('SIGKILL'));
    const printed = { text: '' };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed.text += chunk));
    return { child, printed };
  };

  const { child, printed } = start('deskside/deskside.js', 'serve');
  const address = () => /^http:\/\/\S+$/m.exec(printed.text)?.[0];
  await expect.poll(address, { message: 'an address is printed' }).toBeTruthy();
  const asked = `${address()}/api/method/platform_crm_customer_profile?ticket=${demo.tickets.matched}`;
  const answer = await fetch(asked, { headers: { authorization: keyOf(demo.agent) } });
  expect(answer.status).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);

  const older = 'data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "22.1.0" } })';
  const refused = start('--import', older, 'deskside/deskside.js');
  expect(await once(refused.child, 'close')).toEqual([1, null]);
  expect(refused.printed.text).toBe('Deskside needs Node 24 or newer. This is Node 22.1.0.\n');

  const help = start('deskside/deskside.js', '--help');
  expect(await once(help.child, 'close')).toEqual([0, null]);
  for (const command of ['serve', 'provision', 'doctor', 'replay', 'purge', 'customers']) {
    expect(help.printed.text).toContain(`  ${command} `);
  }
});
