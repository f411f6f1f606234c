/** A statement with more values than this would come near the limit of the databases. */
const most = 500;

/** The items in their order, in parts that fit into one statement. */
export function chunksOf<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / most);
  return Array.from({ length: count }, (_, i) => items.slice(i * most, (i + 1) * most));
}
