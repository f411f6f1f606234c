/**
 * The store cannot be used. The message is one sentence for the operator; it names a path or host, never a password.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** The driver's own error code, such as SQLITE_CORRUPT, ECONNREFUSED or 28P01; never free text. */
export function driverCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^\w+$/.test(code) ? code : 'unknown';
}
