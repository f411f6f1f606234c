import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { openStore } from '#adapters/store-sql/store.ts';
import { type PostgresServer, startPostgres } from '#adapters/store-sql/testing/postgres-server.ts';
import { describeOldStore, oldStoreDump } from './old-store.contract.ts';

describe('a store of an earlier Deskside on SQLite', () => {
  let folder: string;
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  describeOldStore(async () => {
    folder = mkdtempSync(join(tmpdir(), 'deskside-old-'));
    const run = <T>(file: 'state' | 'cache', work: (database: Sqlite.Database) => T): T => {
      const database = new Sqlite(join(folder, `${file}.db`));
      try {
        return work(database);
      } finally {
        database.close();
      }
    };
    for (const file of ['state', 'cache'] as const)
      run(file, (database) => database.exec(`begin;${oldStoreDump(`sqlite-${file}`)}commit`));
    return {
      query: async (sql) =>
        run('state', (database) => {
          const statement = database.prepare<[], Record<string, unknown>>(sql);
          if (statement.reader) return statement.all();
          statement.run();
          return [];
        }),
      open: (now) => openStore(`file:${folder}`, () => now),
    };
  });
});

describe('a store of an earlier Deskside on PostgreSQL', () => {
  let server: PostgresServer;
  let databases = 0;
  beforeAll(async () => {
    server = await startPostgres('old');
  });
  afterAll(() => server.stop(), 30_000);

  describeOldStore(async () => {
    databases += 1;
    const name = `old_${databases}`;
    await server.createDatabase(name);
    const url = server.urlOf(name);
    const query = async (sql: string) => {
      const client = new Client({ connectionString: url });
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(sql)).rows;
      } finally {
        await client.end();
      }
    };
    await query(oldStoreDump('postgres'));
    return { query, open: (now) => openStore(url, () => now) };
  });
});
