import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { StoreError } from '#store/engine/store-error.ts';

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
 * Runs pg_dump.
 *
 * @throws StoreError if it is not installed, too old for the server, or fails
 */
export async function runPgDump(args: readonly string[], databaseUrl: string): Promise<void> {
  const child = spawn('pg_dump', args, { env: postgresEnvironment(databaseUrl), stdio: ['ignore', 'ignore', 'pipe'] });
  await succeeded('pg_dump', child, child.stderr);
}

/**
 * Runs a transaction in psql: `before`, what pg_restore makes of a backup, and, once the rows of `ask` are judged, `after`. Whatever fails or is killed in between, this process included, leaves the database as it was.
 *
 * @param parts.dump the file of the backup
 * @param parts.ask a query that names everything with its schema; psql separates columns by a tab
 * @param parts.judge throws if it is not to be committed
 * @throws StoreError as above, or what `judge` throws
 */
export async function restoreInPsql(
  databaseUrl: string,
  parts: { before: string; dump: string; ask: string; judge: (rows: string[][]) => void; after: string },
): Promise<void> {
  const env = postgresEnvironment(databaseUrl);
  const psql = spawn('psql', ['--no-psqlrc', '--quiet', '--no-align', '--tuples-only', '--field-separator=\t'], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = succeeded('psql', psql, psql.stderr);
  // Why it takes no more is in `ended`.
  psql.stdin.on('error', () => {});
  const answered = untilSaid(psql.stdout, ended);
  try {
    psql.stdin.write(`\\set ON_ERROR_STOP on\n\\o /dev/null\nbegin;\n${parts.before}\n`);
    const restoring = spawn('pg_restore', ['--no-owner', '--no-privileges', '--file=-', parts.dump], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    restoring.stdout.pipe(psql.stdin, { end: false });
    await Promise.race([succeeded('pg_restore', restoring, restoring.stderr), ended]);
    psql.stdin.write(`\n\\o\n${parts.ask};\n\\echo ${marker}\n`);
    parts.judge((await answered).map((line) => line.split('\t')));
  } catch (error) {
    psql.stdin.end();
    await ended.catch(() => {});
    throw error;
  }
  psql.stdin.end(`${parts.after}\ncommit;\n`);
  await ended;
}

/** What psql is told to say after its answer. */
const marker = 'deskside: that is all';

/** The lines before the marker. Rejects as `ended` does if it never comes. */
function untilSaid(output: Readable, ended: Promise<void>): Promise<string[]> {
  const said = new Promise<string[]>((resolve) => {
    let all = '';
    output.on('data', (chunk: Buffer) => {
      all += chunk.toString();
      if (all.includes(marker)) resolve(all.slice(0, all.indexOf(marker)).split('\n').filter(Boolean));
    });
  });
  const never = ended.then(() => {
    throw new StoreError('psql ended before it had answered.');
  });
  never.catch(() => {});
  return Promise.race([said, never]);
}

async function succeeded(program: string, child: ChildProcess, errors: Readable): Promise<void> {
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  const [said, code] = await Promise.all([text(errors), ended]).catch((error: NodeJS.ErrnoException) => {
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
