import { PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Engine } from './engine.ts';
import { driverCode, StoreError } from './store-error.ts';

/** Connections of one store, which all its sets of tables share. */
export interface PostgresPool {
  /**
   * One more user of the connections; they are closed when the last one is done.
   *
   * @throws StoreError if nobody answers there, or refuses
   */
  open(): Promise<Engine>;
}

/**
 * Connects to PostgreSQL 13 or newer, also behind PgBouncer: no named statements, no session state.
 *
 * @param url `postgres://user:password@host:port/database`, as the driver understands it
 */
export function postgresPool(url: string): PostgresPool {
  let users = 0;
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'deskside',
    max: 10,
    connectionTimeoutMillis: 5_000,
    // Sent by nobody: the driver itself stops waiting. A server-side limit would be session state.
    query_timeout: 10_000,
    types: { getTypeParser: bigintAsNumber },
  });
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
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
      exclusively: (work) => work(),
      abandon: end,
    };
  }

  return { open };
}

/** How a message names the database: host, port and name without user and password. */
export function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `PostgreSQL database ${decodeURIComponent(pathname.slice(1))} at ${hostname || 'localhost'}:${port || 5432}`;
}

/** The driver gives a bigint as text. All of ours are milliseconds or counts, far below 2^53. */
function bigintAsNumber(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === pg.types.builtins.INT8) return Number;
  return pg.types.getTypeParser(oid, format as 'text');
}
