import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/api';
import { customerFieldOf, ticketFieldOf } from '#helpdesk/fields.ts';
import type { Upstream } from '#net/egress.ts';

type Request = Parameters<Upstream['request']>[0];

const inverse = (fields: Record<string, string>) =>
  new Map(Object.entries(fields).map(([member, field]) => [field, member]));
const factOf = inverse(customerFieldOf);
const memberOf = inverse(ticketFieldOf);

/** A list that is too long for an address. */
const isReading = ({ method, path }: Request) => method === 'GET' || path.endsWith('/frappe.client.get_list');

/**
 * What a request to the helpdesk writes, in words, with the ports' names for its fields; null if it only reads:
 * `create Shop`, `update Shop lastCheckedAt`, `link 1 Shop`, `route 1 agentGroup reason`, `assign 1 an@desk.example`,
 * `withdraw 1 an@desk.example`, `snapshot 63001`.
 */
export function writeInWords({ document }: Pick<HelpdeskSimulator, 'document'>, request: Request): string | null {
  if (isReading(request)) return null;
  const [, , , what = '', name = ''] = request.path.split('/').map(decodeURIComponent);
  const { modified: _, ...body } = JSON.parse(request.body ?? '{}') as Record<string, unknown>;
  const fields = Object.keys(body);
  const named = (names: ReadonlyMap<string, string>) => fields.map((field) => names.get(field) ?? field).join(' ');
  switch (what) {
    case 'frappe.desk.form.assign_to.add':
      return `assign ${body.name} ${body.assign_to}`;
    case 'frappe.desk.form.assign_to.remove':
      return `withdraw ${body.name} ${body.assign_to}`;
    case 'ToDo': {
      const todo = document('ToDo', name);
      return `withdraw ${todo?.reference_name} ${todo?.allocated_to}`;
    }
    case 'HD Ticket':
      return fields.includes('customer')
        ? [`link ${name} ${body.customer}`, ...fields.flatMap((field) => memberOf.get(field) ?? [])].join(' ')
        : `route ${name} ${named(memberOf)}`;
    case 'HD Customer':
      return name === '' ? `create ${body.customer_name}` : `update ${name} ${named(factOf)}`;
    case 'HD Customer Data':
      return `snapshot ${body.external_id ?? document('HD Customer Data', name)?.external_id}`;
    default:
      return `${request.method} ${what} ${name}`;
  }
}
