import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { installed, rulesFileOf } from '#commands/settings.ts';
import { StartError } from '#runtime/app-error.ts';

const run = promisify(execFile);
const home = '/opt/deskside';
export const units = ['deskside.service', 'deskside-backup.service', 'deskside-backup.timer'];
export const unitsAt = '/etc/systemd/system';

/** How the service is started with the settings of a file. */
interface Starting {
  /** What an operator would run. */
  command: string;
  /** Whether it can be started from here. */
  isPossible: boolean;
}

/** systemd starts an installed service; everything else is the operator's. */
export function startingWith(file: string): Starting {
  const program = path.dirname(path.dirname(process.argv[1] ?? ''));
  const isInstalled = program === home && file === installed.settings;
  if (isInstalled && existsSync('/run/systemd/system'))
    return {
      command: 'sudo systemctl enable --now deskside deskside-backup.timer',
      isPossible: process.getuid?.() === 0,
    };
  const name = program === home ? 'deskside' : path.join(program, 'bin', 'deskside');
  return { command: `${name} serve${file === installed.settings ? '' : ` --env-file ${file}`}`, isPossible: false };
}

/**
 * Makes the account that the service runs as, and its folders: that of the settings, which it may read and not write, and
 * that of its data.
 *
 * @throws StartError
 */
export async function makeAccount(): Promise<void> {
  const failed = await runAll(async () => {
    put('deskside.sysusers', '/etc/sysusers.d/deskside.conf');
    await run('systemd-sysusers', ['/etc/sysusers.d/deskside.conf']);
    await run('install', ['-d', '-m', '755', path.dirname(installed.settings)]);
    await run('install', ['-d', '-m', '700', '-o', 'deskside', '-g', 'deskside', installed.data]);
  });
  if (failed !== null) throw new StartError(`The account "deskside" cannot be made: ${failed}`);
}

/**
 * Puts the units in their place, unless they are there, and has systemd start the service now and with the machine.
 *
 * @throws StartError
 */
export async function startService(): Promise<void> {
  await makeAccount();
  const failed = await runAll(async () => {
    for (const unit of units) put(unit, path.join(unitsAt, unit));
    await run('systemctl', ['daemon-reload']);
    await run('systemctl', ['enable', '--now', 'deskside', 'deskside-backup.timer']);
  });
  if (failed !== null) throw notStarted('start', failed);
}

/** Has the service begin again with what its files say now. Throws StartError. */
export async function restartService(): Promise<void> {
  const failed = await runAll(() => run('systemctl', ['restart', 'deskside']));
  if (failed !== null) throw notStarted('restart', failed);
}

const notStarted = (what: string, failed: string) =>
  new StartError(`systemd does not ${what} it: ${failed} ("journalctl -u deskside" says more)`);

/** Whether the service runs since before the file was last changed, or the rules beside it. */
export async function runsOlderThan(file: string): Promise<boolean> {
  const asked = ['show', '--timestamp=unix', '--property=ExecMainStartTimestamp', '--value', 'deskside'];
  const { stdout } = await run('systemctl', asked).catch(() => ({ stdout: '' }));
  const startedAt = Number(/@(\d+)/.exec(stdout)?.[1] ?? Number.NaN) * 1_000;
  const changedAt = [file, rulesFileOf(file)].map((one) => statSync(one, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return Math.max(...changedAt) > startedAt + 1_000;
}

/** Copies a file of ours, unless one is there. It is root's then, whoever unpacked the archive: a copy by Node keeps the owner. */
function put(name: string, to: string): void {
  mkdirSync(path.dirname(to), { recursive: true });
  if (!existsSync(to)) writeFileSync(to, readFileSync(path.join(home, 'ops', name)), { mode: 0o644 });
}

/** The last line of what a program said that failed; null if all went well. */
async function runAll(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim() || (error as Error).message;
    return said.split('\n').at(-1) ?? '';
  }
}
