import { Command } from 'commander';
import { databaseUrl } from '#cli/own-store.ts';
import { printTable } from '#cli/terminal/print-table.ts';
import { progressOf } from '#cli/terminal/progress.ts';
import { moveStore } from '#store/keep/move-store.ts';

/** `deskside migrate`: copies the store into another database. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Copy the store into another database, such as from SQLite to PostgreSQL')
    .requiredOption('--from <address>', 'where the store is, such as file:./data')
    .requiredOption('--to <address>', 'where it is to be, such as postgres://deskside@db.example/deskside')
    .addHelpText('after', '\nA password that should not stand in the command may be in PGPASSWORD.')
    .action(async (options: { from: string; to: string }) => {
      const from = databaseUrl({ DATABASE_URL: options.from });
      const to = databaseUrl({ DATABASE_URL: options.to });
      const progress = progressOf('Copying rows');
      const counts = await moveStore(from, to, progress.show).finally(progress.end);
      const rows = Object.entries(counts).map(([table, count]) => [table, String(count)]);
      console.log(printTable(['Table', 'Rows'], rows).join('\n'));
      console.log('Everything has arrived. Set DATABASE_URL to the new address and start the proxy again.');
    });
}
