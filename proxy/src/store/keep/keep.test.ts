import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from '@deskside/testing/needs';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { openStore } from '#store/store.ts';
import { type PostgresServer, startPostgres } from '#store/testing/postgres-server.ts';
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

test.runIf(process.getuid?.() === 0)(
  'what root restores, or makes first, belongs to whom the folder does: the service can open it',
  async () => {
    const [from, to] = [newFolder(), newFolder()];
    const owner = 4_711;
    for (const folder of [from, to]) chownSync(folder, owner, owner);
    const ownersIn = (folder: string) =>
      Object.fromEntries(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).uid]));
    await (await openStore(`file:${from}`)).close();
    expect(ownersIn(from)).toEqual({ 'cache.db': owner, 'state.db': owner });
    const { path } = await backUp(`file:${from}`, newFolder(), about);
    for (const replace of [false, true]) await restore(`file:${to}`, path, { replace, clock: () => 0 });
    const aside = 'replaced-1970-01-01T00-00-00-000Z';
    expect(ownersIn(to)).toEqual({ 'cache.db': owner, 'state.db': owner, [aside]: owner });
    expect(ownersIn(join(to, aside))).toEqual({ 'cache.db': owner, 'state.db': owner });
  },
);

needs('postgresql')('a store on PostgreSQL', (bin) => {
  let server: PostgresServer;
  const path = process.env.PATH;
  beforeAll(async () => {
    process.env.PATH = `${bin}:${path}`;
    server = await startPostgres('c4n4ry-p4ssw0rd', { installed: bin });
  });
  afterAll(async () => {
    process.env.PATH = path;
    await server.stop();
  });
  let count = 0;
  const place = async () => {
    count += 1;
    await server.createDatabase(`kept${count}`);
    return server.urlOf(`kept${count}`);
  };
  describe('is backed up: a backup', () => describeBackup(place));
  describe('is restored: a restore', () => describeRestore(place));
  describe('is moved from SQLite: a move', () => describeMove(placeOnDisk, place));
  describe('is moved to SQLite: a move', () => describeMove(place, placeOnDisk));

  it('is not restored from a backup of SQLite, nor the other way round', async () => {
    const folder = newFolder();
    await (await openStore(`file:${folder}`)).close();
    const { path: of } = await backUp(`file:${folder}`, join(folder, 'backups'), about);
    await expect(restore(await place(), of, { replace: true, clock: Date.now })).rejects.toThrow(
      /use "deskside migrate"\.$/,
    );
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
