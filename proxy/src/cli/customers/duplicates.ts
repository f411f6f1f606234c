import { Command } from 'commander';
import { withHelpdeskSearch } from '#cli/helpdesk-search.ts';
import { printTable } from '#cli/terminal/print-table.ts';
import { findTwins, type Twins } from '#domain/customer/find-twins.ts';
import type { ListedCustomer } from '#ports/helpdesk/helpdesk-search.ts';

/** `proxy duplicates`: which HD Customers look like twins. Reads the helpdesk as the service account and writes nothing. */
export function duplicatesCommand(): Command {
  return new Command('duplicates')
    .description('List customers of the helpdesk that look like twins; changes nothing')
    .option('--json', 'print the groups as JSON')
    .addHelpText('after', '\nExits with 0 if there are none, otherwise with 1.')
    .action(async ({ json }: { json?: boolean }) => {
      const customers = await withHelpdeskSearch(async (search) => {
        const found: ListedCustomer[] = [];
        for await (const customer of search.customers(new AbortController().signal)) found.push(customer);
        return found;
      });
      const twins = findTwins(customers);
      console.log(json ? JSON.stringify({ customers: customers.length, twins }) : reportOf(twins, customers.length));
      process.exitCode = twins.length > 0 ? 1 : 0;
    });
}

const words = { org_id: 'org id', crm_id: 'CRM id', name: 'name', domain: 'domain' };

function reportOf(twins: readonly Twins<ListedCustomer>[], looked: number): string {
  const rows = twins.flatMap(({ same, customers }, group) =>
    customers.map(({ name, orgId, crmId, domain, creation }, index) => [
      index === 0 ? `${group + 1}` : '',
      index === 0 ? `same ${same.map(({ what }) => words[what]).join(', ')}` : '',
      name,
      orgId || '(none)',
      crmId,
      domain,
      creation.slice(0, 10),
    ]),
  );
  const groups = `${twins.length} ${twins.length === 1 ? 'group' : 'groups'} of twins`;
  const count = `${twins.length === 0 ? 'No twins' : groups} among ${looked} ${looked === 1 ? 'customer' : 'customers'}.`;
  if (twins.length === 0) return count;
  const head = ['', 'Why', 'Customer', 'Org id', 'CRM id', 'Domain', 'Created'];
  const advice = [
    'Keep the one with the org id: move the tickets, contacts and members of its twin to it, then delete the twin in the',
    'helpdesk. Twins by name or domain alone may be two companies: look before you do.',
  ];
  return [...printTable(head, rows), '', count, ...advice].join('\n');
}
