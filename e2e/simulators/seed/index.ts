import { crmCompanies } from './crm-companies.ts';
import { crmContacts, crmUsers } from './crm-people.ts';
import { accountLinkDocuments, contactDocuments, customerDocuments } from './helpdesk-customers.ts';
import { customFields, protectedFields } from './helpdesk-fields.ts';
import { teamDocuments } from './helpdesk-teams.ts';
import { ticketDocuments } from './helpdesk-tickets.ts';
import { helpdeskUsers } from './helpdesk-users.ts';
import { worldTime } from './time.ts';
import type { Seed } from './types.ts';

export { demo } from './demo.ts';
export { staffEmail } from './helpdesk-users.ts';
export { shops } from './shops.ts';
export type * from './types.ts';

/**
 * Makes the invented world, the same one for the same `now`; without it, as of the present moment. Nothing in it is shared
 * with another one: a test may change its own.
 */
export function makeSeed({ now = new Date() }: { now?: Date } = {}): Seed {
  const at = worldTime(now);
  const { tickets, todos } = ticketDocuments(at);
  return structuredClone({
    crm: { companies: crmCompanies(at), users: crmUsers(at), contacts: crmContacts(at) },
    helpdesk: {
      timeZone: 'Asia/Ho_Chi_Minh',
      users: helpdeskUsers(),
      documents: {
        'HD Ticket': tickets,
        'HD Customer': customerDocuments(at),
        Contact: contactDocuments(at),
        ToDo: todos,
        'Platform Account Link': accountLinkDocuments(at),
        ...teamDocuments(at),
      },
      customFields,
      protectedFields,
      closedContacts: true,
    },
  });
}

let shared: Seed | undefined;

/**
 * The world for whoever changes nothing in it, as of the moment at which it is first asked for. It is frozen, so simulators
 * load it once in a process (helpdesk/create-site.ts).
 */
export function sharedSeed(): Seed {
  shared ??= frozen(makeSeed());
  return shared;
}

function frozen<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) frozen(part);
  return Object.freeze(value);
}
