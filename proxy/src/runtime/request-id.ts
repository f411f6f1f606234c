import { AsyncLocalStorage } from 'node:async_hooks';

const ids = new AsyncLocalStorage<string>();

/** Does the work, and whatever it begins, in the name of a request. */
export function inRequest<T>(id: string, work: () => T): T {
  return ids.run(id, work);
}

/** The request in whose name the current work is done; several that share it go by the first. Undefined: in none's. */
export function currentRequestId(): string | undefined {
  return ids.getStore();
}
