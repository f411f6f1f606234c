import { sized } from '@deskside/testing/size';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { turnIn } from '#routing/round-robin.ts';
import { openStore, type Store } from './database.ts';
import * as decisions from './decisions.ts';
import { StoreUnavailable } from './engine.ts';
import { draftOf } from './testing/decision-draft.ts';
import { insertedTicket } from './testing/inserted.ts';
import { type PostgresServer, startPostgres } from './testing/postgres-server.ts';
import * as tickets from './tickets.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres('failover');
});
afterAll(() => server.stop());

const rounds = sized({ small: 2, full: 10 });

test('connections that are ended and a server that crashes lose nothing that was confirmed, and the store goes on', async () => {
  const url = server.urlOf('postgres');
  const stores = [await openStore(url), await openStore(url)];
  const turn = turnIn('CS 60p', ['an', 'binh', 'chi']);
  const confirmed: string[] = [];
  let failed = 0;
  let isOver = false;
  const writers = stores.flatMap(({ db }, which) =>
    [0, 1].map(async (one) => {
      for (let n = 0; !isOver; n += 1) {
        const ticket = `${which}-${one}-${n}`;
        try {
          await tickets.accept(db, ticket, insertedTicket(), 1_000);
          if (await decisions.add(db, draftOf(ticket), 0, turn)) confirmed.push(ticket);
        } catch {
          failed += 1;
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      }
    }),
  );
  const furtherBy = async (count: number) => {
    const before = confirmed.length;
    await expect.poll(() => confirmed.length).toBeGreaterThan(before + count);
  };
  for (let round = 0; round < rounds; round += 1) {
    await furtherBy(20);
    await server.terminateConnections();
    await furtherBy(20);
    await server.crashAndRestart();
  }
  await furtherBy(20);
  isOver = true;
  await Promise.all(writers);
  expect(failed).toBeGreaterThan(0);

  const [{ db }] = stores as [Store];
  const keys = confirmed.map((name) => ({ name, creation: insertedTicket().creation }));
  expect(await tickets.undecidedAmong(db, keys)).toEqual([]);
  expect(await tickets.waiting(db)).toBeGreaterThanOrEqual(confirmed.length);
  await Promise.all(stores.map((one) => one.close()));
});

test('what is asked while the server is away, starting or ending fails as such, and with its code', async () => {
  const store = await openStore(server.urlOf('postgres'));
  const ask = () => decisions.list(store.db, { name: 'T', creation: '' });
  await ask();
  await server.crash();
  // The first may still be given a connection that has ended meanwhile.
  for (let n = 0; n < 3; n += 1) await expect(ask()).rejects.toThrow(StoreUnavailable);
  await expect(ask()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await server.restart();
  await expect.poll(() => ask().catch(() => null)).toEqual([]);
  await store.close();
});
