/** Most values per statement; more would come close to the databases' limits. */
const most = 500;

/** Splits the items, in order, into chunks that fit into one statement. */
export function chunksOf<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / most);
  return Array.from({ length: count }, (_, i) => items.slice(i * most, (i + 1) * most));
}
