import { Command } from 'commander';
import { ConfigError } from '#config.ts';
import { customersCommand } from '#customers/customers-command.ts';
import { replayCommand } from '#routing/replay-command.ts';
import { crmFieldsCommand } from '#setup/crm-fields.ts';
import { doctorCommand } from '#setup/doctor.ts';
import { extensionCommand } from '#setup/extension.ts';
import { initCommand } from '#setup/init.ts';
import { provisionCommand } from '#setup/provision.ts';
import { uninstallCommand } from '#setup/uninstall.ts';
import { backupCommand } from '#store/backup-command.ts';
import { migrateCommand } from '#store/migrate-command.ts';
import { purgeCommand } from '#store/purge-command.ts';
import { restoreCommand } from '#store/restore-command.ts';
import { build } from '#version.ts';
import { environmentFile, installed, readVariables, type Variables } from './environment-file.ts';
import { runCommand } from './run-command.ts';
import { serveCommand } from './serve.ts';

const program = new Command('deskside')
  .description('Deskside, between the helpdesk and the CRM: the service and its commands.')
  .version(build)
  .option('--env-file <path>', `the settings (default: ${installed.settings}, or .env in this folder)`)
  .hook('preAction', (_, command) => {
    Object.assign(process.env, read(command.name() === 'init'));
  });

/** What a person types before a command that only root may run. */
const sudo = process.getuid?.() === 0 ? '' : 'sudo ';
/** The environment, without what the file says. */
const over = { ...process.env };

/** @param makesFile whether the command makes the file where there is none */
function read(makesFile = false): Variables {
  const file = environmentFile(program.opts<{ envFile?: string }>().envFile) ?? (makesFile ? installed.settings : null);
  if (file === null && !over.HELPDESK_URL?.trim() && !over.DATABASE_URL?.trim())
    throw new ConfigError(`There are no settings yet: run "${sudo}deskside init".`);
  return file === null ? over : readVariables(file, { over, mayMiss: makesFile });
}

program.addCommand(serveCommand(read));
program.addCommand(initCommand());
program.addCommand(provisionCommand());
program.addCommand(doctorCommand());
program.addCommand(crmFieldsCommand());
program.addCommand(replayCommand());
program.addCommand(purgeCommand());
program.addCommand(customersCommand());
program.addCommand(backupCommand());
program.addCommand(restoreCommand());
program.addCommand(migrateCommand());
program.addCommand(extensionCommand());
program.addCommand(uninstallCommand());

await runCommand(program);
