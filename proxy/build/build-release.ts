import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { version } from '#version.ts';
import { buildProxy } from './build-proxy.ts';
import { type ArchivedFile, tarball } from './tar.ts';

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
  const built = await mkdtemp(path.join(folder, 'program-'));
  try {
    await buildProxy(built);
    const native = `linux-${process.arch}.node`;
    const program = await filesIn(built, 'lib', (file) => !file.endsWith('.node') || path.basename(file) === native);
    const files = [
      ...program,
      ...(await filesIn(path.join(root, 'ops'), 'ops')),
      ...(await filesIn(path.join(root, 'docs'), 'docs')),
      ...(await extensions(built)),
      ...(await Promise.all(documents.map((file) => read(path.join(root, file), file)))),
      await read(path.join(root, 'proxy', 'build', 'deskside.sh'), 'bin/deskside', true),
      await read(path.join(nodeFolder, 'bin', 'node'), 'lib/node/bin/node', true),
      { path: 'lib/node/LICENSE', content: await nodeLicense(), isProgram: false },
    ];
    const archive = path.join(folder, `${name}.tar.gz`);
    const archived = files.map((file) => ({ ...file, path: `${name}/${file.path}` }));
    await writeFile(archive, tarball(archived, level));
    return archive;
  } finally {
    await rm(built, { recursive: true });
  }
}

/** The extension for Chromium and for Firefox, with addresses that `deskside extension` replaces. */
async function extensions(out: string): Promise<ArchivedFile[]> {
  const program = path.join(root, 'extension', 'node_modules', 'wxt', 'bin', 'wxt.mjs');
  const built: ArchivedFile[] = [];
  for (const [browser, to] of [
    ['chrome', 'extension/chromium'],
    ['firefox', 'extension/firefox'],
  ] as const) {
    const env = {
      ...process.env,
      NODE_ENV: 'production',
      EXTENSION_OUT: path.join(out, 'extensions'),
      HELPDESK_ORIGIN: 'https://helpdesk.deskside.invalid',
      PROXY_ORIGIN: 'https://proxy.deskside.invalid',
    };
    await promisify(execFile)(process.execPath, [program, 'build', '--browser', browser], {
      cwd: path.join(root, 'extension'),
      env,
    });
    built.push(...(await filesIn(path.join(out, 'extensions', `${browser}-mv3`), to)));
  }
  return built;
}

async function filesIn(folder: string, to: string, isTaken = (_file: string) => true): Promise<ArchivedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(
    files.filter(isTaken).map((file) => read(file, `${to}/${path.relative(folder, file).replaceAll(path.sep, '/')}`)),
  );
}

async function read(file: string, to: string, isProgram = false): Promise<ArchivedFile> {
  return { path: to, content: await readFile(file), isProgram };
}

/**
 * The licence of Node and of what is in it, which has to go where Node goes. It is in the package that the package `node`
 * takes its binary from, which a package manager may have thrown away after that: then it is fetched.
 */
async function nodeLicense(): Promise<Buffer> {
  const name = `node-linux-${process.arch}`;
  const kept = path.join(root, 'node_modules', '.cache', 'deskside', `${name}-${process.versions.node}`);
  const places = [nodeFolder, kept].map((place) => path.join(place, 'node_modules', name, 'LICENSE'));
  const isThere = async (file: string) =>
    access(file).then(
      () => true,
      () => false,
    );
  for (const place of places) if (await isThere(place)) return readFile(place);
  const wanted = `${name}@${process.versions.node}`;
  await promisify(execFile)('npm', ['install', '--no-save', '--no-package-lock', '--prefix', kept, wanted]);
  return readFile(path.join(kept, 'node_modules', name, 'LICENSE'));
}
