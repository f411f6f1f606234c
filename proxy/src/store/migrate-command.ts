import { Command } from 'commander';
import { databaseUrl } from '#commands/settings.ts';
import { ConfigError } from '#config.ts';
import { moveStore } from './move-store.ts';

/** `deskside migrate`: copies the store into another database. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Copy the store into another, empty database; the service has to be stopped')
    .requiredOption('--to <address>', 'where it is to be, such as postgres://deskside@db.example/deskside')
    .addHelpText('after', '\nA password that should not stand in the command may be in PGPASSWORD.')
    .action(async ({ to }: { to: string }) => {
      if (!/^(file:.+|postgres(ql)?:\/\/.+)$/.test(to))
        throw new ConfigError('--to: expected file:<folder> or postgres://…');
      const rows = await moveStore(databaseUrl(), to);
      console.log(`${rows} rows were copied. Set DATABASE_URL to the new address and start the service.`);
    });
}
