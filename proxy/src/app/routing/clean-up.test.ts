import { expect, test } from 'vitest';
import { createCleanUp } from './clean-up.ts';

test('events and decisions made before an insert are kept for thirty days', async () => {
  const deleted: [string, number][] = [];
  const note = (what: string) => async (moment: number) => deleted.push([what, moment]);
  const cleanUp = createCleanUp({
    inbox: { deleteEventsBefore: note('events') },
    decisions: { deletePreliminaryBefore: note('preliminary') },
    clock: () => Date.UTC(2026, 4, 31),
  });
  await cleanUp();
  expect(deleted).toEqual([
    ['events', Date.UTC(2026, 4, 1)],
    ['preliminary', Date.UTC(2026, 4, 1)],
  ]);
});
