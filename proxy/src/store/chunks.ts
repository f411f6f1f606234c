/** Values per statement: with 500 of them, making the statement alone takes several milliseconds. */
const most = 100;

/** Splits the items, in order, into chunks for one statement each. */
export function* chunksOf<T>(items: readonly T[]): Generator<T[]> {
  for (let from = 0; from < items.length; from += most) yield items.slice(from, from + most);
}
