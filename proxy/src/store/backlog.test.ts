import { expect, test } from 'vitest';
import { describeHeard, heardOf } from './backlog.ts';
import { insertedTicket } from './testing/inserted.ts';
import { memoryStore } from './testing/memory-store.ts';
import * as tickets from './tickets.ts';

test('how many tickets in a row no webhook has announced, until one does', async () => {
  const { db } = memoryStore();
  let now = Date.UTC(2026, 10, 20, 12);
  const hear = async (name: string, by: 'sweep' | 'webhook') => {
    now += 1_000;
    const told = insertedTicket();
    if (by === 'webhook') await tickets.accept(db, name, told, now);
    else await tickets.enqueue(db, [{ name, creation: told.creation }], { dueAt: now, now });
  };
  const said = async () => describeHeard(await heardOf(db));
  expect(await said()).toEqual({ text: 'No ticket has come yet.', isFault: false });
  for (const name of ['1', '2', '3']) await hear(name, 'sweep');
  const missed = 'Last webhook: never. 3 of the last 3 tickets were found by the sweep.';
  expect(await said()).toEqual({ text: missed, isFault: true });
  await hear('4', 'webhook');
  expect(await said()).toEqual({ text: 'Last webhook: 2026-11-20 12:00.', isFault: false });
  await hear('5', 'sweep');
  const one = 'Last webhook: 2026-11-20 12:00. 1 of the last 5 tickets were found by the sweep.';
  expect(await said()).toEqual({ text: one, isFault: false });
});
