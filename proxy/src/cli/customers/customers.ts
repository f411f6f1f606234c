import type { AcceptedMatch, CustomerMatch, CustomerMatches, MatchFact } from '@deskside/shared/customer-matches';
import type { OrgId } from '@deskside/shared/orgid';
import { Command } from 'commander';
import { acceptCertain, acceptMatch, undoAccepted } from '#app/customer/match/accept-match.ts';
import { listMatches } from '#app/customer/match/list-matches.ts';
import { countVerdicts, type MatchReport, matchCustomers } from '#app/customer/match/match-customers.ts';
import { operator, orgIdArgument } from '#cli/arguments.ts';
import { printTable } from '#cli/terminal/print-table.ts';
import { progressOf } from '#cli/terminal/progress.ts';
import { StartError } from '#http/server/listen.ts';
import { earlyEndings, withCrm } from './with-crm.ts';

/** `deskside customers`: which companies the customers are that people made by hand (docs/operations.md#customers-made-by-hand). */
export function customersCommand(): Command {
  return new Command('customers')
    .description('Find the companies of customers made by hand, and make them these companies')
    .addCommand(matchCommand())
    .addCommand(listCommand())
    .addCommand(acceptCommand())
    .addCommand(undoCommand());
}

function matchCommand(): Command {
  return new Command('match')
    .description(
      'Look for the company of every customer without org id, in the CRM’s spare budget; changes no customer',
    )
    .option('--json', 'print what was found as JSON')
    .addHelpText(
      'after',
      '\nMay be interrupted: the next one goes on there.\nExits with 1 if it did not come to its end, or the CRM did not answer about customers.',
    )
    .action(({ json }: { json?: boolean }) =>
      withCrm(async (ctx, signal) => {
        const progress = progressOf('Customers');
        const report = await matchCustomers(ctx, { onProgress: progress.show }, signal).finally(progress.end);
        const found = await listMatches(ctx);
        console.log(json ? JSON.stringify({ ...report, ...found }) : [...table(found), endOf(report)].join('\n'));
        if (report.ended !== 'done' || report.failed > 0) process.exitCode = 1;
      }),
    );
}

function listCommand(): Command {
  return new Command('list')
    .description('Show what the last look found, and what has been accepted; asks nobody')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) =>
      withCrm(async (ctx) => {
        const found = await listMatches(ctx);
        console.log(json ? JSON.stringify(found) : table(found).join('\n'));
      }),
    );
}

function acceptCommand(): Command {
  return new Command('accept')
    .description('Make customers the companies that were found for them')
    .argument('[name]', 'the customer')
    .option('--org-id <id>', 'the company that it is', orgIdArgument)
    .option('--certain', 'all that are certain')
    .action(
      (
        name: string | undefined,
        { orgId, certain = false }: { orgId?: OrgId; certain?: boolean },
        command: Command,
      ) => {
        if (certain ? name !== undefined || orgId !== undefined : name === undefined || orgId === undefined)
          command.error('Name a customer and its --org-id, or give --certain alone.');
        return withCrm(async (ctx, signal) => {
          const by = operator().name;
          if (name !== undefined && orgId !== undefined)
            return sayAccepted([await acceptMatch(ctx, { by, customer: name, orgId }, signal)]);
          const judgedAt = (await listMatches(ctx)).run?.begun_at;
          if (judgedAt === undefined)
            throw new StartError('Nothing has been looked at yet: run "deskside customers match" first.');
          const batch = crypto.randomUUID();
          // Said first, so that it is known whatever happens.
          console.log(`To take all of them back: customers undo --batch ${batch}`);
          const all: AcceptedMatch[] = [];
          for (let after: string | null = null; ; ) {
            const { accepted, next } = await acceptCertain(ctx, { by, judgedAt, batch, after }, signal);
            all.push(...accepted);
            if (next === null || signal.aborted) break;
            after = next;
          }
          sayAccepted(all);
        });
      },
    );
}

function undoCommand(): Command {
  return new Command('undo')
    .description('Give accepted customers back what they were')
    .argument('[id]', 'of what was accepted')
    .option('--batch <id>', 'all that were accepted at once')
    .action((id: string | undefined, { batch }: { batch?: string }, command: Command) => {
      if ((id === undefined) === (batch === undefined)) command.error('Name what was accepted, or a --batch.');
      return withCrm(async (ctx, signal) => {
        const undone: string[] = [];
        for (let left = 1; left > 0 && !signal.aborted; ) {
          const taken = await undoAccepted(ctx, batch === undefined ? { id: id ?? '' } : { batch }, signal);
          undone.push(...taken.customers);
          left = taken.left;
        }
        console.log(undone.length === 0 ? 'Nothing was accepted under this id.' : `Taken back: ${undone.join(', ')}`);
        if (undone.length === 0) process.exitCode = 1;
      });
    });
}

const facts: Record<MatchFact['code'], string> = {
  org_id_in_name: 'org id in the name',
  ticket_org_id: 'org id of tickets',
  member_address: 'e-mail',
  member_phone: 'telephone',
  same_domain: 'domain',
  same_name: 'name',
};
const weights: Record<MatchFact['weight'], string> = {
  full: '',
  similar: ' (others are called similarly)',
  shared: ' (others have it too)',
  unproven: ' (a website user may have written it)',
  part: ' (in part)',
};
const order: readonly CustomerMatch['verdict'][] = ['certain', 'likely', 'several', 'none'];
/** As many as a person compares. */
const mostShown = 4;

function table({ matches, accepted }: CustomerMatches): string[] {
  const head = ['Verdict', 'Customer', 'Org id', 'Company in the CRM', 'What agrees'];
  const sorted = matches.toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
  const rows = sorted.flatMap((match) => {
    const shown = match.candidates.slice(0, match.verdict === 'certain' || match.verdict === 'likely' ? 1 : mostShown);
    const lines =
      shown.length > 0
        ? shown.map((one) => [one.org_id ?? '(none)', one.name ?? one.crm_id, agreeing(one, match)])
        : [['', '', '']];
    return lines.map((line, at) => [...(at === 0 ? [match.verdict, match.customer] : ['', '']), ...line]);
  });
  const counts = countVerdicts(matches);
  return [
    ...(rows.length > 0 ? [...printTable(head, rows), ''] : []),
    `${order.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ')}.`,
    ...(accepted.length > 0
      ? [
          '',
          ...printTable(
            ['Accepted', 'Org id', 'By', 'At', 'Id', 'Batch'],
            accepted.map(({ customer, org_id, by, at, id, batch }) => [
              customer,
              org_id,
              by ?? '',
              at.slice(0, 16).replace('T', ' '),
              id,
              batch ?? '',
            ]),
          ),
        ]
      : []),
  ];
}

function agreeing(
  { facts: found, customer }: CustomerMatch['candidates'][number],
  { rivals = [], taken_back }: CustomerMatch,
): string {
  const said = found.map(({ code, value, weight }) => `${facts[code]} ${value}${weights[weight]}`);
  return [
    ...said,
    ...(customer === null
      ? []
      : [`but the company is ${customer} already: "deskside duplicates" says how to join them`]),
    ...(taken_back ? ['but this was accepted before, and undone'] : []),
    ...(rivals.length === 0 ? [] : [`but so is ${rivals.join(', ')}`]),
  ].join('; ');
}

const endings: Record<MatchReport['ended'], string> = {
  done: 'Every customer without org id has been looked at; nothing was changed. "deskside customers accept" makes them companies.',
  ...earlyEndings,
};

function endOf({ ended, resumed, failed, done, total }: MatchReport): string {
  return [
    ...(resumed ? ['Went on where the last look had stopped.'] : []),
    ...(failed > 0 ? [`The CRM did not answer about ${failed} of ${total}.`] : []),
    ...(ended === 'done' ? [] : [`${done} of ${total} have been looked at.`]),
    endings[ended],
  ].join('\n');
}

const outcomes: Record<AcceptedMatch['outcome'], string> = {
  adopted: 'is the company now',
  already: 'was the company already',
  gone: 'does not exist any more',
  other_identity: 'stands for another company; its name may end in another org id',
  company_has_customer:
    'was left as it is: the company is another customer already ("deskside duplicates" says how to join them)',
  not_in_crm: 'was left as it is: the CRM has no company with this org id',
  crm_failed: 'was left as it is: the CRM did not answer',
};

function sayAccepted(accepted: readonly AcceptedMatch[]): void {
  const rows = accepted.map(({ customer, org_id, outcome, other, id }) => [
    customer,
    org_id,
    other === null ? outcomes[outcome] : `${outcomes[outcome]}: ${other}`,
    id ?? '',
  ]);
  console.log(
    rows.length === 0
      ? 'Nothing is certain.'
      : printTable(['Customer', 'Org id', 'What became of it', 'Id'], rows).join('\n'),
  );
  if (accepted.some(({ outcome }) => outcome !== 'adopted' && outcome !== 'already')) process.exitCode = 1;
}
