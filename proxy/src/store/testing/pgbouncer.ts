import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '@deskside/testing/free-port';

/** It refuses to run as root, as PostgreSQL does. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/**
 * Starts a PgBouncer in transaction mode before a server, with fewer connections to it than clients have to it: a session
 * of theirs goes from one to another between transactions.
 *
 * @param at the port; any by default
 */
export async function startPgBouncer(
  program: string,
  { port: to, password, at }: { port: number; password: string; at?: number },
): Promise<{ port: number; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'deskside-pgbouncer-'));
  const port = at ?? (await freePort());
  const users = join(folder, 'users.txt');
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(users, `"postgres" "${password}"\n`, { mode: 0o600 });
  writeFileSync(
    settings,
    [
      '[databases]',
      `* = host=127.0.0.1 port=${to}`,
      '[pgbouncer]',
      ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', `auth_file = ${users}`],
      ...['auth_type = scram-sha-256', 'pool_mode = transaction', 'default_pool_size = 3', 'max_client_conn = 200'],
    ].join('\n'),
  );
  if (nobody.uid) for (const path of [folder, users, settings]) chownSync(path, nobody.uid, nobody.gid);
  const bouncer = spawn(program, [settings], { ...nobody, cwd: folder, stdio: 'ignore' });
  const ended = once(bouncer, 'close');
  while (!(await answers(port))) {
    if (bouncer.exitCode !== null) throw new Error(`PgBouncer ended with ${bouncer.exitCode}`);
    await wait(20);
  }
  return {
    port,
    async stop() {
      bouncer.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket
      .once('error', () => resolve(false))
      .once('connect', () => {
        socket.destroy();
        resolve(true);
      });
  });
}
