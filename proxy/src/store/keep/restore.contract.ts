import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from '#store/store.ts';
import { draftOf } from '#store/testing/decision-draft.ts';
import { allDecisions } from '#store/testing/decisions.ts';
import { backUp } from './back-up.ts';
import { restore } from './restore.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const hour = 3_600_000;
const team = { team: 'CS 60p', members: ['a', 'b', 'c'], eligible: ['a', 'b', 'c'] };
const replacing = { replace: true, clock: () => noon + hour };

/** Tests of restoring for any engine. `place` gives the address of a store that is empty. */
export function describeRestore(place: () => Promise<string>): void {
  let url: string;
  let into: string;
  let backup: string;
  beforeEach(async () => {
    url = await place();
    into = mkdtempSync(join(tmpdir(), 'deskside-backups-'));
    await decideIn('T1', 'T2');
    backup = (await backUp(url, into, { version: '1.2.3', clock: () => noon })).path;
    await decideIn('T3');
  });
  afterEach(() => rmSync(into, { recursive: true, force: true }));

  async function decideIn(...tickets: string[]): Promise<void> {
    const store = await openStore(url);
    for (const ticket of tickets) await store.decisions.add(draftOf(ticket), 0, team);
    await store.close();
  }

  async function decidedIn(address: string): Promise<string[]> {
    const store = await openStore(address);
    const decided = await store.decisions.decided(['T1', 'T2', 'T3', 'T4']);
    await store.close();
    return [...decided].sort();
  }

  it('puts back what was backed up, ids and turns included, and remembers it', async () => {
    await restore(url, backup, replacing);
    expect(await decidedIn(url)).toEqual(['T1', 'T2']);
    const store = await openStore(url);
    expect((await store.decisions.add(draftOf('T4'), 0, team))?.assignment.agent).toBe('c');
    const kept = await allDecisions(store.decisions);
    expect(kept.map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(await store.upkeep.lastBackup()).toBe(noon);
    expect(await store.upkeep.lastRestore()).toEqual({ at: noon + hour, backedUpAt: noon, turnsKnown: false });
    await store.close();
  });

  it('into a new place needs no --replace, and can be repeated with it', async () => {
    const other = await place();
    expect(await restore(other, backup, { ...replacing, replace: false })).toMatchObject({ replaced: null });
    expect(await decidedIn(other)).toEqual(['T1', 'T2']);
    await restore(other, backup, replacing);
    expect(await decidedIn(other)).toEqual(['T1', 'T2']);
  });

  it('of a place with a store is refused without --replace', async () => {
    const refused = restore(url, backup, { ...replacing, replace: false });
    await expect(refused).rejects.toThrow(/holds a store already; with --replace it is kept aside and replaced\.$/);
    expect(await decidedIn(url)).toEqual(['T1', 'T2', 'T3']);
  });

  it('is refused while somebody has the store open, and works afterwards', async () => {
    const store = await openStore(url);
    await store.profileCache.probe();
    await expect(restore(url, backup, replacing)).rejects.toThrow(/is in use; stop every proxy on it first\.$/);
    expect(await store.decisions.decided(['T3'])).toEqual(new Set(['T3']));
    await store.close();
    await restore(url, backup, replacing);
    expect(await decidedIn(url)).toEqual(['T1', 'T2']);
  });

  it('of a backup that was changed is refused by its checksum', async () => {
    const [file = ''] = readdirSync(backup).filter((name) => name !== 'manifest.json');
    appendFileSync(join(backup, file), 'x');
    await expect(restore(url, backup, replacing)).rejects.toThrow(
      /is not as it was backed up: its checksum differs\.$/,
    );
    rmSync(join(backup, file));
    await expect(restore(url, backup, replacing)).rejects.toThrow(/^The backup \S+ lacks \S+\.$/);
    expect(await decidedIn(url)).toEqual(['T1', 'T2', 'T3']);
  });

  it('of a backup by a newer version, or by nobody, is refused', async () => {
    rewrite((manifest) => ({ ...manifest, migration: '9999_later' }));
    await expect(restore(url, backup, replacing)).rejects.toThrow(
      /was made by a newer version of Deskside \(1\.2\.3\)/,
    );
    writeFileSync(join(backup, 'manifest.json'), '{"format":1}');
    await expect(restore(url, backup, replacing)).rejects.toThrow(
      /manifest\.json cannot be read by this version; restore it with the one that made it\.$/,
    );
    await expect(restore(url, into, replacing)).rejects.toThrow(/is no backup: it has no readable manifest\.json\.$/);
    expect(await decidedIn(url)).toEqual(['T1', 'T2', 'T3']);
  });

  it('of a backup whose rows are not those it names leaves the store as it was', async () => {
    rewrite((manifest) => ({ ...manifest, rows: { ...manifest.rows, routing_decision: 7 } }));
    await expect(restore(url, backup, replacing)).rejects.toThrow(/routing_decision has 2 rows instead of 7\.$/);
    expect(await decidedIn(url)).toEqual(['T1', 'T2', 'T3']);
  });

  function rewrite(change: (manifest: { migration: string; rows: object }) => object): void {
    const path = join(backup, 'manifest.json');
    writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')))));
  }
}
