import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What a bundler tells a plugin, and what the plugin may ask: the same in Rolldown and in Vite. */
interface Bundling {
  getModuleIds(): Iterable<string>;
  emitFile(file: { type: 'asset'; fileName: string; source: string }): string;
}

/** Licences under which a package may be shipped with Deskside, which is under MIT. */
const allowed = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'BlueOak-1.0.0']);

interface Package {
  name: string;
  version: string;
  license: string;
  /** What its licence wants to be passed on: the text, and notices. */
  texts: string[];
}

/**
 * A plugin for a bundler: puts the licences of every package in the bundle into `LICENSES.txt` beside it. A package under
 * a licence that is not on the list ends the build.
 */
export function licenses() {
  return {
    name: 'licenses',
    generateBundle(this: Bundling) {
      const source = licensesOf(this.getModuleIds());
      this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source });
    },
  };
}

/**
 * The licences of the packages that these modules belong to, sorted by name.
 * @param modules paths of files; those outside of `node_modules` are ours
 * @throws Error for a package whose licence is not on the list, or that comes without its text
 */
export function licensesOf(modules: Iterable<string>): string {
  const folders = new Set([...modules].map(packageFolder).filter((folder) => folder !== null));
  const packages = [...folders].map(readPackage);
  const sorted = packages.sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
  return sorted
    .map(({ name, version, license, texts }) => [`${name} ${version} (${license})`, ...texts].join('\n\n'))
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}

/** The folder of the package that a file belongs to; null for a file of ours, or one that a bundler made up. */
function packageFolder(file: string): string | null {
  return /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(file)?.[1] ?? null;
}

function readPackage(folder: string): Package {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  if (!allowed.has(license))
    throw new Error(`${name} ${version} is under ${license}, which is not on the list of licences.`);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.sort().map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
  return { name, version, license, texts };
}
