import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Whether this account may install Debian's packages. */
export function mayInstallPackages(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/** Installs packages of the distribution; false where that failed or this account may not. */
export async function installPackages(...names: string[]): Promise<boolean> {
  if (!mayInstallPackages()) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]) =>
    new Promise<boolean>((resolve) => {
      const child = spawn('apt-get', ['-qq', ...args], { stdio: 'inherit', env });
      child.on('error', () => resolve(false));
      child.on('close', (code) => resolve(code === 0));
    });
  return (await apt('update')) && apt('install', '-y', '--no-install-recommends', ...names);
}

/** Unpacks a package of the distribution into a folder, which starts no service; false where that failed. */
export function unpackPackage(name: string, folder: string): boolean {
  if (!existsSync('/usr/bin/apt-get')) return false;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const run = (command: string, ...args: string[]) =>
    spawnSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
  if (mayInstallPackages()) run('apt-get', '-qq', 'update');
  if (!run('apt-get', '-qq', 'download', name)) return false;
  const file = readdirSync(folder).find((one) => one.endsWith('.deb'));
  const isUnpacked = file !== undefined && run('dpkg-deb', '--extract', file, folder);
  if (file !== undefined) rmSync(path.join(folder, file));
  return isUnpacked;
}
