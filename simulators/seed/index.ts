import { readFileSync } from 'node:fs';
import { crmCompanies, crmContacts, crmUsers } from './crm-companies.ts';
import { accountLinkDocuments, contactDocuments, customerDocuments } from './helpdesk-customers.ts';
import { forger, helpdeskUsers, teamDocuments } from './helpdesk-teams.ts';
import { scenarios, ticketDocuments } from './helpdesk-tickets.ts';
import { reachOf, shopOf } from './shops.ts';
import { worldTime } from './time.ts';
import type { HelpdeskSeed, HelpdeskUserSeed, Seed } from './types.ts';

export { staffEmail } from './helpdesk-teams.ts';
export { shops } from './shops.ts';
export type * from './types.ts';

/**
 * The specification's custom fields (docs/data.md), org ids as Data, and the record of
 * platform accounts, a DocType of the site's own (docs/data.md#account-links).
 */
const customFields = JSON.parse(
  readFileSync(new URL('custom-fields.json', import.meta.url), 'utf8'),
) as HelpdeskSeed['customFields'];

/** What says which company a customer is: out of portal customers' reach (decision 19: public tickets). */
const protectedFields = { 'HD Customer': ['custom_platform_orgid', 'custom_crm_company_id', 'custom_crm_company_url'] };

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
      closedShares: true,
    },
  });
}

let shared: Seed | undefined;

/**
 * The world for whoever changes nothing in it, as of the moment at which it is first asked for. It is frozen, so simulators
 * load it once in a process (helpdesk/simulator.ts).
 */
export function sharedSeed(): Seed {
  shared ??= frozen(makeSeed());
  return shared;
}

function frozen<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) frozen(part);
  return Object.freeze(value);
}

/** The handy parts of the seed: who can sign in, and which ticket shows what. */
export const demo = {
  /** An ordinary agent, in `Medium - Scale` and `CS 60p`. */
  agent: user('an@support.example'),
  /** An agent outside of `Medium - Scale`. */
  otherAgent: user('dung@support.example'),
  manager: user('truong@support.example'),
  /** Agent and Agent Manager: what the proxy runs as. */
  service: user('service@support.example'),
  /** System Manager without Agent. */
  sysonly: user('sysonly@support.example'),
  /** System Manager and Agent: what `provision` and `doctor` are run with. */
  admin: user('admin@support.example'),
  administrator: user('Administrator'),
  /** Portal customer, owner of the shop of `tickets.matched`. */
  portal: user(reachOf(shopOf('200000376001')).ownerEmail),
  /** Portal customer who linked himself to that shop. */
  forger: user(forger),
  /** Ticket name per state; what the states mean stands with the scenarios. */
  tickets: Object.fromEntries(Object.entries(scenarios).map(([key, { name }]) => [key, name])) as Record<
    keyof typeof scenarios,
    string
  >,
} as const;

/** The Authorization header of a user's API key. */
export function keyOf({ apiKey, apiSecret }: Pick<HelpdeskUserSeed, 'apiKey' | 'apiSecret'>): string {
  return `token ${apiKey}:${apiSecret}`;
}

function user(name: string): HelpdeskUserSeed {
  const found = helpdeskUsers().find((u) => u.name === name);
  if (!found) throw new Error(`The seed has no user ${name}.`);
  return found;
}
