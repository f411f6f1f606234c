import { type AreaReport, areaReport, finding } from './finding.ts';
import type { ReadRecords } from './records.ts';

/** When the store was last backed up, in epoch milliseconds, null if never; null if there is no store of ours to back up. */
export type BackupFacts = { last: number | null; now: number } | null;

/** Reads what the store remembers of its last backup (docs/backup.md#backup). Of `pg_dump` it knows nothing. */
export async function gatherBackup(
  records: ReadRecords<'upkeep'>,
  { databaseUrl, now }: { databaseUrl: string; now: number },
): Promise<BackupFacts> {
  if (!databaseUrl.startsWith('file:')) return null;
  return records(async ({ upkeep }) => ({ last: await upkeep.lastBackup(), now }));
}

const dayMs = 86_400_000;
/** A nightly backup that failed once is not worth a warning, two are. */
const oldAfterMs = 2 * dayMs;

/** Judges whether what cannot be had from anywhere else has been backed up lately. */
export function judgeBackup(facts: BackupFacts): AreaReport {
  const area = 'Backup';
  if (facts === null) return areaReport(area, { fine: 'There is nothing that "deskside backup" would back up.' });
  const { last, now } = facts;
  if (last !== null && now - last <= oldAfterMs)
    return areaReport(area, { fine: `The last backup is of ${dayOf(last)}.` });
  const problem =
    last === null
      ? 'The store has never been backed up.'
      : `The last backup is ${Math.floor((now - last) / dayMs)} days old.`;
  const remedy = 'Run "deskside backup" every night and keep what it makes on another machine.';
  return areaReport(area, {
    findings: [finding('backup_old', problem, remedy, last === null ? undefined : dayOf(last))],
  });
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
