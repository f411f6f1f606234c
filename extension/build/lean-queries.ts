import type { Plugin } from 'vite';

/** In place of a module of the query library: what the rest of it needs to load, and nothing of what it does. */
const instead = {
  '/query-core/build/modern/infiniteQueryBehavior.js': `const absent = () => { throw new Error('See lean-queries.ts.'); };
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
