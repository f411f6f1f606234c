import { type PostgresServer, startPostgres } from '@deskside/proxy/testing/postgres-server';
import { onTestFinished } from 'vitest';

/** The PostgreSQL that is installed in `bin`, for one test, with its programs in the path: they go with its version. */
export async function installedPostgres(bin: string, password: string): Promise<PostgresServer> {
  const { PATH } = process.env;
  process.env.PATH = `${bin}:${PATH}`;
  const server = await startPostgres(password, { installed: bin });
  onTestFinished(async () => {
    process.env.PATH = PATH;
    await server.stop();
  });
  return server;
}
