import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { licenses } from '@deskside/shared/licenses';
import { rolldown } from 'rolldown';
import { version } from '#runtime/version.ts';

/** The one dependency with a native part: it stays a package of its own, with that part for every platform. */
const native = 'better-sqlite3';
/** The oldest Node that runs it. */
const oldest = 24;
/** The first that the program does: an older Node would end with a TypeError of some library. */
const checkNode = `if (Number.parseInt(process.versions.node, 10) < ${oldest}) {
  console.error(\`Deskside needs Node ${oldest} or newer. This is Node \${process.versions.node}.\`);
  process.exit(1);
}`;

/**
 * Builds the proxy into a folder that plain Node 24 runs and that needs nothing else: `deskside.js` is every command. The same
 * sources give the same bytes.
 * @param out the folder; what was in it is replaced
 * @param maps where the source maps go, apart from the folder; left out: none are made
 */
export async function buildProxy(out: string, maps?: string): Promise<void> {
  await rm(out, { recursive: true, force: true });
  const bundle = await rolldown({
    input: { deskside: here('../src/main.ts') },
    platform: 'node',
    // pg asks for its native sibling and goes on without it.
    external: [native, 'pg-native'],
    plugins: [licenses()],
    logLevel: 'warn',
    transform: { define: { 'process.env.DESKSIDE_COMMIT': JSON.stringify(commit()) } },
  });
  await bundle.write({
    dir: out,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    banner: ({ isEntry }) => (isEntry ? checkNode : ''),
    // Whoever reads it has the sources.
    comments: false,
    sourcemap: maps ? 'hidden' : false,
  });
  await bundle.close();
  await copyNative(path.join(out, 'node_modules', native));
  await cp(here('../../LICENSE'), path.join(out, 'LICENSE'));
  const about = {
    name: 'deskside',
    version,
    license: 'MIT',
    private: true,
    type: 'module',
    engines: { node: `>=${oldest}` },
  };
  await writeFile(path.join(out, 'package.json'), `${JSON.stringify(about, null, 2)}\n`);
  if (maps) await moveMaps(out, maps);
}

/** What is built, by its short name; '' where there is no repository. */
function commit(): string {
  const { stdout } = spawnSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: here('.'), encoding: 'utf8' });
  return stdout?.trim() ?? '';
}

const here = (at: string) => fileURLToPath(new URL(at, import.meta.url));

async function copyNative(to: string): Promise<void> {
  const from = path.dirname(createRequire(import.meta.url).resolve(`${native}/package.json`));
  for (const part of ['lib', 'prebuilds', 'LICENSE']) {
    await cp(path.join(from, part), path.join(to, part), { recursive: true });
  }
  // What npm would do with the package is of no use to whoever only runs it.
  const { name, version, license, main } = JSON.parse(await readFile(path.join(from, 'package.json'), 'utf8'));
  await writeFile(path.join(to, 'package.json'), `${JSON.stringify({ name, version, license, main }, null, 2)}\n`);
}

async function moveMaps(out: string, maps: string): Promise<void> {
  await rm(maps, { recursive: true, force: true });
  await mkdir(maps, { recursive: true });
  for (const file of await readdir(out)) {
    if (file.endsWith('.map')) await rename(path.join(out, file), path.join(maps, file));
  }
}
