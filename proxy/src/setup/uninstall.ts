import { execFile } from 'node:child_process';
import { existsSync, lstatSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { environmentFile, installed, readAdminKey } from '#commands/settings.ts';
import { terminal } from '#commands/terminal.ts';
import { ConfigError, Environment, parseSome } from '#config.ts';
import { createAdminClient } from '#helpdesk/admin.ts';
import { withEgress } from '#net/egress.ts';
import { carryOut, type Item } from './items.ts';
import { runProvision } from './provision.ts';
import { units, unitsAt } from './systemd.ts';

const run = promisify(execFile);

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
  if (adminKey === null) io.print('Without a System Manager’s key (--admin-key-file) what is in the helpdesk stays.\n');
  else {
    const chosen = { extensionId: [], remove: true, ...options };
    const { code } = await runProvision(chosen, { file, variables: process.env }, io);
    if (code !== 0) return code;
    await disableAccount(adminKey.reveal(), io.print);
  }
  const { code } = await carryOut(machineItems(), [], io, mode);
  if (code !== 0) return code;
  const data = [path.dirname(installed.settings), installed.data].filter((place) => existsSync(place));
  if (data.length === 0) return 0;
  const isToGo = options.purge || (!options.yes && (await saysDelete(io.ask, data)));
  if (!isToGo) {
    io.print(`\nSettings and data stay: ${data.join(', ')}. "--purge" deletes them.`);
    return 0;
  }
  const items = [...data.map((place) => removing(place)), account()];
  return (await carryOut(items, [], io, 'yes')).code;
}

async function saysDelete(ask: ((question: string) => Promise<string>) | null, data: string[]): Promise<boolean> {
  const answer = await ask?.(`\nDelete settings and data for good (${data.join(', ')})? Type "delete": `);
  return answer?.trim() === 'delete';
}

/** The service account, by the key in our settings. */
async function disableAccount(adminKey: string, print: (text: string) => void): Promise<void> {
  const { HELPDESK_URL, HELPDESK_API_KEY, ALLOW_INSECURE_UPSTREAMS } = parseSome(
    Environment.pick({ HELPDESK_URL: true, HELPDESK_API_KEY: true, ALLOW_INSECURE_UPSTREAMS: true }),
    process.env,
  );
  await withEgress({ ALLOW_INSECURE_UPSTREAMS }, async (egress) => {
    const admin = createAdminClient(egress.upstream(HELPDESK_URL, { timeoutMs: 30_000 }), adminKey);
    const signal = AbortSignal.timeout(60_000);
    const filters = [['api_key', '=', HELPDESK_API_KEY.reveal()]] as const;
    const [user] = await admin.list('User', { fields: ['name', 'enabled'], filters }, signal);
    if (user === undefined || user.enabled === 0) return;
    await admin.update('User', user.name, { enabled: 0 }, signal);
    print(`\nThe service account ${user.name} is disabled; delete it in the helpdesk if nothing names it.\n`);
  });
}

function machineItems(): Item[] {
  const there = units.map((unit) => path.join(unitsAt, unit)).filter((unit) => existsSync(unit));
  const items: Item[] = [];
  if (there.length > 0)
    items.push({
      what: 'deskside, deskside-backup.timer',
      state: 'delete',
      detail: 'stopped, and not started any more',
      make: async () => {
        await run('systemctl', ['disable', '--now', 'deskside', 'deskside-backup.timer']);
      },
    });
  items.push(...there.map((unit) => removing(unit)));
  if (there.length > 0)
    items.push({
      what: 'systemd',
      state: 'change',
      detail: 'reads its units again',
      make: () => run('systemctl', ['daemon-reload']),
    });
  const stamp = '/var/lib/systemd/timers/stamp-deskside-backup.timer';
  for (const place of ['/etc/sysusers.d/deskside.conf', '/usr/local/bin/deskside', stamp])
    if (lstatSync(place, { throwIfNoEntry: false })) items.push(removing(place));
  return items;
}

const removing = (place: string): Item => ({
  what: place,
  state: 'delete',
  detail: '',
  make: async () => rmSync(place, { recursive: true, force: true }),
});

const account = (): Item => ({
  what: 'The account "deskside" of this machine',
  state: 'delete',
  detail: '',
  make: async () => {
    await run('userdel', ['deskside']).catch(() => {});
  },
});
