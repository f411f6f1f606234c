import { needs } from '@deskside/testing/needs';
import { sized } from '@deskside/testing/size';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeDecisions } from '#store/decisions/decisions.contract.ts';
import { describeLeases } from '#store/leases/leases.contract.ts';
import { openStore, type Store } from '#store/store.ts';
import { startPgBouncer } from '#store/testing/pgbouncer.ts';
import { type PostgresServer, startPostgres } from '#store/testing/postgres-server.ts';
import { describeInbox } from '#store/tickets/inbox.contract.ts';

const password = 'canary-9d0e';

needs('pgbouncer')('behind a pooler in transaction mode', (program) => {
  let server: PostgresServer;
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>>;
  const stores: Store[] = [];
  const url = () => `postgres://postgres:${password}@127.0.0.1:${bouncer.port}/deskside`;
  beforeAll(async () => {
    server = await startPostgres(password);
    await server.createDatabase('deskside');
    bouncer = await startPgBouncer(program, { port: server.port, password });
    // Migrations and their lock included: all of them begin on the empty database at once.
    stores.push(...(await Promise.all(Array.from({ length: 4 }, () => openStore(url())))));
  });
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await bouncer.stop();
    await server.stop();
  });
  const storeOf = (which: number) => stores[which] as Store;

  describe('the store', () => {
    describeInbox((which) => storeOf(which).inbox);
    describeDecisions((which) => storeOf(which).decisions);
    if (sized({ small: false, full: true })) describeLeases((clock) => openStore(url(), clock));
  });

  it('goes on after the pooler was replaced', async () => {
    const { port } = bouncer;
    await bouncer.stop();
    await expect(storeOf(0).profileCache.probe()).rejects.toThrow();
    bouncer = await startPgBouncer(program, { port: server.port, password, at: port });
    await expect
      .poll(() =>
        storeOf(0)
          .profileCache.probe()
          .then(
            () => true,
            () => false,
          ),
      )
      .toBe(true);
  });
});
