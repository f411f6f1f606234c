import { PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Engine } from './engine.ts';
import { driverCode, StoreError } from './store-error.ts';

/** The connections of one store, shared by all its sets of tables. */
export interface PostgresPool {
  /**
   * Adds a user of the connections; they are closed when the last user is done.
   *
   * @throws StoreError if the server cannot be reached, or refuses
   */
  open(): Promise<Engine>;
}

/**
 * Connects to PostgreSQL 13 or newer, also behind PgBouncer: no named statements, no session state.
 *
 * @param url `postgres://user:password@host:port/database`, in the driver's syntax
 */
export function postgresPool(url: string): PostgresPool {
  let users = 0;
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'deskside',
    max: 10,
    connectionTimeoutMillis: 5_000,
    // Not sent to the server: the driver stops waiting. A server-side limit would be session state.
    query_timeout: 10_000,
    types: { getTypeParser: bigintAsNumber },
  });
  // The pool replaces connections that break while idle; without a listener the error would end the process.
  pool.on('error', () => {});

  async function open(): Promise<Engine> {
    let isOpen = true;
    users += 1;
    const end = async () => {
      if (!isOpen) return;
      isOpen = false;
      users -= 1;
      if (users === 0) await pool.end();
    };
    try {
      (await pool.connect()).release();
    } catch (error) {
      await end();
      throw new StoreError(`${placeOf(url)} cannot be used (${driverCode(error)}).`);
    }
    return {
      name: 'postgres',
      dialect: new PostgresDialect({ pool: { connect: () => pool.connect(), end, options: pool.options } }),
      // Kysely migrates inside a transaction that holds an advisory lock.
      withLock: (work) => work(),
      abandon: end,
    };
  }

  return { open };
}

/** What messages call the database: host, port and name, without user and password. */
export function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `PostgreSQL database ${decodeURIComponent(pathname.slice(1))} at ${hostname || 'localhost'}:${port || 5432}`;
}

/** The driver returns bigint as text. All of ours are milliseconds or counts, far below 2^53. */
function bigintAsNumber(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === pg.types.builtins.INT8) return Number;
  return pg.types.getTypeParser(oid, format as 'text');
}
