import { Command } from 'commander';
import { wholeNumber } from '#cli/arguments.ts';
import { databaseUrl } from '#cli/own-store.ts';
import { backUp } from '#store/keep/back-up.ts';
import { keepNewest } from '#store/keep/keep-newest.ts';
import { readBackup } from '#store/keep/manifest.ts';
import { version } from '#version.ts';

/** `deskside backup`: copies the store while the service runs. */
export function backupCommand(): Command {
  return new Command('backup')
    .description('Back up the store while the service runs, into a folder of its own')
    .argument('<folder>', 'where backups are kept, such as /var/backups/deskside')
    .option(
      '--keep <number>',
      'once it is made, delete all but so many of the newest there',
      wholeNumber(1, 99_999, 'a whole number from 1'),
    )
    .addHelpText('after', '\nPrints the path of the backup, which "restore" takes.')
    .action(async (folder: string, { keep }: { keep?: number }) => {
      const { path } = await backUp(databaseUrl(), folder, { version, clock: Date.now });
      console.log(path);
      for (const deleted of keep === undefined ? [] : await keepNewest(folder, keep))
        console.error(`Deleted ${deleted}`);
    })
    .addCommand(verifyCommand());
}

function verifyCommand(): Command {
  return new Command('verify')
    .description('Check that a backup is whole: every file is there and as it was made')
    .argument('<backup>', 'the folder that "backup" printed')
    .action(async (backup: string) => {
      const { made_at, rows, version: by } = await readBackup(backup);
      const total = Object.values(rows).reduce((sum, one) => sum + one, 0);
      console.log(`${backup} is whole: made ${made_at} by version ${by}, ${total} rows.`);
    });
}
