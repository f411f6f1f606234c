import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { buildExtensions, buildRelease, packed } from '@deskside/proxy/build-release';
import { startCrm } from '@deskside/simulators/crm/server';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { demo, keyOf, sharedSeed } from '@deskside/simulators/seed/index';
import { printedBy } from '@deskside/testing/printed-by';
import { sized } from '@deskside/testing/size';
import { slicesOf } from '@deskside/testing/slices-of';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';

const isLinux = process.platform === 'linux';
/** To build the extension once more takes seconds. */
const isFull = sized({ small: false, full: true });
/** An archive with Node in it: most of the time would go into packing it well. */
const quickly = 0;
let place: string;
let archive: string;
/** The archive's one folder, unpacked. */
let unpacked: string;

beforeAll(async () => {
  if (!isLinux) return;
  place = await mkdtemp(path.join(tmpdir(), 'deskside-release-'));
  archive = await buildRelease(path.join(place, 'out'), quickly);
  // Node unpacks what is hardly packed in a third of the time that gzip takes.
  execFileSync('tar', ['xf', '-', '-C', place], { input: gunzipSync(await readFile(archive)) });
  unpacked = path.join(place, path.basename(archive, '.tar.gz'));
  return () => rm(place, { recursive: true, force: true });
});

/** The command as a machine without Node runs it. */
function deskside(
  args: string[],
  environment: Record<string, string> = {},
  program = path.join(unpacked, 'bin/deskside'),
) {
  const child = spawn(program, args, {
    cwd: '/',
    env: { PATH: '/nowhere', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function resultOf(child: ReturnType<typeof deskside>) {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk));
  const [code] = await once(child, 'close');
  return { code, text };
}

test.runIf(isLinux && isFull)('the same sources give the same bytes', async () => {
  expect(await readdir(path.dirname(archive)), 'what it was built from').toEqual([path.basename(archive)]);
  // The program is built twice in built-proxy.test.ts.
  const again = path.join(place, 'again');
  await buildExtensions(again, ['chrome']);
  await rename(path.join(again, 'chrome-mv3'), path.join(again, 'chromium'));
  const bytes = (folder: string) => packed(path.dirname(folder), path.basename(folder), quickly);
  const first = await bytes(path.join(unpacked, 'extension', 'chromium'));
  expect((await bytes(path.join(again, 'chromium'))).equals(first)).toBe(true);
  expect((await bytes(unpacked)).equals(await readFile(archive))).toBe(true);
});

test.runIf(isLinux)('without Node and without an environment, by way of a link, every command answers', async () => {
  const link = path.join(place, 'deskside-link');
  await symlink(path.join(unpacked, 'bin/deskside'), link);
  const { code, text } = await resultOf(deskside(['--help'], {}, link));
  expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('Usage: deskside ') });
  for (const command of ['serve', 'provision', 'doctor', 'replay', 'purge', 'customers'])
    expect(text).toContain(`  ${command} `);

  expect(await resultOf(deskside(['doctor', '--env-file', '/nowhere.env']))).toEqual({
    code: 1,
    text: '/nowhere.env: there is no such file. "deskside init" makes it.\n',
  });
});

test.runIf(isLinux)('it serves a profile with the settings of a file, and keeps its store beside that', async () => {
  const helpdesk = await startHelpdesk({ seed: sharedSeed().helpdesk });
  onTestFinished(() => helpdesk.close());
  const { DATABASE_URL: _, ...settings } = proxyEnvironment({ helpdesk }, 'file:/nowhere');
  const folder = path.join(place, 'service');
  await mkdir(folder);
  const file = path.join(folder, 'deskside.env');
  await writeFile(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name}='${value}'\n`)
      .join(''),
  );
  await chmod(file, 0o600);
  const child = deskside(['serve', '--env-file', file]);
  const { address } = printedBy(child);
  const asked = `${await address}/api/method/platform_crm_customer_profile?ticket=${demo.tickets.matched}`;
  expect((await fetch(asked, { headers: { authorization: keyOf(demo.agent) } })).status).toBe(200);
  expect(existsSync(path.join(folder, 'data', 'state.db'))).toBe(true);
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
});

test.runIf(isLinux)('it holds what the units start, and its documents name documents that are there', async () => {
  const ops = (await readdir(path.join(unpacked, 'ops'))).filter((name) => name.endsWith('.service'));
  for (const unit of ops) {
    const text = readFileSync(path.join(unpacked, 'ops', unit), 'utf8');
    const started = /^ExecStart=.*?\/opt\/deskside\/(\S+)/m.exec(text)?.[1];
    expect(existsSync(path.join(unpacked, started ?? 'nothing')), unit).toBe(true);
    const account = /^User=(.+)$/m.exec(text)?.[1];
    const made = readFileSync(path.join(unpacked, 'ops', 'deskside.sysusers'), 'utf8');
    expect(made, unit).toMatch(new RegExp(`^u ${account} `, 'm'));
  }
  for (const file of ['docs/install.md', 'docs/operate.md', 'docs/extension.md']) {
    const text = await readFile(path.join(unpacked, file), 'utf8');
    const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => to);
    const missing = links.filter((to) => !existsSync(path.join(unpacked, path.dirname(file), to)));
    expect(missing, file).toEqual([]);
  }
});

test.runIf(isLinux).each(['chromium', 'firefox'])(
  'its extension for %s loads no remote code, and stays within its size limits',
  async (browser) => {
    const folder = path.join(unpacked, 'extension', browser);
    const read = (file: string) => readFile(path.join(folder, file), 'utf8');
    const scripts = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.js'));
    // The minifier leaves the word "new" out.
    for (const file of scripts)
      expect.soft(await read(file), file).not.toMatch(/\bFunction\(|\beval\(|\bimportScripts\(/);
    expect(scripts).toEqual(expect.arrayContaining(['background.js', 'launcher.js', 'panel.js']));
    const bytes = async (file: string) => Buffer.byteLength(await read(file));
    expect(await bytes('launcher.js')).toBeLessThanOrEqual(8_600);
    expect(await bytes('background.js')).toBeLessThanOrEqual(108_000);
    expect(await bytes('panel.js')).toBeLessThanOrEqual(436_000);
  },
);

test.runIf(isLinux)(
  'the extension that it writes may ask for its two addresses alone, and holds no secret',
  async () => {
    const out = path.join(place, 'extension');
    const settings = path.join(place, 'addresses.env');
    const addresses = 'HELPDESK_URL=https://help.example\nPUBLIC_URL=https://deskside.example:8443\n';
    await writeFile(settings, addresses, { mode: 0o600 });
    const { code, text } = await resultOf(deskside(['extension', '--env-file', settings, '--out', out]));
    expect(code, text).toBe(0);
    const manifest = JSON.parse(await readFile(path.join(out, 'chromium', 'manifest.json'), 'utf8'));
    expect(manifest.host_permissions).toEqual(['https://help.example/*', 'https://deskside.example/*']);
    expect(manifest).not.toHaveProperty('optional_host_permissions');
    const crm = await startCrm({ seed: sharedSeed().crm });
    onTestFinished(() => crm.close());
    const needles = slicesOf([...crm.secrets, demo.service.apiSecret]);
    const files = (await readdir(out, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
    const texts = await Promise.all(files.map((file) => readFile(path.join(file.parentPath, file.name), 'latin1')));
    expect(texts.flatMap((text) => needles.filter((needle) => text.includes(needle)))).toEqual([]);
    expect(texts.filter((text) => text.includes('https://deskside.example:8443')).length).toBeGreaterThan(0);
  },
);
