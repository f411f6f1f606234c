import { Command } from 'commander';
import { databaseUrl } from '#cli/own-store.ts';
import { restore } from '#store/keep/restore.ts';

/** `deskside restore`: puts a backup in the place of the store. */
export function restoreCommand(): Command {
  return new Command('restore')
    .description('Put a backup in the place of the store; every proxy on it has to be stopped')
    .argument('<backup>', 'the folder that "backup" made')
    .option('--replace', 'replace a store that is there already; it is kept aside')
    .action(async (backup: string, { replace }: { replace?: boolean }) => {
      const how = { replace: replace === true, clock: Date.now };
      const { manifest, replaced } = await restore(databaseUrl(), backup, how);
      const rows = Object.values(manifest.rows).reduce((sum, count) => sum + count, 0);
      console.log(`Restored: ${rows} rows in ${Object.keys(manifest.rows).length} tables, as of ${manifest.made_at}.`);
      if (replaced !== null) console.log(`What was there before is kept as ${replaced}.`);
      console.log('Tickets routed since then are taken over as they stand once a proxy runs.');
    });
}
