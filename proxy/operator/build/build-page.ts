import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import { build, type InlineConfig, type PluginOption } from 'vite';
import { keepBuild } from './keep-build.ts';

const here = (at: string) => fileURLToPath(new URL(at, import.meta.url));

/** Where a proxy that runs from its sources has the page, but for the state of those. */
const place = here('../.output/page');

/** What the page is made from. */
const sources = ['../src', '../index.html', '../package.json', '../../../extension/src', '../../../shared/src'].map(
  here,
);

/**
 * Builds the operator page: `index.html` and, under `assets/`, what it loads, with names that say what is in them.
 * @param out the folder; what was in it is replaced
 * @param plugins what else the bundler does
 */
export async function buildOperatorPage(out: string, plugins: PluginOption[] = []): Promise<void> {
  // Whoever builds it, a run of tests included, gets what is shipped: Vite takes this variable's word for it.
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    await build(configFor(out, plugins));
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}

function configFor(out: string, plugins: PluginOption[]): InlineConfig {
  return {
    configFile: false,
    root: here('..'),
    base: '/operator/',
    logLevel: 'error',
    plugins: [tailwindcss(), ...plugins],
    build: {
      outDir: out,
      emptyOutDir: true,
      // The page's policy lets nothing be inline.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: ['chrome123', 'firefox142', 'safari18'],
    },
  };
}

/**
 * The folder of the page for a proxy that runs from its sources; built if it is not there or the sources are newer.
 * @public imported by a name that the proxy's bundle does not follow
 */
export async function ensureOperatorPage(): Promise<string> {
  return keepBuild(place, await newest(sources), buildOperatorPage);
}

async function newest(places: readonly string[]): Promise<number> {
  const times = places.map(async (place) => {
    const entries = (await stat(place)).isDirectory() ? await readdir(place, { recursive: true }) : [''];
    const all = await Promise.all(entries.map((entry) => stat(path.join(place, entry))));
    return Math.max(...all.map(({ mtimeMs }) => mtimeMs));
  });
  return Math.floor(Math.max(...(await Promise.all(times))));
}
