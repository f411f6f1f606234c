import { expect, it } from 'vitest';
import type { Store } from '#store/store.ts';

const at = 1_798_000_000_000;
const after = { creation: '2026-11-20 12:00:00.000001', name: "O'Neil 🛒" };
const counts = { updated: 1, unchanged: 2, notFound: 3, withoutOrgId: 4, fresh: 5, failed: { "it's away": 6 } };

/** Tests of what a store remembers of the work on it. Call it once on a new store; `which`: two connections to it. */
export function describeUpkeep(upkeepOf: (which: 0 | 1) => Store['upkeep']): void {
  it('what was done last is known to every process, and nothing before it was', async () => {
    const [upkeep, other] = [upkeepOf(0), upkeepOf(1)];
    for (const last of [upkeep.lastBackup, upkeep.lastRestore, upkeep.lastSignUp]) expect(await last()).toBeNull();
    for (const last of [upkeep.lastBackfill, upkeep.lastMatching]) expect(await last()).toBeNull();
    expect(await upkeep.made()).toEqual({ fields: [], levels: [], rows: [] });

    for (const moment of [at, at + 1]) await upkeep.noteBackup(moment);
    expect(await other.lastBackup()).toBe(at + 1);
    for (const turnsKnown of [false, true]) {
      await upkeep.noteRestore({ at, backedUpAt: at - 1, turnsKnown });
      expect(await other.lastRestore()).toEqual({ at, backedUpAt: at - 1, turnsKnown });
    }
    await upkeep.noteSignUp({ isOpen: true, at });
    expect(await other.lastSignUp()).toEqual({ isOpen: true, at });
    for (const come of [after, null]) {
      const backfill = { begunAt: at, staleAfterMs: null, after: come, counts };
      await upkeep.noteBackfill(backfill);
      expect(await other.lastBackfill()).toEqual(backfill);
      const matching = { begunAt: at, after: come, done: 1, total: 2, failed: 3 };
      await upkeep.noteMatching(matching);
      expect(await other.lastMatching()).toEqual(matching);
    }
    const made = { fields: ['HD Ticket-x'], levels: [], rows: [{ doctype: 'HD Ticket', role: 'Agent' }] };
    await upkeep.noteMade(made);
    expect(await other.made()).toEqual(made);
  });
}
