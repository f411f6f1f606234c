import { execFile } from 'node:child_process';
import { access, chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { version } from '#runtime/version.ts';
import { buildProxy } from './build-proxy.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const nodeFolder = path.join(root, 'node_modules', 'node');
/** Of the documents at the root, those that an operator may want. */
const documents = ['ARCHITECTURE.md', 'CHANGELOG.md', 'LICENSE', 'PRIVACY.md', 'README.md', 'SECURITY.md'];

/**
 * Everything that an operator installs as one archive: Node, the program, `bin/deskside`, `ops/` and the documents. It is for
 * Linux (glibc) on the processor of this machine. The same sources give the same bytes.
 *
 * @param folder where the archive goes
 * @param level how hard gzip tries, from 0 to 9: Node is large
 * @returns its path
 */
export async function buildRelease(folder: string, level = 6): Promise<string> {
  if (process.platform !== 'linux') throw new Error('The archive is for Linux, and is built there.');
  const name = `deskside-${version}-linux-${process.arch}`;
  await mkdir(folder, { recursive: true });
  const stage = await mkdtemp(path.join(folder, 'program-'));
  const put = (from: string, to: string) =>
    cp(from, path.join(stage, name, to), { recursive: true, dereference: true });
  try {
    const program = path.join(stage, name, 'lib');
    await buildProxy(program);
    for (const file of await readdir(program, { recursive: true }))
      if (file.endsWith('.node') && path.basename(file) !== `linux-${process.arch}.node`)
        await rm(path.join(program, file));
    for (const one of ['ops', 'docs', ...documents]) await put(path.join(root, one), one);
    await put(path.join(root, 'proxy', 'build', 'deskside.sh'), 'bin/deskside');
    await chmod(path.join(stage, name, 'bin', 'deskside'), 0o755);
    await put(path.join(nodeFolder, 'bin', 'node'), 'lib/node/bin/node');
    await put(await nodeLicense(), 'lib/node/LICENSE');
    await buildExtensions(path.join(stage, 'extensions'), ['chrome', 'firefox']);
    await put(path.join(stage, 'extensions', 'chrome-mv3'), 'extension/chromium');
    await put(path.join(stage, 'extensions', 'firefox-mv3'), 'extension/firefox');
    const archive = path.join(folder, `${name}.tar.gz`);
    await writeFile(archive, await packed(stage, name, level));
    return archive;
  } finally {
    await rm(stage, { recursive: true });
  }
}

/** A folder in one archive of root's, all of it as old: the first of January 2000. */
export async function packed(place: string, name: string, level: number): Promise<Buffer> {
  const same = ['--sort=name', '--mtime=@946684800', '--owner=root:0', '--group=root:0', '--mode=a=rX,u+w'];
  const args = ['--create', '--format=ustar', ...same, '--directory', place, name];
  const { stdout } = await run('tar', args, { encoding: 'buffer', maxBuffer: 2 ** 30 });
  return gzipSync(stdout, { level });
}

/** The extension for these browsers, with addresses that `deskside extension` replaces. */
export async function buildExtensions(out: string, browsers: ('chrome' | 'firefox')[]): Promise<void> {
  const addresses = {
    HELPDESK_ORIGIN: 'https://helpdesk.deskside.invalid',
    PROXY_ORIGIN: 'https://proxy.deskside.invalid',
  };
  const env = { ...process.env, NODE_ENV: 'production', EXTENSION_OUT: out, ...addresses };
  const args = [path.join('build', 'build.ts'), 'build', 'production', ...browsers];
  await run(process.execPath, args, { cwd: path.join(root, 'extension'), env });
}

/**
 * The licence of Node and of what is in it, which has to go where Node goes. It is in the package that the package `node`
 * takes its binary from, which a package manager may have thrown away after that: then it is fetched.
 */
async function nodeLicense(): Promise<string> {
  const name = `node-linux-${process.arch}`;
  const kept = path.join(root, 'node_modules', '.cache', 'deskside', `${name}-${process.versions.node}`);
  const places = [nodeFolder, kept].map((place) => path.join(place, 'node_modules', name, 'LICENSE'));
  const isThere = async (file: string) =>
    access(file).then(
      () => true,
      () => false,
    );
  for (const place of places) if (await isThere(place)) return place;
  const wanted = `${name}@${process.versions.node}`;
  await run('npm', ['install', '--no-save', '--no-package-lock', '--prefix', kept, wanted]);
  return path.join(kept, 'node_modules', name, 'LICENSE');
}
