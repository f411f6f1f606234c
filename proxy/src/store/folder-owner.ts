import { lchownSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Gives what root has made in a folder to whom the folder belongs: commands are run as root beside a service that runs as an
 * account of its own, which could otherwise not open its store any more.
 *
 * @param folder whose owner gets it, by default the one that it is in
 */
export function giveToOwner(path: string, folder: string = dirname(path)): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  if (uid !== 0) lchownSync(path, uid, gid);
}
