import { HelpdeskError, type HelpdeskErrorKind } from '#ports/helpdesk.ts';

/** What was read, or why it could not be. `message` is in our own words and contains no secret. */
export type ReadResult<T> = { ok: true; value: T } | { ok: false; kind: HelpdeskErrorKind; message: string };

/** Waits for something from the helpdesk; a failure or an expired deadline is a result too. Throws nothing else. */
export async function attempt<T>(work: Promise<T>): Promise<ReadResult<T>> {
  try {
    return { ok: true, value: await work };
  } catch (error) {
    if (error instanceof HelpdeskError) return { ok: false, kind: error.kind, message: error.message };
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      return { ok: false, kind: 'timeout', message: 'There was no response in time.' };
    }
    throw error;
  }
}
