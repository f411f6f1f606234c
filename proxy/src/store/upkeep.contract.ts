import { expect, it } from 'vitest';
import type { Store } from './store.ts';

const at = 1_798_000_000_000;

/** Tests of what a store remembers of the work on it. Call it once on a new store; `which`: two connections to it. */
export function describeUpkeep(upkeepOf: (which: 0 | 1) => Store['upkeep']): void {
  it('what was done last is known to every process, and nothing before it was', async () => {
    const [upkeep, other] = [upkeepOf(0), upkeepOf(1)];
    for (const last of [upkeep.lastBackup, upkeep.lastSignUp]) expect(await last()).toBeNull();
    expect(await upkeep.made()).toEqual({ fields: [], levels: [], rows: [] });

    for (const moment of [at, at + 1]) await upkeep.noteBackup(moment);
    expect(await other.lastBackup()).toBe(at + 1);
    await upkeep.noteSignUp({ isOpen: true, at });
    expect(await other.lastSignUp()).toEqual({ isOpen: true, at });
    const made = { fields: ['HD Ticket-x'], levels: [], rows: [{ doctype: 'HD Ticket', role: 'Agent' }] };
    await upkeep.noteMade(made);
    expect(await other.made()).toEqual(made);
  });
}
