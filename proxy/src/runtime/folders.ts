import { accessSync, constants, lchownSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Makes a folder, for us alone, and those above it. Node's own `recursive` never ends below /proc. */
export function makeFolders(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolders(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * What to say of a path that this account may not write: who it is, whose the folder is, and what to do. '' where the
 * rights are no reason.
 */
export function whoMayWrite(path: string): string {
  const nearest = nearestExisting(resolve(path));
  const me = process.getuid?.();
  try {
    accessSync(nearest, constants.W_OK);
    return '';
  } catch {
    return me === undefined ? '' : notAllowed(me, statSync(nearest).uid, nearest);
  }
}

/** @param path what `me` may not write, and `owner` owns; no advice changes whose it is */
export function notAllowed(me: number, owner: number, path: string): string {
  const [mine, theirs] = [accountOf(me), accountOf(owner)];
  if (me === owner) return ` This runs as ${mine}, which owns ${path} and may not write it: run "chmod u+rwX ${path}".`;
  if (owner === 0) return ` This runs as ${mine}, and ${path} belongs to root: run it with sudo.`;
  const sudo = `sudo -u ${theirs === String(owner) ? `'#${owner}'` : theirs}`;
  return ` This runs as ${mine}, and ${path} belongs to ${theirs}: run it with sudo, or as that account ("${sudo} …").`;
}

/** The same of a file of settings, which root owns and the service reads by its group. */
export function notReadable(me: number, owner: number, path: string): string {
  if (owner !== 0) return notAllowed(me, owner, path);
  const mine = accountOf(me);
  const command = `"sudo chgrp ${mine} ${path} && sudo chmod 640 ${path}"`;
  return ` This runs as ${mine}, and ${path} belongs to root: run the command with sudo. If this is the service, run ${command}.`;
}

/** The path, or else what is above it and can be looked at: within a folder of somebody else, nothing can. */
function nearestExisting(path: string): string {
  try {
    statSync(path);
    return path;
  } catch {
    return dirname(path) === path ? path : nearestExisting(dirname(path));
  }
}

/** By its name, where this machine knows it. */
function accountOf(uid: number): string {
  let accounts = '';
  try {
    accounts = readFileSync('/etc/passwd', 'utf8');
  } catch {
    // Its number does as well.
  }
  const line = accounts.split('\n').find((one) => one.split(':')[2] === String(uid));
  return line?.split(':')[0] || String(uid);
}

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
