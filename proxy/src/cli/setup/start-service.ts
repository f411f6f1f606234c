import { execFile } from 'node:child_process';
import { copyFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { installed } from '#cli/environment-file.ts';

const run = promisify(execFile);
const home = '/opt/deskside';
const units = '/etc/systemd/system';

/** How the service is started with the settings of a file. */
export interface Starting {
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
    return { command: 'systemctl enable --now deskside deskside-backup.timer', isPossible: process.getuid?.() === 0 };
  const name = program === home ? 'deskside' : path.join(program, 'bin', 'deskside');
  return { command: `${name} serve${file === installed.settings ? '' : ` --env-file ${file}`}`, isPossible: false };
}

/**
 * Puts the units in their place, unless they are there, and has systemd start the service now and with the machine.
 *
 * @returns why that failed, as a sentence, or null
 */
export async function startService(): Promise<string | null> {
  try {
    for (const unit of ['deskside.service', 'deskside-backup.service', 'deskside-backup.timer']) {
      const to = path.join(units, unit);
      if (!existsSync(to)) copyFileSync(path.join(home, 'ops', unit), to);
    }
    await run('systemctl', ['daemon-reload']);
    await run('systemctl', ['enable', '--now', 'deskside', 'deskside-backup.timer']);
    return null;
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim() || (error as Error).message;
    return `systemd does not start it: ${said.split('\n')[0]} ("journalctl -u deskside" says more)`;
  }
}
