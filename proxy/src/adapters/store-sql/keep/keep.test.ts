import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from '@deskside/testing/needs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '#adapters/store-sql/store.ts';
import { type PostgresServer, startPostgres } from '#adapters/store-sql/testing/postgres-server.ts';
import { backUp } from './back-up.ts';
import { about, describeBackup } from './backup.contract.ts';
import { describeMove } from './move.contract.ts';
import { describeRestore } from './restore.contract.ts';
import { restore } from './restore.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'deskside-kept-'));
  folders.push(folder);
  return folder;
};
const placeOnDisk = async () => `file:${newFolder()}`;

describe('a store on SQLite', () => {
  const place = placeOnDisk;
  describe('is backed up: a backup', () => describeBackup(place));
  describe('is restored: a restore', () => describeRestore(place));

  it('that is damaged is replaced as well, and kept', async () => {
    const [from, to] = [await place(), (await place()).slice('file:'.length)];
    await (await openStore(from)).close();
    const { path } = await backUp(from, newFolder(), about);
    writeFileSync(join(to, 'state.db'), 'damaged');
    const { replaced } = await restore(`file:${to}`, path, { replace: true, clock: Date.now });
    expect(readFileSync(join(replaced ?? '', 'state.db'), 'utf8')).toBe('damaged');
    await (await openStore(`file:${to}`)).close();
    expect(readdirSync(to).filter((name) => name.startsWith('restoring-'))).toEqual([]);
  });
});

const password = 'c4n4ry-p4ssw0rd';

needs('postgresql')('a store on PostgreSQL', (bin) => {
  let server: PostgresServer;
  const path = process.env.PATH;
  beforeAll(async () => {
    process.env.PATH = `${bin}:${path}`;
    server = await startPostgres(password, { installed: bin });
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
  describe('is backed up: a backup', () => describeBackup(place));
  describe('is restored: a restore', () => describeRestore(place));
  describe('is moved from SQLite: a move', () => describeMove(placeOnDisk, place));
  describe('is moved to SQLite: a move', () => describeMove(place, placeOnDisk));

  it('is not restored from a backup of SQLite, nor the other way round', async () => {
    const folder = newFolder();
    await (await openStore(`file:${folder}`)).close();
    const { path: of } = await backUp(`file:${folder}`, join(folder, 'backups'), about);
    await expect(restore(await place(), of, { replace: true, clock: Date.now })).rejects.toThrow(/use "migrate"\.$/);
  });

  it('without pg_dump is refused with what to install', async () => {
    const url = await place();
    await (await openStore(url)).close();
    process.env.PATH = '/nowhere';
    const backup = backUp(url, newFolder(), about);
    await expect(backup).rejects.toThrow(/^pg_dump is not installed: install PostgreSQL's client programs/);
    process.env.PATH = `${bin}:${path}`;
  });
});
