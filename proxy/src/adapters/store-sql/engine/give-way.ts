import { setImmediate as nextTurn } from 'node:timers/promises';

/** So long may a turn of the event loop have lasted, in milliseconds, when it begins another statement or transaction. */
const longestMs = 4;

let since: number | null = null;

/**
 * Waits for the next turn of the event loop if this one has lasted long already. A database in this process answers without ever
 * returning to the event loop, so whoever asks one thing after the other would hold up everything else. To be called before
 * each statement, but not within a transaction, which would keep its lock meanwhile.
 */
export async function giveWay(): Promise<void> {
  while (since !== null && performance.now() - since > longestMs) await nextTurn();
  if (since !== null) return;
  since = performance.now();
  setImmediate(() => {
    since = null;
  });
}
