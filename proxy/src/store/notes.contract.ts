import { expect, it } from 'vitest';
import * as notes from './notes.ts';
import type { StateDb } from './schema.ts';

const at = 1_798_000_000_000;

/** Tests of what a store remembers of the work on it. Call it once on a new store; `which`: two connections to it. */
export function describeUpkeep(dbOf: (which: 0 | 1) => StateDb): void {
  it('what was done last is known to every process, and nothing before it was', async () => {
    const [db, other] = [dbOf(0), dbOf(1)];
    expect(await notes.lastBackup(db)).toBeNull();

    for (const moment of [at, at + 1]) await notes.noteBackup(db, moment);
    expect(await notes.lastBackup(other)).toBe(at + 1);
  });
}
