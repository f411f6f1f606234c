import { HelpdeskError, type HelpdeskErrorKind } from '../../ports/helpdesk.ts';

/** What was learnt, or why not. `message` is in our own words and holds no secret. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; kind: HelpdeskErrorKind; message: string };

/** Waits for something from the helpdesk; a failure or a passed deadline is a result too. Throws nothing else. */
export async function attempt<T>(work: Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await work };
  } catch (error) {
    if (error instanceof HelpdeskError) return { ok: false, kind: error.kind, message: error.message };
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      return { ok: false, kind: 'timeout', message: 'There was no answer in time.' };
    }
    throw error;
  }
}
