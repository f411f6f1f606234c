import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from '#store/store.ts';
import { draftOf } from '#store/testing/decision-draft.ts';
import { backUp } from './back-up.ts';
import { keepNewest } from './keep-newest.ts';

const noon = Date.UTC(2026, 10, 20, 12);
export const about = { version: '1.2.3', clock: () => noon };
const team = { team: 'CS 60p', members: ['a', 'b'], eligible: ['a', 'b'] };

/** Tests of backing up for any engine. `place` gives the address of a store that is empty. */
export function describeBackup(place: () => Promise<string>): void {
  let url: string;
  let into: string;
  beforeEach(async () => {
    url = await place();
    into = mkdtempSync(join(tmpdir(), 'deskside-backups-'));
  });
  afterEach(() => rmSync(into, { recursive: true, force: true }));

  it('holds what had been written, of one moment, while the store goes on being written to', async () => {
    const store = await openStore(url);
    for (let n = 0; n < 40; n += 1) await store.decisions.add(draftOf(`T${n}`), 0, team);
    let more = 40;
    let isDone = false;
    const writing = (async () => {
      for (; !isDone; more += 1) {
        await store.decisions.add(draftOf(`T${more}`), 0, team);
        // SQLite never waits, so nothing else would get its turn.
        await nextTurn();
      }
    })();
    const { path, manifest } = await backUp(url, into, about).finally(() => (isDone = true));
    await writing;
    expect(manifest.rows.routing_decision).toBeGreaterThanOrEqual(40);
    expect(manifest.rows.routing_decision).toBeLessThanOrEqual(more);
    expect(manifest.rows.ticket_memory).toBe(manifest.rows.routing_decision);
    expect(manifest).toMatchObject({ version: '1.2.3', made_at: '2026-11-20T12:00:00.000Z' });
    expect(JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'))).toEqual(manifest);
    expect(await store.upkeep.lastBackup()).toBe(noon);
    await store.close();
  });

  it('can be read by its owner alone, and nothing is left beside it', async () => {
    await (await openStore(url)).close();
    const { path } = await backUp(url, into, about);
    expect(readdirSync(into)).toEqual(['deskside-2026-11-20T12-00-00-000Z']);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    for (const file of readdirSync(path))
      expect([file, statSync(join(path, file)).mode & 0o777]).toEqual([file, 0o600]);
  });

  it('of a place without a store is refused, and leaves nothing', async () => {
    await expect(backUp(url, into, about)).rejects.toThrow(/^There is no store in /);
    expect(readdirSync(into)).toEqual([]);
  });

  it('makes room for itself: all but the newest are deleted, and nothing else', async () => {
    await (await openStore(url)).close();
    const made: string[] = [];
    for (const hour of [3, 1, 2])
      made.push((await backUp(url, into, { ...about, clock: () => noon + hour * 3_600_000 })).path);
    const foreign = ['deskside-2026-01-01T00-00-00-000Z', 'deskside-2026-01-01T00-00-00-000Z.partial', 'letters'];
    for (const name of foreign) mkdirSync(join(into, name));
    expect(await keepNewest(into, 2)).toEqual([made[1]]);
    expect(
      readdirSync(into)
        .map((name) => join(into, name))
        .sort(),
    ).toEqual([made[0], made[2], ...foreign.map((name) => join(into, name))].sort());
    expect(await keepNewest(into, 2)).toEqual([]);
  });

  it('where it cannot be written is refused in one sentence', async () => {
    await (await openStore(url)).close();
    const file = join(into, 'file');
    writeFileSync(file, '');
    await expect(backUp(url, file, about)).rejects.toThrow(/^The backup \S+ cannot be written \(\w+\)\.$/);
  });

  it.runIf(process.platform === 'linux')('where there can be no folder it ends', async () => {
    await (await openStore(url)).close();
    await expect(backUp(url, '/proc/deskside', about)).rejects.toThrow(/cannot be written \(ENOENT\)\.$/);
  });
}
