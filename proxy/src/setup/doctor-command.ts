import { Command } from 'commander';
import { readAdminKey } from '#commands/admin-key.ts';
import { untilInterrupted } from '#commands/arguments.ts';
import { parseConfig } from '#config.ts';
import { jsonReport, printReport } from './doctor/print-report.ts';
import { examine } from './doctor/run-doctor.ts';
import { proveWithTicket, type TicketProof } from './doctor/ticket-proof.ts';

/** `deskside doctor`: says in plain words what is wrong and how to fix it. Writes nothing anywhere without `--ticket`. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Check the helpdesk, the CRM and this machine: say what is wrong and how to fix it')
    .option(
      '--admin-key-file <path>',
      "file with a System Manager's key:secret (default: DESKSIDE_ADMIN_KEY), for more checks",
    )
    .option('--ticket', 'make a ticket as well, see it come through, and delete it')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', '\nExits with 0 if nothing is wrong (warnings do not count), otherwise with 1.')
    .action(async ({ adminKeyFile, ticket, json }: { adminKeyFile?: string; ticket?: boolean; json?: boolean }) => {
      const config = parseConfig(process.env);
      const adminKey = readAdminKey(adminKeyFile, process.env.DESKSIDE_ADMIN_KEY);
      const report = await examine(config, { adminKey });
      const proof = ticket ? await proveWithTicket(config, adminKey, untilInterrupted()) : null;
      const said = proof ? `${printReport(report)}\n\n${printProof(proof)}` : printReport(report);
      process.stdout.write(`${json ? jsonReport(report, proof ? { ticket: proof } : {}) : said}\n`);
      process.exitCode = report.healthy && (proof?.problems ?? []).length === 0 ? 0 : 1;
    });
}

/** What came of the ticket, for people. */
export function printProof({ ticket, seconds, team, agent, problems }: TicketProof): string {
  const hops = [
    ['the webhook came', seconds.webhook],
    [`decided: ${team ?? 'no team'}, ${agent ?? 'nobody'}`, seconds.decision],
    ['the profile was there', seconds.profile],
  ] as const;
  return [
    ticket === null ? 'No ticket' : `Ticket ${ticket}, made and deleted`,
    ...hops.flatMap(([what, at]) => (at === null ? [] : [`  ✓ after ${at.toFixed(1).padStart(4)} s: ${what}`])),
    ...problems.map((problem) => `  ✗ ${problem}`),
  ].join('\n');
}
