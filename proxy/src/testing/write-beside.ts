import { openStore } from '#store/database.ts';
import { insertedTicket } from '#store/testing/inserted.ts';
import * as tickets from '#store/tickets.ts';

/**
 * Writes to the store until its input ends, and says how often: with each failure's code, none for a success. As a process of
 * its own, which has no part in the order that one process keeps among its own writes.
 */
const store = await openStore(String(process.argv[2]));
const outcomes: Record<string, number> = {};
let isOver = false;
process.stdin.on('end', () => {
  isOver = true;
});
process.stdin.resume();
process.stdout.write('ready\n');
for (let n = 0; !isOver; n += 1) {
  const outcome = await tickets.accept(store.db, `beside ${n}`, insertedTicket(), Date.now()).then(
    () => 'written',
    (error: Error & { code?: string }) => error.code ?? error.name,
  );
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  await new Promise((resolve) => setTimeout(resolve, 1));
}
await store.close();
process.stdout.write(`${JSON.stringify(outcomes)}\n`);
