import { Command } from 'commander';
import { version } from '#config/version.ts';
import { backfillCommand } from './backfill.ts';
import { backupCommand } from './backup.ts';
import { doctorCommand } from './doctor.ts';
import { duplicatesCommand } from './duplicates.ts';
import { migrateCommand } from './migrate.ts';
import { provisionCommand } from './provision.ts';
import { purgeCommand } from './purge.ts';
import { replayCommand } from './replay.ts';
import { restoreCommand } from './restore.ts';
import { runCommand } from './run-command.ts';
import { serveCommand } from './serve.ts';
import { settingsCommand } from './settings/settings.ts';

const program = new Command('proxy').description('The Deskside proxy.').version(version);

program.addCommand(serveCommand());
program.addCommand(provisionCommand());
program.addCommand(doctorCommand());
program.addCommand(replayCommand());
program.addCommand(purgeCommand());
program.addCommand(duplicatesCommand());
program.addCommand(settingsCommand());
program.addCommand(backfillCommand());
program.addCommand(backupCommand());
program.addCommand(restoreCommand());
program.addCommand(migrateCommand());

await runCommand(program);
