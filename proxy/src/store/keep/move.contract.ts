import { expect, it } from 'vitest';
import { openStore } from '#store/store.ts';
import { draftOf } from '#store/testing/decision-draft.ts';
import { allDecisions } from '#store/testing/decisions.ts';
import { moveStore } from './move-store.ts';

const team = { team: 'CS 60p', members: ['a', 'b', 'c'], eligible: ['a', 'b', 'c'] };
const ignore = () => {};

/** Tests of moving a store between two kinds of place, each of them empty. */
export function describeMove(placeFrom: () => Promise<string>, placeTo: () => Promise<string>): void {
  async function filled(count: number): Promise<string> {
    const url = await placeFrom();
    const store = await openStore(url);
    for (let n = 0; n < count; n += 1) await store.decisions.add(draftOf(`T${n}`), 0, team);
    await store.profileCache.probe();
    await store.upkeep.noteBackup(5);
    await store.close();
    return url;
  }

  it('moves every row of every table, says how far it has come, and numbering goes on', async () => {
    const from = await filled(450);
    const to = await placeTo();
    const said: number[] = [];
    const counts = await moveStore(from, to, (moved, total) => void said.push(moved / total));
    expect(counts).toMatchObject({
      routing_decision: 450,
      ticket_memory: 450,
      team_cursor: 1,
      cache_probe: 1,
      lease: 0,
    });
    expect(said.length).toBeGreaterThan(4);
    expect(said).toEqual(said.toSorted((a, b) => a - b));
    expect(said.at(-1)).toBe(1);
    const [old, moved] = [await openStore(from), await openStore(to)];
    const [before, after] = [old, moved].map(({ decisions }) => allDecisions(decisions));
    expect(await after).toEqual(await before);
    expect(await moved.upkeep.lastBackup()).toBe(5);
    expect(await moved.decisions.add(draftOf('new'), 0, team)).toMatchObject({ id: '451', assignment: { agent: 'a' } });
    await Promise.all([old.close(), moved.close()]);
  });

  it('is refused into a place that has rows, and while the source is in use', async () => {
    const from = await filled(1);
    const to = await placeTo();
    const store = await openStore(to);
    await store.upkeep.noteBackup(1);
    await store.close();
    await expect(moveStore(from, to, ignore)).rejects.toThrow(/^The target is not empty: upkeep has rows\./);
    const busy = await openStore(from);
    await busy.profileCache.probe();
    await expect(moveStore(from, await placeTo(), ignore)).rejects.toThrow(
      /is in use; stop every proxy on it first\.$/,
    );
    await busy.close();
  });

  it('that fails leaves the target empty, and can be repeated', async () => {
    const from = await filled(450);
    const to = await placeTo();
    const failing = moveStore(from, to, (moved) => {
      if (moved > 300) throw new Error('The disk is full');
    });
    await expect(failing).rejects.toThrow('The disk is full');
    expect(await moveStore(from, to, ignore)).toMatchObject({ routing_decision: 450 });
  });
}
