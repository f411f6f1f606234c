import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from '@deskside/testing/needs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '#adapters/store-sql/store.ts';
import { type PostgresServer, startPostgres } from '#adapters/store-sql/testing/postgres-server.ts';
import { backUp } from './back-up.ts';
import { about, describeBackup } from './backup.contract.ts';

describe('a backup of a store on SQLite', () => {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  describeBackup(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'deskside-kept-'));
    folders.push(folder);
    return `file:${folder}`;
  });
});

const password = 'c4n4ry-p4ssw0rd';

needs('postgresql')('a backup of a store on PostgreSQL', (bin) => {
  let server: PostgresServer;
  const path = process.env.PATH;
  beforeAll(async () => {
    process.env.PATH = `${bin}:${path}`;
    server = await startPostgres(password, bin);
  });
  afterAll(async () => {
    process.env.PATH = path;
    await server.stop();
  });
  let count = 0;
  const place = async () => {
    count += 1;
    await server.createDatabase(`kept${count}`);
    return `postgres://postgres:${password}@127.0.0.1:${server.port}/kept${count}`;
  };
  describeBackup(place);

  it('without pg_dump is refused with what to install', async () => {
    const url = await place();
    await (await openStore(url)).close();
    process.env.PATH = '/nowhere';
    const backup = backUp(url, mkdtempSync(join(tmpdir(), 'deskside-kept-')), about);
    await expect(backup).rejects.toThrow(/^pg_dump is not installed: install PostgreSQL's client programs/);
    process.env.PATH = `${bin}:${path}`;
  });
});
