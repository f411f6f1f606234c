import { setTimeout as sleep } from 'node:timers/promises';
import { FrappeError } from './frappe-error.ts';

/** Writes that the database gave up on are tried this often in all. */
const mostTries = 4;
const firstPauseMs = 50;

/** Runs a write to the named document, which may be run again, when its turn has come. */
export type WriteQueue = <T>(document: string, signal: AbortSignal, write: () => Promise<T>) => Promise<T>;

/**
 * Runs writes to one document one after another: simultaneous ones make the helpdesk's database give up on most of
 * them (facts/live.md section 2). What other writers still cause is tried again after a random pause (design.md,
 * decision 18).
 */
export function createWriteQueue(): WriteQueue {
  const last = new Map<string, Promise<unknown>>();
  return (document, signal, write) => {
    const turn = (last.get(document) ?? Promise.resolve()).then(() => tryWrite(signal, write));
    const settled = turn.then(
      () => {},
      () => {},
    );
    last.set(document, settled);
    settled.then(() => {
      if (last.get(document) === settled) last.delete(document);
    });
    return turn;
  };
}

async function tryWrite<T>(signal: AbortSignal, write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await write();
    } catch (error) {
      const deadlock = error instanceof FrappeError && error.excType === 'QueryDeadlockError';
      if (!deadlock || attempt === mostTries) throw error;
    }
    await sleep(firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
  }
}
