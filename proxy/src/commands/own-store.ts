import { parseSome } from '#config.ts';
import { openStore, type Store } from '#store/store.ts';
import { Environment } from '#variables.ts';

/** Where the store is, as the environment says. Throws ConfigError. */
export function databaseUrl(environment: Record<string, string | undefined> = process.env): string {
  return parseSome(Environment.pick({ DATABASE_URL: true }), environment).DATABASE_URL.reveal();
}

/** Works on the store at this address, which is closed after it. Throws StoreError. */
export async function withStore<T>(address: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(address, Date.now, sayWaiting);
  return work(store).finally(() => store.close());
}

/** Tells the operator why a command does not go on. */
export function sayWaiting(database: string): void {
  console.error(`Waiting for another process that brings the tables of ${database} up to date.`);
}
