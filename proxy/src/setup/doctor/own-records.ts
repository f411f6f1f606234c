import { Unreadable } from '#setup/read-result.ts';
import { openRecords, type Records, StoreError } from '#store/store.ts';
import type { ReadRecords } from './records.ts';

/** Reads our own records, which are closed after it; null if there are none yet. Throws what the store throws. */
export async function withRecords<T>(databaseUrl: string, read: (records: Records) => Promise<T>): Promise<T | null> {
  const records = await openRecords(databaseUrl);
  return records && read(records).finally(() => records.close());
}

/** The same for `doctor`: whatever fails, the records cannot be read. */
export function recordsAt(databaseUrl: string): ReadRecords {
  return (read) =>
    withRecords(databaseUrl, read).catch((error: unknown) => {
      throw new Unreadable(error instanceof StoreError ? error.message : 'Our own records cannot be read.');
    });
}
