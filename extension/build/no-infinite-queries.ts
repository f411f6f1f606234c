import type { Plugin } from 'vite';

const behavior = '/query-core/build/modern/infiniteQueryBehavior.js';
const absent = `const absent = () => { throw new Error('See no-infinite-queries.ts.'); };
export { absent as hasNextPage, absent as hasPreviousPage, absent as infiniteQueryBehavior };`;

/**
 * Leaves out how the pages of an endless list are fetched, which every query of the library brings along and none of ours
 * has: 1.5 kB of the panel. A query that has them fails at once.
 */
export function noInfiniteQueries(): Plugin {
  return {
    name: 'deskside:no-infinite-queries',
    enforce: 'pre',
    load: (id) => (id.endsWith(behavior) ? absent : null),
  };
}
