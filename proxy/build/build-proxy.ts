import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOperatorPage } from '@deskside/operator/build';
import { licenses } from '@deskside/shared/licenses';
import { type Plugin, rolldown } from 'rolldown';
import { version } from '#config/version.ts';
import { unpackEntities } from './unpack-entities.ts';

/** The one dependency with a native part: it stays a package of its own, with that part for every platform. */
const native = 'better-sqlite3';
/** The oldest Node that runs it. */
const oldest = 24;
/** The first that each program does: an older Node would end with a TypeError of some library. */
const checkNode = `if (Number.parseInt(process.versions.node, 10) < ${oldest}) {
  console.error(\`Deskside needs Node ${oldest} or newer. This is Node \${process.versions.node}.\`);
  process.exit(1);
}`;
const keepNames = { function: true, class: true };
const entries = { serve: '../src/cli/serve-alone.ts', deskside: '../src/cli/main.ts' };

/**
 * Builds the proxy into a folder that plain Node 24 runs and that needs nothing else: `serve.js` is the service,
 * `deskside.js` every command. The service does not load what only other commands need. The same sources give the same bytes.
 * @param out the folder; what was in it is replaced
 * @param maps where the source maps go, apart from the folder; left out: none are made
 */
export async function buildProxy(out: string, maps?: string): Promise<void> {
  await rm(out, { recursive: true, force: true });
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([name, at]) => [name, here(at)])),
    platform: 'node',
    // pg asks for its native sibling and goes on without it; the page is built here, and never by what is built.
    external: [native, 'pg-native', '@deskside/operator/build'],
    plugins: [leftOut, unpackEntities, licenses(), oneBytePerCharacter],
    logLevel: 'warn',
  });
  await bundle.write({
    dir: out,
    format: 'esm',
    entryFileNames: '[name].js',
    // What both programs have in common would be called after the command.
    chunkFileNames: ({ name }) => (name === 'serve' ? 'common.js' : '[name].js'),
    banner: ({ isEntry }) => (isEntry ? checkNode : ''),
    // Whoever reads it has the sources; Node would hold them in memory. Functions keep their names and lines stay lines: a
    // trace names both, and an error that nobody caught prints its line.
    comments: false,
    minify: { compress: { keepNames }, mangle: { keepNames: true }, codegen: { removeWhitespace: false } },
    sourcemap: maps ? 'hidden' : false,
  });
  await bundle.close();
  await buildOperatorPage(path.join(out, 'operator'), [licenses()]);
  await copyNative(path.join(out, 'node_modules', native));
  const about = { name: 'deskside', version, private: true, type: 'module', engines: { node: `>=${oldest}` } };
  await writeFile(path.join(out, 'package.json'), `${JSON.stringify(about, null, 2)}\n`);
  if (maps) await moveMaps(out, maps);
}

/**
 * Node holds a source in memory, with two bytes for each character if a single one of the file is not ASCII. Escapes say
 * the same in strings, templates and patterns. After everything else: the minifier writes characters for escapes. Columns
 * of a line may be off then, which no trace of ours goes by.
 */
const oneBytePerCharacter: Plugin = {
  name: 'one-byte-per-character',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk')
        file.code = file.code.replace(
          /[\u0080-\uffff]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
    }
  },
};

/**
 * What libraries load at their first use of something that is not used here: the HTTP client's forms, blobs and streams as
 * bodies, and its experimental parser. A use would throw.
 */
const unused = /[\\/]web[\\/](?:fetch[\\/](?:body|formdata)|webidl)|[\\/]milo[\\/]/;
const leftOut: Plugin = {
  name: 'left-out',
  resolveId: (id, from) => (from?.includes('undici') && unused.test(id) ? '\0left-out' : null),
  load: (id) => (id === '\0left-out' ? 'module.exports = null;' : null),
};

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
