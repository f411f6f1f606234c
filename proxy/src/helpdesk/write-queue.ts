import { setTimeout as sleep } from 'node:timers/promises';
import { createKeyedMutex } from '#runtime/keyed-mutex.ts';
import { FrappeError } from './frappe-error.ts';

/** How often a write is tried in all if the database aborts it. */
const maxTries = 4;
const firstPauseMs = 50;

/** Runs a write to a document after those that came before it. The write may be run more than once. */
export type WriteQueue = <T>(doctype: string, name: string, signal: AbortSignal, write: () => Promise<T>) => Promise<T>;

/** Who wants to know of writes. `written`: we may have written to the ticket, whatever came of it. */
export interface WriteSigns {
  emit(sign: 'written', ticket: string): unknown;
}

/**
 * Runs writes to one document one after another: of simultaneous ones, the helpdesk's database aborts most
 * (docs/helpdesk.md#writing). Writes that fail because of other writers are retried after a random pause
 * (docs/decisions.md 18).
 */
export function createWriteQueue(signs: WriteSigns): WriteQueue {
  const oneByOne = createKeyedMutex();
  return (doctype, name, signal, write) =>
    oneByOne(`${doctype} ${name}`, () => tryWrite(signal, write)).finally(() => {
      if (doctype === 'HD Ticket') signs.emit('written', name);
    });
}

async function tryWrite<T>(signal: AbortSignal, write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await write();
    } catch (error) {
      const deadlock = error instanceof FrappeError && error.excType === 'QueryDeadlockError';
      if (!deadlock || attempt === maxTries) throw error;
    }
    await sleep(firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
  }
}
