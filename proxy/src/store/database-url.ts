import { resolve } from 'node:path';
import { StoreError } from './store-error.ts';

/** Whether the address is one of PostgreSQL; otherwise it should be that of a folder. */
export function isPostgres(databaseUrl: string): boolean {
  return /^postgres(ql)?:\/\//.test(databaseUrl) && URL.canParse(databaseUrl);
}

/**
 * The folder of a store on SQLite, as an absolute path.
 *
 * @param databaseUrl `file:<folder>`, relative to the working directory
 * @throws StoreError for anything else
 */
export function folderOf(databaseUrl: string): string {
  const [, folder] = /^file:(?:\/\/(?=\/))?([^\0]+)$/.exec(databaseUrl) ?? [];
  if (folder === undefined || folder.startsWith('//')) {
    throw new StoreError('The database must be given as file:<folder>, such as file:./data, or as postgres://….');
  }
  return resolve(folder);
}
