import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from './database.ts';
import * as tickets from './tickets.ts';

test('how many tickets in a row no webhook has announced, until one does', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'deskside-heard-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const store = await openStore(`file:${folder}`);
  onTestFinished(() => store.close());
  let now = Date.UTC(2026, 10, 20, 12);
  const creation = '2026-11-20 12:00:00';
  const said = async () => tickets.describeHeard(await tickets.heardOf(store.db));
  const bySweep = async (name: string) => {
    now += 1_000;
    await tickets.enqueue(store.db, [{ name, creation }], { dueAt: now, now });
  };
  const byWebhook = async (name: string) => {
    now += 1_000;
    const people = { owner: 'a@b.example', raisedBy: 'a@b.example', contact: null, agentGroup: null, splitFrom: null };
    await tickets.accept(store.db, name, { creation, orgIdFields: [], ...people }, now);
  };
  expect(await said()).toEqual({ text: 'No ticket has come yet.', isFault: false });
  for (const name of ['1', '2', '3']) await bySweep(name);
  expect(await said()).toEqual({
    text: 'Last webhook: never. 3 of the last 3 tickets were found by the sweep.',
    isFault: true,
  });
  await byWebhook('4');
  expect(await said()).toEqual({ text: 'Last webhook: 2026-11-20 12:00.', isFault: false });
  await bySweep('5');
  expect(await said()).toEqual({
    text: 'Last webhook: 2026-11-20 12:00. 1 of the last 5 tickets were found by the sweep.',
    isFault: false,
  });
});
