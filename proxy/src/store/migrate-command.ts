import { Command } from 'commander';
import { databaseUrl } from '#commands/own-store.ts';
import { moveStore } from './move-store.ts';

/** `deskside migrate`: copies the store into another database. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Copy the store into another, empty database; the service has to be stopped')
    .requiredOption('--to <address>', 'where it is to be, such as postgres://deskside@db.example/deskside')
    .addHelpText('after', '\nA password that should not stand in the command may be in PGPASSWORD.')
    .action(async ({ to }: { to: string }) => {
      const rows = await moveStore(databaseUrl(), databaseUrl({ DATABASE_URL: to }));
      console.log(`${rows} rows were copied. Set DATABASE_URL to the new address and start the service.`);
    });
}
