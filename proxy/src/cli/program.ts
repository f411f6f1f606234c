import { Command } from 'commander';
import { version } from '#version.ts';
import { customersCommand } from './customers/customers.ts';
import { environmentFile, installed, readVariables, type Variables } from './environment-file.ts';
import { runCommand } from './run-command.ts';
import { serveCommand } from './serve/serve.ts';
import { crmFieldsCommand } from './setup/crm-fields.ts';
import { doctorCommand } from './setup/doctor.ts';
import { initCommand } from './setup/init.ts';
import { provisionCommand } from './setup/provision.ts';
import { backupCommand } from './store/backup.ts';
import { migrateCommand } from './store/migrate.ts';
import { purgeCommand } from './store/purge.ts';
import { replayCommand } from './store/replay.ts';
import { restoreCommand } from './store/restore.ts';

const program = new Command('deskside')
  .description('Deskside, between the helpdesk and the CRM: the service and its commands.')
  .version(version)
  .option('--env-file <path>', `the settings (default: ${installed.settings}, or .env in this folder)`)
  .hook('preAction', (_, command) => {
    Object.assign(process.env, read(command.name() === 'init'));
  });

/** The environment, without what the file says. */
const over = { ...process.env };

/** @param makesFile whether the command makes the file where there is none */
function read(makesFile = false): Variables {
  const file = environmentFile(program.opts<{ envFile?: string }>().envFile) ?? (makesFile ? installed.settings : null);
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

await runCommand(program);
