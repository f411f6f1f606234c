import { randomUUID } from 'node:crypto';

/** An id that a client or a reverse proxy has given a request already. */
const usable = /^[\w-]{16,64}$/;

/** A request's id: its own if it has one that can be used. */
export function requestIdOf(given: string | undefined): string {
  return given !== undefined && usable.test(given) ? given : randomUUID();
}
