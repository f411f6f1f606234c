import { Command } from 'commander';
import { examine } from '#checks/doctor.ts';
import { readAdminKey } from '#cli/admin-key.ts';
import { loadConfig } from '#cli/load-config.ts';
import { parseConfig } from '#config/environment.ts';
import { jsonReport, printReport } from '#setup/doctor/print-report.ts';
import { StoreError } from '#store/store.ts';

/** `deskside doctor`: says in plain words what is wrong and how to fix it. Writes nothing anywhere. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Check the helpdesk, the CRM and this machine: say what is wrong and how to fix it, change nothing')
    .option(
      '--admin-key-file <path>',
      "file with a System Manager's key:secret (default: DESKSIDE_ADMIN_KEY), for more checks",
    )
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', '\nExits with 0 if nothing is wrong (warnings do not count), otherwise with 1.')
    .action(async ({ adminKeyFile, json }: { adminKeyFile?: string; json?: boolean }) => {
      const config = await loadConfig().catch((error: unknown) => {
        // What is wrong with the store is a finding; the rest can be checked all the same.
        if (error instanceof StoreError) return parseConfig(process.env);
        throw error;
      });
      const adminKey = readAdminKey(adminKeyFile, process.env.DESKSIDE_ADMIN_KEY);
      const report = await examine(config, { adminKey });
      process.stdout.write(`${json ? jsonReport(report) : printReport(report)}\n`);
      process.exitCode = report.healthy ? 0 : 1;
    });
}
