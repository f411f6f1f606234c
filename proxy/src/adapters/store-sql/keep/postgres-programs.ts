import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { StoreError } from '#adapters/store-sql/engine/store-error.ts';

/** Parameters of an address that PostgreSQL's own programs know, by the variable that carries them. */
const parameters: Readonly<Record<string, string>> = {
  host: 'PGHOST',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
};

/** How PostgreSQL's own programs reach the database, as their environment: arguments can be read by everybody. */
function postgresEnvironment(databaseUrl: string): Record<string, string> {
  const url = new URL(databaseUrl);
  const environment: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    LC_ALL: 'C',
    PGAPPNAME: 'deskside-keep',
    PGCONNECT_TIMEOUT: '10',
    PGHOST: url.hostname.replace(/^\[|\]$/g, ''),
    PGPORT: url.port,
    PGUSER: decodeURIComponent(url.username),
    PGPASSWORD: decodeURIComponent(url.password),
    PGDATABASE: decodeURIComponent(url.pathname.slice(1)),
  };
  for (const [name, value] of url.searchParams) {
    const variable = parameters[name];
    // "no-verify" is the driver's own word for it.
    if (variable !== undefined) environment[variable] = value === 'no-verify' ? 'require' : value;
  }
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
}

/**
 * Runs pg_dump or pg_restore.
 *
 * @throws StoreError if it is not installed, too old for the server, or fails
 */
export async function runPostgresProgram(
  program: 'pg_dump' | 'pg_restore',
  args: readonly string[],
  databaseUrl: string,
): Promise<void> {
  const child = spawn(program, args, { env: postgresEnvironment(databaseUrl), stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  const [said, code] = await Promise.all([text(child.stderr), ended]).catch((error: NodeJS.ErrnoException) => {
    throw new StoreError(
      error.code === 'ENOENT'
        ? `${program} is not installed: install PostgreSQL's client programs (Debian: postgresql-client), of the server's version or newer.`
        : `${program} cannot be started (${error.code}).`,
    );
  });
  if (code === 0) return;
  if (said.includes('version mismatch'))
    throw new StoreError(
      `${program} is older than the server: install PostgreSQL's client programs of the server's version or newer.`,
    );
  const [line = `it ended with ${code}`] = said.split('\n').filter((one) => /error/i.test(one));
  throw new StoreError(`${program} failed: ${line.slice(0, 300)}`);
}
