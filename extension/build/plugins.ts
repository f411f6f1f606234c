import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { licensesOf } from '@deskside/shared/licenses';
import type { Plugin } from 'vite';

/**
 * The licences of every package in the extension, in one `LICENSES.txt`. Scripts and pages are bundles of their own, so the
 * plugin gathers what is in each, and the file is written when all are built.
 */
export function gatherLicenses(): { plugin: Plugin; write(folder: string): Promise<void> } {
  const modules = new Set<string>();
  return {
    plugin: {
      name: 'deskside:gather-licenses',
      generateBundle() {
        for (const id of this.getModuleIds()) modules.add(id);
      },
    },
    write: (folder) => writeFile(path.join(folder, 'LICENSES.txt'), licensesOf(modules)),
  };
}

const entrypoint = '\0virtual:wxt-unlisted-script-entrypoint?';
const definer = '/wxt/dist/utils/define-unlisted-script.mjs';

/**
 * Runs an unlisted script without WXT's wrapper, whose logging alone takes a tenth of the launcher's size budget. Such a
 * script passes an object to `defineUnlistedScript`. As with WXT, its result is the value of the file, so that whoever
 * injects the file can await it.
 */
export function leanScript(): Plugin {
  return {
    name: 'deskside:lean-script',
    enforce: 'pre',
    load(id) {
      if (id.endsWith(definer)) return 'export const defineUnlistedScript = (script) => script;';
      if (!id.startsWith(entrypoint)) return null;
      return `import script from ${JSON.stringify(id.slice(entrypoint.length))};\nexport default script.main();`;
    },
  };
}

/** In place of a module of the query library: what the rest of it needs to load, and nothing of what it does. */
const instead = {
  '/query-core/build/modern/infiniteQueryBehavior.js': `const absent = () => { throw new Error('See build/plugins.ts.'); };
export { absent as hasNextPage, absent as hasPreviousPage, absent as infiniteQueryBehavior };`,
  '/query-core/build/modern/mutationCache.js': `export class MutationCache {
  resumePausedMutations() { return Promise.resolve(); }
  clear() {}
}`,
};

/**
 * Leaves out what every client of the query library brings along and none of ours uses: how the pages of an endless list are
 * fetched, and mutations. Together 5 kB of the panel. Whoever uses one of them is told so at once.
 */
export function leanQueries(): Plugin {
  return {
    name: 'deskside:lean-queries',
    enforce: 'pre',
    load: (id) => Object.entries(instead).find(([module]) => id.endsWith(module))?.[1] ?? null,
  };
}

const assignment = /\b\w+\.innerHTML = [^;)]+/g;

/**
 * Takes out of React the places where it writes markup, which are `dangerouslySetInnerHTML` and the creation of script
 * elements: nothing in a package can turn text into markup then, and the stores' linters have nothing to warn of.
 * The build fails where React no longer looks as expected.
 */
export function noMarkup(): Plugin {
  return {
    name: 'deskside:no-markup',
    enforce: 'pre',
    apply: 'build',
    transform(code, id) {
      if (!id.endsWith('/react-dom-client.production.js')) return null;
      const found = code.match(assignment)?.length ?? 0;
      if (found !== 3) throw new Error(`React writes markup in ${found} places, not in 3: see build/plugins.ts.`);
      return { code: code.replace(assignment, 'void 0'), map: null };
    },
  };
}

/**
 * WXT tells content scripts the build's mode as NODE_ENV, so in a build for browser tests React would be its development
 * build: slower, half as large again, holding a stack for every element, and not what is shipped. A build with it fails.
 */
export function productionReact(): Plugin {
  return {
    name: 'deskside:production-react',
    enforce: 'pre',
    apply: (_, { command, mode }) => command === 'build' && mode !== 'development',
    config: () => ({ define: { 'process.env.NODE_ENV': JSON.stringify('production') } }),
    transform(_, id) {
      if (id.endsWith('.development.js')) throw new Error(`Not to be shipped: ${id}`);
    },
  };
}
