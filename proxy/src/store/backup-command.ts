import { Command } from 'commander';
import { databaseUrl, environmentFile } from '#commands/settings.ts';
import { ConfigError } from '#config.ts';
import { backUp } from './back-up.ts';
import { isPostgres } from './database-url.ts';

/** `deskside backup`: copies the store while the service runs. */
export function backupCommand(): Command {
  return new Command('backup')
    .description('Back up the store into one file, while the service runs')
    .argument('<file>', 'such as /var/backups/deskside.db; an older backup there is replaced')
    .option('--with-settings', 'copy the files of settings and rules beside it: <file>.env and <file>.rules.json')
    .action(async (file: string, { withSettings }: { withSettings?: boolean }, command: Command) => {
      if (isPostgres(databaseUrl())) {
        // The nightly unit runs on every installation; a failed one is for what an operator has to mend.
        console.log('The store is on PostgreSQL: nothing was backed up here. Back it up with pg_dump.');
        return;
      }
      const given = command.optsWithGlobals<{ envFile?: string }>().envFile;
      const beside = withSettings ? settingsFiles(environmentFile(given)) : {};
      await backUp(databaseUrl(), file, { clock: Date.now, beside });
      console.log(`Backed up into ${file}.`);
    });
}

/** By the ending that each gets beside the backup. */
function settingsFiles(settings: string | null): Record<string, string> {
  if (settings === null) throw new ConfigError('There is no file of settings to copy: give it with --env-file.');
  const rules = process.env.RULES_FILE?.trim();
  return { '.env': settings, ...(rules && { '.rules.json': rules }) };
}
