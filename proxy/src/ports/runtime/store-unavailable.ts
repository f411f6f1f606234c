/**
 * The database is not there right now: it cannot be reached, ended the connection, is locked or has no room. What was being
 * written may or may not have been kept. `code`: the driver's own, such as ECONNREFUSED, 57P01 or SQLITE_FULL; never free text.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly code: string;

  constructor(code: string) {
    super(`The database is not available (${code})`);
    this.code = code;
  }
}
