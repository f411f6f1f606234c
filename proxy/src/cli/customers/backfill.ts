import { Command } from 'commander';
import { type BackfillReport, backfillCustomers } from '#app/customer/backfill/backfill-customers.ts';
import { wholeNumber } from '#cli/arguments.ts';
import { progressOf } from '#cli/terminal/progress.ts';
import { earlyEndings, withCrm } from './with-crm.ts';

const dayMs = 86_400_000;

/** `deskside backfill`: asks the CRM about all customers, in what the others leave of its budget. */
export function backfillCommand(): Command {
  return new Command('backfill')
    .description('Bring every customer of the helpdesk up to date with the CRM, in its spare budget')
    .option(
      '--stale-after <days>',
      'only customers that the CRM was last asked about longer ago',
      wholeNumber(0, 9_999, 'a number of days, such as 7'),
    )
    .option('--dry-run', 'only say how many there are; ask the CRM nothing and write nothing')
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      '\nMay be interrupted: the next one with the same --stale-after goes on there.\nExits with 1 if it did not come to its end, or customers failed.',
    )
    .action(async (options: { staleAfter?: number; dryRun?: boolean; json?: boolean }) => {
      const progress = progressOf('Customers');
      const order = {
        staleAfterMs: options.staleAfter === undefined ? null : options.staleAfter * dayMs,
        isDry: options.dryRun === true,
        onProgress: progress.show,
      };
      const report = await withCrm((ctx, signal) => backfillCustomers(ctx, order, signal)).finally(progress.end);
      console.log(options.json ? JSON.stringify(report) : reportOf(report, order.isDry));
      process.exitCode = report.ended === 'done' && Object.keys(report.failed).length === 0 ? 0 : 1;
    });
}

const endings: Record<BackfillReport['ended'], string> = {
  done: 'Every customer has been looked at.',
  ...earlyEndings,
};

function reportOf(report: BackfillReport, isDry: boolean): string {
  const row = (what: string, count: number) => `  ${what.padEnd(34)} ${count}`;
  const skipped = [
    row('not asked about: no org id', report.withoutOrgId),
    row('not asked about: fresh enough', report.fresh),
  ];
  if (isDry) return [row('would be asked about', report.total), ...skipped, 'Nothing was done.'].join('\n');
  return [
    ...(report.resumed ? ['Went on where the last run had stopped; the counts are of both.'] : []),
    row('updated', report.updated),
    row('unchanged', report.unchanged),
    row('not found in the CRM', report.notFound),
    ...Object.entries(report.failed).map(([reason, count]) => row(`failed: ${reason}`, count)),
    ...skipped,
    endings[report.ended],
  ].join('\n');
}
