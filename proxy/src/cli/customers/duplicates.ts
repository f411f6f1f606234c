import { Command } from 'commander';
import { never } from '#cli/arguments.ts';
import { withHelpdeskSearch } from '#cli/helpdesk-search.ts';
import { printTable } from '#cli/terminal/print-table.ts';
import { findTwins, keeperOf, type Twins } from '#domain/customer/find-twins.ts';
import type { HelpdeskSearch, ListedCustomer } from '#ports/helpdesk/helpdesk-search.ts';

/** A customer that looks like another one, and what would be lost with it. */
interface Twin extends ListedCustomer {
  members: number;
  tickets: number;
}

/** What to do about a group of twins; null if they are several companies. */
interface Advised extends Twins<Twin> {
  keep: { name: string; why: 'org_id' | 'members' | 'tickets' | 'older' } | null;
}

/** `deskside duplicates`: which HD Customers look like twins, which of them to keep, and how to join them. Writes nothing. */
export function duplicatesCommand(): Command {
  return new Command('duplicates')
    .description('List customers of the helpdesk that look like twins, and which to keep; changes nothing')
    .option('--json', 'print the groups as JSON')
    .addHelpText('after', '\nExits with 0 if there are none, otherwise with 1.')
    .action(async ({ json }: { json?: boolean }) => {
      const { twins, customers } = await withHelpdeskSearch((search) => findAdvised(search, never()));
      console.log(json ? JSON.stringify({ customers, twins }) : reportOf(twins, customers));
      process.exitCode = twins.length > 0 ? 1 : 0;
    });
}

async function findAdvised(
  search: HelpdeskSearch,
  signal: AbortSignal,
): Promise<{ twins: Advised[]; customers: number }> {
  const customers: ListedCustomer[] = [];
  for await (const customer of search.customers(signal)) customers.push(customer);
  const twins = findTwins(customers);
  if (twins.length === 0) return { twins: [], customers: customers.length };
  const known = await search.customersWithMembers(signal);
  const membersOf = new Map(known.map(({ name, members }) => [name, members.length]));
  const counted = new Map<string, Twin>();
  for (const customer of new Set(twins.flatMap((group) => group.customers))) {
    const tickets = await search.ticketsOf(customer.name, signal);
    counted.set(customer.name, { ...customer, members: membersOf.get(customer.name) ?? 0, tickets });
  }
  const advised = twins.map(({ same, customers: group }): Advised => {
    const all = group.flatMap(({ name }) => counted.get(name) ?? []);
    const keeper = keeperOf(all);
    return { same, customers: all, keep: keeper && { name: keeper.keep.name, why: keeper.why } };
  });
  return { twins: advised, customers: customers.length };
}

const words = { org_id: 'org id', crm_id: 'CRM id', name: 'name', domain: 'domain' };
const reasons = {
  org_id: 'has the org id',
  members: 'has most members',
  tickets: 'has most tickets',
  older: 'is the oldest',
};

function reportOf(twins: readonly Advised[], looked: number): string {
  const rows = twins.flatMap(({ same, customers, keep }, group) =>
    customers.map(({ name, orgId, crmId, domain, creation, members, tickets }, index) => [
      index === 0 ? `${group + 1}` : '',
      index === 0 ? `same ${same.map(({ what }) => words[what]).join(', ')}` : '',
      name,
      orgId || '(none)',
      crmId,
      domain,
      `${members}`,
      `${tickets}`,
      creation.slice(0, 10),
      keep === null
        ? 'leave: two org ids'
        : keep.name === name
          ? `keep: ${reasons[keep.why]}`
          : 'rename to it, and merge',
    ]),
  );
  const groups = `${twins.length} ${twins.length === 1 ? 'group' : 'groups'} of twins`;
  const count = `${twins.length === 0 ? 'No twins' : groups} among ${looked} ${looked === 1 ? 'customer' : 'customers'}.`;
  if (twins.length === 0) return count;
  const head = ['', 'Why', 'Customer', 'Org id', 'CRM id', 'Domain', 'Members', 'Tickets', 'Created', 'What to do'];
  const advice = [
    'To join two, open the one that goes in the helpdesk (/app/hd-customer), and in its menu choose Rename: the name of the',
    'one that stays, with "Merge with existing". Tickets and contacts move to it; the other one is gone, with its fields and,',
    'from Helpdesk 1.28 on, its list of members: add these to the one that stays first. Whoever may write both may do this.',
    'Twins by name or domain alone may be two companies: look before you do.',
  ];
  return [...printTable(head, rows), '', count, ...advice].join('\n');
}
