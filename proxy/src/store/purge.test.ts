import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from './database.ts';
import * as decisions from './decisions.ts';
import { describePurge } from './purge.contract.ts';
import { namesSubject, purge } from './purge.ts';
import { draftOf } from './testing/decision-draft.ts';
import { type PostgresServer, startPostgres } from './testing/postgres-server.ts';

let store: Store | undefined;
afterEach(() => store?.close());

describe('on SQLite', () => {
  let folder: string;
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const make = async () => {
    folder = mkdtempSync(join(tmpdir(), 'deskside-purge-'));
    store = await openStore(`file:${folder}`);
    const tablesOf = (database: Sqlite.Database) =>
      database.prepare<[], string>("select name from sqlite_master where type = 'table'").pluck().all();
    const dump = async () => {
      const content = ['state.db', 'cache.db'].flatMap((file) => {
        const database = new Sqlite(join(folder, file), { readonly: true });
        try {
          return tablesOf(database).map((table) => [table, database.prepare(`select * from "${table}"`).all()]);
        } finally {
          database.close();
        }
      });
      return JSON.stringify(content);
    };
    return { store, dump };
  };
  describePurge(make);

  it('nothing of what was deleted can be found in the bytes of the files', async () => {
    const { store } = await make();
    const bytes = () => readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'));
    const marker = 'minh.tran@shop.example';
    for (let i = 0; i < 50; i += 1) {
      const draft = draftOf(`t${i}`);
      const finding = { ...draft.inputs.findings[0], quote: `${marker} ${'x'.repeat(150)}` };
      const findings = Array.from({ length: i }, () => finding) as typeof draft.inputs.findings;
      await decisions.add(store.db, { ...draft, inputs: { ...draft.inputs, findings } }, 0, null);
    }
    expect(bytes().some((text) => text.includes(marker))).toBe(true);
    const names = namesSubject({ kind: 'email', value: marker }, []);
    await purge(store, { tickets: [], names, now: Date.now(), isDry: false });
    expect(bytes().filter((text) => text.includes(marker))).toEqual([]);
  });
});

describe('on PostgreSQL', () => {
  let server: PostgresServer;
  let databases = 0;
  beforeAll(async () => {
    server = await startPostgres('purge');
  });
  afterAll(() => server.stop(), 30_000);

  describePurge(async () => {
    databases += 1;
    await server.createDatabase(`purge_${databases}`);
    const url = server.urlOf(`purge_${databases}`);
    store = await openStore(url);
    const dump = async () => {
      const client = new Client({ connectionString: url });
      await client.connect();
      try {
        const tables = "select table_name from information_schema.tables where table_schema = 'public' order by 1";
        const names = (await client.query<{ table_name: string }>(tables)).rows.map((row) => row.table_name);
        const content: unknown[] = [];
        for (const name of names) content.push([name, (await client.query(`select * from "${name}"`)).rows]);
        return JSON.stringify(content);
      } finally {
        await client.end();
      }
    };
    return { store, dump };
  });
});
