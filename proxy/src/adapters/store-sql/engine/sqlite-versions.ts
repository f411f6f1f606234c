import type { Database } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { RecordsAbout, RecordVersions } from '#ports/profile/record-versions.ts';

/** The columns by which our own records are read for a profile. */
const watched = {
  routing_decision: ['ticket'],
  company_rejection: ['ticket', 'sender'],
  sync_log: ['ticket', 'sender', 'sender_domain'],
};

const mostKept = 20_000;

/**
 * Versions of our own records (docs/decisions.md 40). Triggers of this connection alone tell of every row that it writes,
 * whichever statement did it; SQLite tells whether another process has written anything, and is asked once per turn of
 * the event loop. The tables must be there.
 */
export function watchSqlite(database: Database): RecordVersions {
  let writes = 0;
  // What is not remembered any more may have been written as late as this.
  let forgotten = 0;
  const lastWrite = new LRUCache<string, number>({
    max: mostKept,
    dispose: (write, _, reason) => {
      if (reason === 'evict') forgotten = Math.max(forgotten, write);
    },
  });
  database.function('deskside_written', { directOnly: false }, (column: string, value: unknown) => {
    writes += 1;
    if (value !== null) lastWrite.set(`${column} ${value}`, writes);
    return null;
  });
  for (const [table, columns] of Object.entries(watched)) {
    for (const [event, rows] of Object.entries({ insert: ['new'], update: ['old', 'new'], delete: ['old'] })) {
      const told = rows.flatMap((row) => columns.map((column) => `deskside_written('${column}', ${row}.${column})`));
      database.exec(
        `create temp trigger written_${table}_${event} after ${event} on main.${table} begin select ${told}; end`,
      );
    }
  }
  const dataVersion = database.prepare<[], number>('pragma data_version').pluck();
  let byOthers: number | undefined;
  const writtenByOthers = () => {
    if (byOthers === undefined) setImmediate(() => (byOthers = undefined));
    byOthers ??= dataVersion.get();
    return byOthers;
  };
  const writeOf = (column: string, value: string | null) =>
    value === null ? 0 : (lastWrite.get(`${column} ${value}`) ?? forgotten);

  const atOnce = ({ ticket, sender, choicesOf }: RecordsAbout) => {
    const last = Math.max(
      writeOf('ticket', ticket),
      writeOf('sender', sender),
      choicesOf ? writeOf('sender', choicesOf.address) : 0,
      choicesOf ? writeOf('sender_domain', choicesOf.domain) : 0,
    );
    return `${writtenByOthers()} ${last}`;
  };
  return { of: atOnce, atOnce };
}
