import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Whether this account may install Debian's packages. */
export function mayInstallPackages(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/** Installs packages of the distribution; false where that failed or this account may not. */
export function installPackages(...names: string[]): boolean {
  if (!mayInstallPackages()) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]) => spawnSync('apt-get', ['-qq', ...args], { stdio: 'inherit', env }).status === 0;
  return apt('update') && apt('install', '-y', '--no-install-recommends', ...names);
}
