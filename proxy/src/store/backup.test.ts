import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { allDecisions } from '#store/testing/decision-draft.ts';
import { backUp, restore } from './backup.ts';
import { openStore } from './database.ts';
import * as decisions from './decisions.ts';
import * as notes from './notes.ts';
import { draftOf } from './testing/decision-draft.ts';
import { damage, inFile, rowsIn, temporaryFolder, writtenUntilKilled } from './testing/state-file.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const clock = () => noon;
const members = ['a', 'b', 'c'];
const team = { team: 'CS 60p', members, eligible: members };

let root: string;
let folder: string;
let url: string;
let file: string;
beforeEach(() => {
  root = temporaryFolder();
  folder = join(root, 'data');
  url = `file:${folder}`;
  file = join(root, 'backups', 'Mon.db');
  mkdirSync(join(root, 'backups'));
});

async function decideIn(...tickets: string[]): Promise<void> {
  const store = await openStore(url);
  for (const ticket of tickets) await decisions.add(store.db, draftOf(ticket), 0, team);
  await store.close();
}

const state = () => join(folder, 'state.db');

describe('a backup', () => {
  it('holds what had been written, of one moment, while the store goes on being written to', async () => {
    const store = await openStore(url);
    for (let n = 0; n < 40; n += 1) await decisions.add(store.db, draftOf(`T${n}`), 0, team);
    let more = 40;
    let isDone = false;
    const writing = (async () => {
      for (; !isDone; more += 1) {
        await decisions.add(store.db, draftOf(`T${more}`), 0, team);
        // SQLite never waits, so nothing else would get its turn.
        await nextTurn();
      }
    })();
    await backUp(url, file, { clock }).finally(() => (isDone = true));
    await writing;
    const { decisions: kept = [], tickets } = rowsIn(file);
    expect(kept.length).toBeGreaterThanOrEqual(40);
    expect(kept.length).toBeLessThanOrEqual(more);
    expect(tickets).toHaveLength(kept.length);
    expect(await notes.lastBackup(store.db)).toBe(noon);
    await store.close();
  });

  it('is one file that its owner alone can read, and replaces the one of last week', async () => {
    await decideIn('T1');
    await backUp(url, file, { clock });
    await decideIn('T2');
    // What one that was interrupted has left is no hindrance.
    for (const left of ['partial', 'partial-journal']) writeFileSync(`${file}.${left}`, 'half');
    await backUp(url, file, { clock });
    expect(readdirSync(join(root, 'backups'))).toEqual(['Mon.db']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(rowsIn(file).decisions).toHaveLength(2);
  });

  it('of a damaged store is refused and leaves the one of before, which replaces it, and what is no database', async () => {
    await decideIn(...Array.from({ length: 60 }, (_, n) => `T${n}`));
    await backUp(url, file, { clock });
    const [before, rows] = [readFileSync(file), rowsIn(file)];
    damage(state(), 'decisions');
    await expect(backUp(url, file, { clock })).rejects.toThrow(/is damaged\.$/);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(join(root, 'backups'))).toEqual(['Mon.db']);
    for (const spoil of [() => {}, () => writeFileSync(state(), 'damaged'.repeat(1_000))]) {
      spoil();
      await restore(url, file);
      expect(rowsIn(state())).toEqual(rows);
    }
  });

  it('replaces neither the store itself nor a file that is something else', async () => {
    await expect(backUp(url, file, { clock })).rejects.toThrow(/^There is no store in /);
    await decideIn('T1');
    await expect(backUp(url, state(), { clock })).rejects.toThrow(/is the store itself\.$/);
    const settings = join(root, 'deskside.env');
    writeFileSync(settings, 'PORT=1\n');
    await expect(backUp(url, settings, { clock })).rejects.toThrow(/is there and is no backup of this version/);
    expect(readFileSync(settings, 'utf8')).toBe('PORT=1\n');
    await expect(backUp(url, join(settings, 'x.db'), { clock })).rejects.toThrow(/cannot be written \(\w+\)\./);
    const nowhere = join(root, 'nowhere');
    await expect(backUp(url, join(nowhere, 'x.db'), { clock })).rejects.toThrow(`there is no folder ${nowhere}.`);
    expect(existsSync(nowhere)).toBe(false);
    const onPostgres = backUp('postgres://u:s3cret@db.example/deskside', file, { clock });
    await expect(onPostgres).rejects.toThrow(/^The store is on PostgreSQL: back it up with pg_dump\.$/);
  });
});

describe('a restore', () => {
  it('after kill -9 takes the old log away: every row is that of the backup, and turns go on as they were', async () => {
    await decideIn('T1', 'T2');
    await backUp(url, file, { clock });
    await writtenUntilKilled(url, 'since', members, (lines) => lines === 40);
    expect(statSync(`${state()}-wal`).size).toBeGreaterThan(0);
    await restore(url, file);
    expect(readdirSync(folder).filter((name) => name.startsWith('state.db'))).toEqual(['state.db']);
    expect(rowsIn(state())).toEqual(rowsIn(file));
    const store = await openStore(url);
    expect(await decisions.add(store.db, draftOf('T3'), 0, team)).toMatchObject({
      id: '3',
      assignment: { agent: 'c' },
    });
    await store.close();
  });

  it('is refused while a service has the store open, and works afterwards', async () => {
    await decideIn('T1');
    await backUp(url, file, { clock });
    const store = await openStore(url);
    await decisions.add(store.db, draftOf('T2'), 0, team);
    await expect(restore(url, file)).rejects.toThrow(/state\.db is in use: stop the service first\.$/);
    expect(await allDecisions(store.db)).toHaveLength(2);
    await store.close();
    await restore(url, file);
    expect(rowsIn(state())).toEqual(rowsIn(file));
  });

  it('into a new place makes the store there, also where a log without its file is left', async () => {
    await decideIn('T1');
    await backUp(url, file, { clock });
    const before = rowsIn(file);
    for (const left of ['', '-wal']) {
      const other = join(root, `other${left}`);
      mkdirSync(other);
      if (left) writeFileSync(join(other, `state.db${left}`), 'left');
      await restore(`file:${other}`, file);
      expect(rowsIn(join(other, 'state.db'))).toEqual(before);
      expect(statSync(join(other, 'state.db')).mode & 0o777).toBe(0o600);
      await (await openStore(`file:${other}`)).close();
    }
  });

  it('of a wrong file is refused in one sentence, and leaves the store as it was', async () => {
    await decideIn('T1');
    await backUp(url, file, { clock });
    await decideIn('T2');
    const before = readFileSync(state());
    const other = join(root, 'other.db');
    const refused = async (reason: RegExp) => {
      await expect(restore(url, other)).rejects.toThrow(reason);
      expect(readFileSync(state()).equals(before)).toBe(true);
      rmSync(other);
    };
    await expect(restore(url, other)).rejects.toThrow(/^There is no \S+other\.db\.$/);
    await expect(restore(url, root)).rejects.toThrow(`${root} is a folder: give the file`);
    writeFileSync(other, 'PORT=1\n'.repeat(200));
    await refused(/is no store of Deskside's\.$/);
    inFile(other, (foreign) => foreign.exec('create table t (x)'));
    await refused(/is no store of Deskside's\.$/);
    for (const [migration, reason] of [
      ['0001_baseline', /was written by Deskside 0\.1 or 0\.2,/],
      ['9999_later', /was written by a newer version of Deskside/],
    ] as const) {
      await backUp(url, other, { clock });
      inFile(other, (database) =>
        database.prepare("update deskside_migration set name = ? where name = '0001_store'").run(migration),
      );
      await expect(restore(url, other)).rejects.toThrow(reason);
      rmSync(other);
    }
    writeFileSync(other, readFileSync(file).subarray(0, 40_960));
    await expect(restore(url, other)).rejects.toThrow(/is damaged\.$/);
    const onPostgres = restore('postgres://u:s3cret@db.example/deskside', file);
    await expect(onPostgres).rejects.toThrow(/^The store is on PostgreSQL: restore it with pg_restore\.$/);
    expect(rowsIn(state()).decisions).toHaveLength(2);
  });

  it.runIf(process.getuid?.() === 0)('what root makes belongs to whom the folder does', async () => {
    const owner = 4_711;
    for (const made of [folder, join(root, 'backups'), join(root, 'new')]) {
      mkdirSync(made, { recursive: true });
      chownSync(made, owner, owner);
    }
    await decideIn('T1');
    await backUp(url, file, { clock });
    for (const place of [folder, join(root, 'new')]) {
      await restore(`file:${place}`, file);
      expect(statSync(join(place, 'state.db')).uid).toBe(owner);
    }
    expect(statSync(file).uid).toBe(owner);
    expect(existsSync(`${file}.partial`)).toBe(false);
  });
});
