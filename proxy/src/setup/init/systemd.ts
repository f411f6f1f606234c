import { execFile } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { environmentFile, installed, readAdminKey, rulesFileOf, type Variables } from '#commands/settings.ts';
import { terminal } from '#commands/terminal.ts';
import { ConfigError, Environment, readSome } from '#config.ts';
import { HelpdeskAdmin } from '#helpdesk/admin.ts';
import { withEgress } from '#net/egress.ts';
import { StartError } from '#runtime/app-error.ts';
import type { Secret } from '#runtime/secret.ts';
import { meetDeskside } from '#setup/doctor/meet-deskside.ts';
import { carryOut, type Item } from '#setup/items.ts';
import { readWebhook, whoElse } from '#setup/needs/webhook.ts';
import { runProvision } from '#setup/provision/provision.ts';

const run = promisify(execFile);
const home = '/opt/deskside';
const units = ['deskside.service', 'deskside-backup.service', 'deskside-backup.timer'];
const unitsAt = '/etc/systemd/system';

/**
 * What an operator would run to start the service with the settings of a file, and whether that is possible from here: systemd
 * starts an installed service; everything else is the operator's.
 */
export function startingWith(file: string): { command: string; isPossible: boolean } {
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
 * that of its data. Settings that are there are given to it to read.
 *
 * @throws StartError
 */
export async function makeAccount(): Promise<void> {
  await doing('The account "deskside" cannot be made', async () => {
    put('deskside.sysusers', '/etc/sysusers.d/deskside.conf');
    await run('systemd-sysusers', ['/etc/sysusers.d/deskside.conf']);
    await run('install', ['-d', '-m', '755', path.dirname(installed.settings)]);
    await run('install', ['-d', '-m', '700', '-o', 'deskside', '-g', 'deskside', installed.data]);
    // Somebody may have written them before there was an account to read them.
    for (const file of [installed.settings, rulesFileOf(installed.settings)].filter((one) => existsSync(one))) {
      await run('chgrp', ['deskside', file]);
      await run('chmod', ['640', file]);
    }
  });
}

/**
 * Puts the units in their place, unless they are there, and has systemd start the service now and with the machine.
 *
 * @throws StartError
 */
export async function startService(): Promise<void> {
  await makeAccount();
  await doing(notStarted, async () => {
    for (const unit of units) put(unit, path.join(unitsAt, unit));
    await run('systemctl', ['daemon-reload']);
    await run('systemctl', ['enable', '--now', ...started]);
  });
}

/** Has the service begin again with what its files say now. Throws StartError. */
export async function restartService(): Promise<void> {
  await doing(notStarted, () => run('systemctl', ['restart', 'deskside']));
}

const started = ['deskside', 'deskside-backup.timer'];
const notStarted = 'systemd does not start the service ("journalctl -u deskside" says more)';

/** Throws StartError with the last line of what a program said that failed. */
async function doing(whyNot: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim() || (error as Error).message;
    throw new StartError(`${whyNot}: ${said.split('\n').at(-1)}`);
  }
}

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

interface UninstallOptions {
  adminKeyFile?: string;
  fields?: boolean;
  purge?: boolean;
  yes?: boolean;
}

/** `deskside uninstall`: takes away what `init` has put on this machine and, with a key, in the helpdesk. */
export function uninstallCommand(): Command {
  return new Command('uninstall')
    .description('Take Deskside off this machine and, with a key, out of the helpdesk; asks before each')
    .option('--admin-key-file <path>', "file with a System Manager's key:secret (default: DESKSIDE_ADMIN_KEY)")
    .option('--fields', 'the custom fields in the helpdesk too, with their values')
    .option('--purge', 'settings and data of this machine as well, without asking')
    .option('--yes', 'do not ask for confirmation; settings and data stay without --purge')
    .action(async (options: UninstallOptions, command: Command) => {
      if (process.getuid?.() !== 0) throw new ConfigError('Run it with sudo.');
      const file = environmentFile(command.optsWithGlobals<{ envFile?: string }>().envFile);
      process.exitCode = await uninstall(options, file);
    });
}

/** @returns the exit code: 0 done; 1 something failed; 2 not confirmed */
async function uninstall(options: UninstallOptions, file: string | null): Promise<number> {
  const io = terminal();
  const mode = options.yes ? 'yes' : 'ask';
  const adminKey = readAdminKey(options.adminKeyFile, process.env.DESKSIDE_ADMIN_KEY);
  const elsewhere = adminKey && (await servedElsewhere(process.env, adminKey));
  if (adminKey === null) io.print('Without a System Manager’s key (--admin-key-file) what is in the helpdesk stays.\n');
  else if (elsewhere) io.print(`${elsewhere} So what is in the helpdesk stays.\n`);
  else {
    const chosen = { extensionId: [], remove: true, account: true, ...options };
    const { code } = await runProvision(chosen, { file, variables: process.env }, io);
    if (code !== 0) return code;
  }
  const code = await carryOut(machineItems(), [], io, mode);
  if (code !== 0) return code;
  const data = [path.dirname(installed.settings), installed.data].filter((place) => existsSync(place));
  if (data.length === 0) return 0;
  const named = data.map((place) => `${place}${withWhat(place)}`).join(', ');
  const question = `\nDelete settings and data for good: ${named}? Type "delete": `;
  const isSaid = !options.purge && !options.yes && (await io.ask?.(question))?.trim() === 'delete';
  if (!options.purge && !isSaid) {
    io.print(`\nSettings and data stay: ${named}. "--purge" deletes them.`);
    return 0;
  }
  const account: Item = {
    what: 'The account "deskside" of this machine',
    state: 'delete',
    make: () => run('userdel', ['deskside']).catch(() => {}),
  };
  return carryOut([...data.map(removing), account], [], io, 'yes');
}

/** Longest wait for one answer. */
const answerWithinMs = 10_000;

/**
 * Why another machine serves the helpdesk and this one does not, as a sentence; null if that cannot be seen. Throws what
 * `sentenceOf` says.
 */
export async function servedElsewhere(variables: Variables, adminKey: Secret): Promise<string | null> {
  const { data } = readSome(Needed, variables);
  const { PUBLIC_URL } = data ?? {};
  if (!data || PUBLIC_URL === undefined) return null;
  return withEgress(data, async (egress) => {
    const helpdesk = egress.upstream(data.HELPDESK_URL, { timeoutMs: answerWithinMs, maxConnections: 2 });
    const named = whoElse(await readWebhook(new HelpdeskAdmin(helpdesk, adminKey.reveal())), PUBLIC_URL);
    if (named !== null) return named;
    const { who } = await meetDeskside({ ...data, PUBLIC_URL }, egress, answerWithinMs);
    if ((who !== 'us' && who !== 'other version') || (await isRunning())) return null;
    return `Deskside answers at ${PUBLIC_URL}, and does not run on this machine.`;
  });
}

const Needed = Environment.pick({ HELPDESK_URL: true, PUBLIC_URL: true, ALLOW_INSECURE_UPSTREAMS: true });

const isRunning = () =>
  run('systemctl', ['is-active', '--quiet', 'deskside']).then(
    () => true,
    () => false,
  );

function machineItems(): Item[] {
  const there = units.map((unit) => path.join(unitsAt, unit)).filter((unit) => existsSync(unit));
  const systemctl = (what: string, state: Item['state'], detail: string, ...args: string[]): Item[] =>
    there.length === 0 ? [] : [{ what, state, detail, make: async () => void (await run('systemctl', args)) }];
  const stamp = '/var/lib/systemd/timers/stamp-deskside-backup.timer';
  const others = ['/etc/sysusers.d/deskside.conf', '/usr/local/bin/deskside', stamp];
  return [
    ...systemctl(started.join(', '), 'delete', 'stopped, and not started any more', 'disable', '--now', ...started),
    ...there.map(removing),
    ...systemctl('systemd', 'change', 'reads its units again', 'daemon-reload'),
    ...others.filter((place) => lstatSync(place, { throwIfNoEntry: false })).map(removing),
  ];
}

/** What in a folder nobody can make again. */
function withWhat(place: string): string {
  const backups = path.join(place, 'backups');
  const count = existsSync(backups) ? readdirSync(backups).length : 0;
  const key = existsSync(path.join(place, 'extension.pem'));
  return `${key ? ' with extension.pem, the key of your extension' : ''}${count > 0 ? ` with ${count} backups` : ''}`;
}

const removing = (place: string): Item => ({
  what: place,
  state: 'delete',
  detail: withWhat(place).trim(),
  make: () => emptyOrRemove(place),
});

/** Removes a file or a folder; of one on a disk of its own, which nothing but `umount` takes away, all that is in it. */
export async function emptyOrRemove(place: string): Promise<void> {
  const all = { recursive: true, force: true };
  await rm(place, all).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EBUSY') throw error;
    for (const one of readdirSync(place)) await rm(path.join(place, one), all);
  });
}
