import { PostgresDialect } from 'kysely';
import pg from 'pg';
import { driverCode, type Engine, StoreError, StoreUnavailable } from './engine.ts';

/** Longest wait for a connection to be made, and for the answer to a statement. */
const answerWithinMs = 10_000;
/** Longest wait for one of the connections: on a busy machine it is soon free, and until then everybody had better wait. */
const freeWithinMs = 20_000;
const ignore = () => {};

/**
 * Connects to PostgreSQL 13 or newer.
 *
 * @param url `postgres://user:password@host:port/database`, in the driver's syntax
 * @throws StoreError if the server cannot be reached, or refuses
 */
export async function openPostgres(url: string): Promise<Engine> {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'deskside',
    max: 10,
    Client: PostgresConnection,
    // Of a connection that is in use; one that is being made has its own limit.
    connectionTimeoutMillis: freeWithinMs,
    // Not sent to the server: the driver stops waiting. A server-side limit would be session state.
    query_timeout: answerWithinMs,
    types: { getTypeParser: bigintAsNumber },
  });
  // The pool replaces connections that break while idle; without a listener the error would end the process.
  pool.on('error', ignore);
  // While one is at work its pool does not listen; the statement fails by itself, and the error would end the process, too.
  pool.on('connect', (client) => client.on('error', ignore));

  const end = async () => {
    if (!pool.ending) await pool.end();
  };
  try {
    (await pool.connect()).release();
  } catch (error) {
    await end();
    throw new StoreError(`${placeOf(url)} cannot be used (${driverCode(error)}).`);
  }
  return {
    name: 'postgres',
    dialect: new PostgresDialect({
      pool: { connect: () => pool.connect().catch(throwUnavailable), end, options: pool.options },
    }),
    // Kysely has a lock of its own on PostgreSQL.
    withLock: (work) => work(),
    abandon: end,
  };
}

/** The pool's own limit would be the same for a server that does not answer and for connections that are all in use. */
class PostgresConnection extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: answerWithinMs });
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    this.query = ((...args: unknown[]) => {
      const answer = query(...args);
      return answer instanceof Promise ? answer.catch(throwIfAway) : answer;
    }) as pg.Client['query'];
  }
}

/** Classes of the server's own errors: connection, resources, operator's intervention, system; and a standby's refusal. */
const away = /^(08|53|57|58|25006)/;

/** What the driver itself says, as opposed to the server, is about the connection, and has no code of its own. */
function throwIfAway(error: unknown): never {
  if (error instanceof pg.DatabaseError ? away.test(error.code ?? '') : !(error instanceof TypeError))
    throwUnavailable(error);
  throw error;
}

function throwUnavailable(error: unknown): never {
  throw new StoreUnavailable(driverCode(error));
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
