import { type AreaReport, finding } from '#setup/doctor/finding.ts';
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

const dayMs = 86_400_000;
/** A nightly backup that failed once is not worth a warning, two are. */
const oldAfterMs = 2 * dayMs;

/** Judges whether what cannot be had from anywhere else has been backed up lately. */
export function judgeBackup(facts: BackupFacts): AreaReport {
  const area = 'Backup';
  if (facts === null) return { area, findings: [], passed: ['There is nothing to back up yet.'], unchecked: [] };
  const { last, now } = facts;
  if (last !== null && now - last <= oldAfterMs)
    return { area, findings: [], passed: [`The last backup is of ${dayOf(last)}.`], unchecked: [] };
  const found = finding(
    'backup_old',
    last === null
      ? 'The store has never been backed up.'
      : `The last backup is ${Math.floor((now - last) / dayMs)} days old.`,
    'Run "deskside backup" every night and keep what it makes on another machine.',
    last === null ? undefined : dayOf(last),
  );
  return { area, findings: [found], passed: [], unchecked: [] };
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
