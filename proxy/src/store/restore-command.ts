import { Command } from 'commander';
import { databaseUrl } from '#commands/settings.ts';
import { restore } from './restore.ts';

/** `deskside restore`: puts a backup in the place of the store. */
export function restoreCommand(): Command {
  return new Command('restore')
    .description('Put a backup in the place of the store; the service has to be stopped')
    .argument('<file>', 'what "backup" made')
    .action(async (file: string) => {
      await restore(databaseUrl(), file);
      console.log(`Restored from ${file}. Tickets that were routed since then stay as they are.`);
    });
}
