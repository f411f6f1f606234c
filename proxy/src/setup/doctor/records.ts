import type { Store } from '#store/store.ts';

/** Our own records, as far as they are looked at. */
interface OwnRecords {
  missingAnchors: Pick<Store['missingAnchors'], 'list'>;
  upkeep: Pick<Store['upkeep'], 'lastBackup' | 'lastSignUp'>;
}

/** Opens them for one reading; null if there are none yet. Throws Unreadable. */
export type ReadRecords<Parts extends keyof OwnRecords = keyof OwnRecords> = <T>(
  read: (records: Pick<OwnRecords, Parts>) => Promise<T>,
) => Promise<T | null>;
