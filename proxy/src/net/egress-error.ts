/** How a call can fail below HTTP. `unreachable` alone is sure to have had no effect at the other side. */
export type EgressErrorCode = 'timeout' | 'unreachable' | 'cut' | 'too_large' | 'blocked';

/**
 * A call that got no complete answer. Addresses may hold secrets (the CRM's webhook does), so the message is made of
 * fixed words and at most the system's error code, and there is never a `cause`.
 */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  readonly code: EgressErrorCode;
  constructor(code: EgressErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
