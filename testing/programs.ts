import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages, unpackPackage } from './debian.ts';

/** A program that some tests need and that `npm test` does not install. */
interface OptionalProgram {
  /** As the summary of a run says it. */
  title: string;
  /** Path of what the tests start, or null. */
  find(): string | null;
  /** Installs it where this account may; false where that failed. */
  install(): boolean | Promise<boolean>;
  /** What a person does where it cannot be installed for them. */
  how: string;
}

const venv = fileURLToPath(new URL('../node_modules/.cache/deskside/restrictedpython', import.meta.url));
const venvPython = path.join(venv, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
const linter = fileURLToPath(new URL('../node_modules/.cache/deskside/addons-linter', import.meta.url));
const linterProgram = path.join(linter, 'node_modules', 'addons-linter', 'bin', 'addons-linter');
/** What `web-ext lint` of web-ext 10.7.0 runs. Too large for the lock file: it brings two hundred packages. */
const linterVersion = '10.13.0';
/** What Frappe 15 resolves its `RestrictedPython~=8.0` to. */
const restrictedPython = '8.5';

/** Every optional program. Tests name the one that they need through `needs`; `npm run test:all` installs them all. */
export const optionalPrograms = {
  restrictedpython: {
    title: 'RestrictedPython',
    find: () => [venvPython, 'python3'].find(hasRestrictedPython) ?? null,
    async install() {
      const makeVenv = () => succeeds('python3', ['-m', 'venv', '--clear', venv]);
      if (!makeVenv() && !((await installPackages('python3-venv')) && makeVenv())) return false;
      const quietly = ['--quiet', '--disable-pip-version-check'];
      return succeeds(venvPython, ['-m', 'pip', 'install', ...quietly, `RestrictedPython==${restrictedPython}`]);
    },
    how: `Install Python 3 and RestrictedPython ${restrictedPython} (pip install RestrictedPython==${restrictedPython}).`,
  },
  'addons-linter': {
    title: 'addons-linter',
    find: () => (existsSync(linterProgram) ? linterProgram : null),
    install: () =>
      succeeds('npm', ['install', '--prefix', linter, '--no-audit', '--no-fund', `addons-linter@${linterVersion}`]),
    how: `Run npm install --prefix ${path.relative('.', linter)} addons-linter@${linterVersion}.`,
  },
  promtool: unpacked('prometheus', 'usr/bin/promtool', 'promtool'),
  nginx: unpacked('nginx', 'usr/sbin/nginx', 'nginx'),
  caddy: unpacked('caddy', 'usr/bin/caddy', 'Caddy'),
  firefox: {
    title: 'Firefox',
    find: findFirefox,
    install: () => installPackages('firefox-esr'),
    how: 'Install Firefox (Debian: apt-get install firefox-esr), or set FIREFOX_PATH to one.',
  },
} satisfies Record<string, OptionalProgram>;

export type ProgramName = keyof typeof optionalPrograms;

/** A program of a package of Debian's: as it is installed, or unpacked in a folder of ours, which starts no service. */
function unpacked(debian: string, at: string, title: string): OptionalProgram {
  const folder = fileURLToPath(new URL(`../node_modules/.cache/deskside/${debian}`, import.meta.url));
  return {
    title,
    // Servers are not on every account's path.
    find: () => [path.join(folder, at), ...onPath(path.basename(at)), path.join('/', at)].find(existsSync) ?? null,
    install: () => unpackPackage(debian, folder),
    how: `Install ${title} (Debian: apt-get install ${debian}).`,
  };
}

/** Path of a Firefox. `FIREFOX_PATH` is taken before anything on PATH. */
function findFirefox(): string | null {
  const { FIREFOX_PATH } = process.env;
  if (FIREFOX_PATH) return existsSync(FIREFOX_PATH) ? FIREFOX_PATH : null;
  return onPath('firefox-esr', 'firefox').find(existsSync) ?? null;
}

/** Where programs of these names would be, in the order of PATH. */
function onPath(...names: string[]): string[] {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name)));
}

function hasRestrictedPython(python: string): boolean {
  const ask = 'import importlib.metadata as m; print(m.version("RestrictedPython"))';
  const { status, stdout } = spawnSync(python, ['-c', ask], { encoding: 'utf8' });
  return status === 0 && stdout.startsWith(restrictedPython.replace(/\..*/, '.'));
}

function succeeds(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}
