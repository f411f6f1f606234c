import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';

/**
 * What is known of a file's soundness (docs/decisions.md 24). It stands in the file's header as `user_version`, so that
 * it goes wherever the file goes. `open`: a service has it open, or did not get to close it.
 */
const marks = { open: 0, closed: 1, damaged: 2 } as const;

type Mark = keyof typeof marks;

/** How the last service left the file. */
export function readMark(database: Database): Mark {
  const found = database.pragma('user_version', { simple: true });
  return (Object.keys(marks) as Mark[]).find((mark) => marks[mark] === found) ?? 'open';
}

export function writeMark(database: Database, mark: Mark): void {
  database.pragma(`user_version = ${marks[mark]}`);
}

/** Reads every page, with a small cache of its own, and throws what SQLite throws. */
const code = `
  const { parentPort, workerData } = require('node:worker_threads');
  const Sqlite = require(workerData.driver);
  const database = new Sqlite(workerData.path, { readonly: true, fileMustExist: true });
  const found = database.pragma('quick_check(1)', { simple: true });
  database.close();
  parentPort.postMessage(found === 'ok');`;

/**
 * Looks for damage in a whole file, in a thread of its own.
 *
 * @param path absolute
 * @returns whether it is sound; null if it was ended before that was known
 * @throws what SQLite throws; a file that is damaged badly enough makes it throw SQLITE_CORRUPT
 */
export async function isSound(path: string, stopped: AbortSignal): Promise<boolean | null> {
  const driver = createRequire(import.meta.url).resolve('better-sqlite3');
  const worker = new Worker(code, { eval: true, workerData: { path, driver } });
  const end = () => void worker.terminate();
  stopped.addEventListener('abort', end, { once: true });
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
      worker.once('exit', () => resolve(null));
    });
  } finally {
    stopped.removeEventListener('abort', end);
  }
}
