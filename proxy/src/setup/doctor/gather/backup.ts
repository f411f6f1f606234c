import type { OwnRecords } from './rivals.ts';

/** When the store was last backed up, in epoch milliseconds, null if never; null if there is no store yet. */
export type BackupFacts = { last: number | null; now: number } | null;

/** Reads what the store remembers of its last backup (docs/backup.md#backup). */
export async function gatherBackup(
  openRecords: () => Promise<Pick<OwnRecords, 'upkeep' | 'close'> | null>,
  now: number,
): Promise<BackupFacts> {
  const records = await openRecords();
  if (records === null) return null;
  try {
    return { last: await records.upkeep.lastBackup(), now };
  } finally {
    await records.close();
  }
}
