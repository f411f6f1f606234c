import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from './debian.ts';

/** A program that some tests need and that `npm test` does not install. */
interface OptionalProgram {
  /** As the summary of a run says it. */
  title: string;
  /** Path of what the tests start, or null. */
  find(): string | null;
  /** Installs it where this account may; false where that failed. */
  install(): boolean;
  /** What a person does where it cannot be installed for them. */
  how: string;
}

const venv = fileURLToPath(new URL('../node_modules/.cache/deskside/restrictedpython', import.meta.url));
const venvPython = path.join(venv, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
/** What Frappe 15 resolves its `RestrictedPython~=8.0` to. */
const restrictedPython = '8.5';

/** Every optional program. Tests name the one that they need through `needs`; `npm run test:all` installs them all. */
export const optionalPrograms = {
  restrictedpython: {
    title: 'RestrictedPython',
    find: () => [venvPython, 'python3'].find(hasRestrictedPython) ?? null,
    install() {
      const makeVenv = () => succeeds('python3', ['-m', 'venv', '--clear', venv]);
      if (!makeVenv() && !(installPackages('python3-venv') && makeVenv())) return false;
      const quietly = ['--quiet', '--disable-pip-version-check'];
      return succeeds(venvPython, ['-m', 'pip', 'install', ...quietly, `RestrictedPython==${restrictedPython}`]);
    },
    how: `Install Python 3 and RestrictedPython ${restrictedPython} (pip install RestrictedPython==${restrictedPython}).`,
  },
} satisfies Record<string, OptionalProgram>;

export type ProgramName = keyof typeof optionalPrograms;

function hasRestrictedPython(python: string): boolean {
  const ask = 'import importlib.metadata as m; print(m.version("RestrictedPython"))';
  const { status, stdout } = spawnSync(python, ['-c', ask], { encoding: 'utf8' });
  return status === 0 && stdout.startsWith(restrictedPython.replace(/\..*/, '.'));
}

function succeeds(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}
