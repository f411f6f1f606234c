import { Command } from 'commander';
import { StoreError } from '#adapters/store-sql/store.ts';
import { ConfigError } from '#config/environment.ts';
import { version } from '#config/version.ts';
import { StartError } from '#wiring/listen.ts';
import { backfillCommand } from './backfill.ts';
import { backupCommand } from './backup.ts';
import { doctorCommand } from './doctor.ts';
import { duplicatesCommand } from './duplicates.ts';
import { migrateCommand } from './migrate.ts';
import { provisionCommand } from './provision.ts';
import { purgeCommand } from './purge.ts';
import { replayCommand } from './replay.ts';
import { restoreCommand } from './restore.ts';
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

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof StartError || error instanceof StoreError)) throw error;
  console.error(error.message);
  process.exit(1);
}
