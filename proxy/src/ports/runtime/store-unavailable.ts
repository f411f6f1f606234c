/**
 * The database is not there right now: it cannot be reached, or ended the connection. What was being written may or may not
 * have been kept. `code`: the driver's own, such as ECONNREFUSED or 57P01; never free text.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly code: string;

  constructor(code: string) {
    super(`The database is not available (${code})`);
    this.code = code;
  }
}
