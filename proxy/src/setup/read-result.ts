import { type CertificateFault, HelpdeskError, type HelpdeskErrorKind } from '#helpdesk/helpdesk.ts';

/** What was read, or why it could not be. `message` is in our own words and contains no secret. */
export type ReadResult<T> =
  | { ok: true; value: T }
  | { ok: false; kind: HelpdeskErrorKind; message: string; certificate?: CertificateFault | null };

/** Something other than the helpdesk could not be read; the message is for the operator and contains no secret. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** Waits for something from the helpdesk; a failure or an expired deadline is a result too. Throws nothing else. */
export async function attempt<T>(work: Promise<T>): Promise<ReadResult<T>> {
  try {
    return { ok: true, value: await work };
  } catch (error) {
    if (error instanceof HelpdeskError) {
      const { kind, message, certificate } = error;
      return { ok: false, kind, message, ...(certificate && { certificate }) };
    }
    if (error instanceof Unreadable) return { ok: false, kind: 'unavailable', message: error.message };
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      return { ok: false, kind: 'timeout', message: 'There was no response in time.' };
    }
    throw error;
  }
}
