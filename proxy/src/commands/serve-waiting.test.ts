import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { childEnvironment } from '@deskside/testing/child-environment';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clinic } from '#setup/testing/doctor-kit.ts';
import { openPostgres } from '#store/postgres.ts';
import { type PostgresServer, startPostgres } from '#store/testing/postgres-server.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres('canary-77aa');
  await server.createDatabase('deskside');
});
afterAll(() => server.stop());

test('a replica that starts while another migrates says so in its log, waits, and then serves', async () => {
  const { environment, data } = await clinic();
  const url = server.urlOf('deskside');
  const migrated = Promise.withResolvers<void>();
  const migrating = Promise.withResolvers<void>();
  const other = await openPostgres(url);
  const migration = other.withLock(async () => {
    migrating.resolve();
    await migrated.promise;
  });
  await migrating.promise;
  const env = childEnvironment({ ...environment, DATABASE_URL: url, PORT: '0', LOG_LEVEL: 'info' });
  const replica = spawn(process.execPath, [proxyCli, 'serve'], { cwd: data, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(replica, 'close');
  try {
    let output = '';
    for (const stream of [replica.stdout, replica.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
    const says = (wanted: RegExp) => expect.poll(() => output).toMatch(wanted);
    await says(/Waiting for another process that brings the tables up to date/);
    expect(output).toContain(`PostgreSQL database deskside at 127.0.0.1:${server.port}`);
    expect(output).not.toContain('canary-77aa');
    expect(output).not.toMatch(/^http:/m);
    migrated.resolve();
    await migration;
    await says(/^http:/m);
    const [address] = /^http:\/\/\S+$/m.exec(output) ?? [];
    expect((await fetch(`${address}/livez`)).status).toBe(200);
  } finally {
    replica.kill('SIGTERM');
    await ended;
    migrated.resolve();
    await other.abandon();
  }
});
