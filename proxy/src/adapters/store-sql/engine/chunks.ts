import { setImmediate as nextTurn } from 'node:timers/promises';

/** Values per statement: with 500 of them, making the statement alone takes several milliseconds. */
const most = 100;

/** Splits the items, in order, into chunks for one statement each, between which everything else gets its turn. */
export async function* chunksOf<T>(items: readonly T[]): AsyncGenerator<T[]> {
  for (let from = 0; from < items.length; from += most) {
    if (from > 0) await nextTurn();
    yield items.slice(from, from + most);
  }
}
