import { expect, it } from 'vitest';
import * as notes from './notes.ts';
import type { StateDb } from './schema.ts';

/** Tests of what a store remembers of the work on it. Call it once on a new store; `which`: two connections to it. */
export function describeNotes(dbOf: (which: 0 | 1) => StateDb): void {
  it('the last backup is known to every process, and none before it was', async () => {
    expect(await notes.lastBackup(dbOf(0))).toBeNull();
    for (const moment of [5, 6]) await notes.noteBackup(dbOf(0), moment);
    expect(await notes.lastBackup(dbOf(1))).toBe(6);
  });

  it('the mark of the sweep is absent at first; later its end moves, its beginning stays', async () => {
    const [db, first, later] = [dbOf(0), '2026-11-20 12:00:00.000001', '2026-11-20 13:00:00'];
    expect(await notes.swept(db)).toBeNull();
    await notes.noteInstalled(db, first, 1);
    await notes.noteSwept(db, later, 2);
    expect(await notes.swept(db)).toEqual({ from: first, until: later });
    await notes.noteInstalled(db, later, 3);
    expect((await notes.swept(db))?.from).toBe(first);
  });
}
