import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { backUp } from '#adapters/store-sql/keep/back-up.ts';
import { parseSome } from '#config/environment.ts';
import { Environment } from '#config/variables.ts';
import { version } from '#config/version.ts';

/** `proxy backup`: copies the store while the service runs. */
export function backupCommand(): Command {
  return new Command('backup')
    .description('Back up the store while the service runs, into a folder of its own')
    .argument('<folder>', 'where backups are kept, such as /var/backups/deskside')
    .addHelpText('after', '\nPrints the path of the backup, which "restore" takes.')
    .action(async (folder: string) => {
      if (existsSync('.env')) process.loadEnvFile('.env');
      const { DATABASE_URL } = parseSome(Environment.pick({ DATABASE_URL: true }), process.env);
      const { path } = await backUp(DATABASE_URL.reveal(), folder, { version, clock: Date.now });
      console.log(path);
    });
}
