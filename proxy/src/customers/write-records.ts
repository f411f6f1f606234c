import type { FieldChange, TicketLinkResult } from '@deskside/shared/enrichment';
import type { Conflict } from '@deskside/shared/envelope';
import type { Context } from '#context.ts';
import type { CustomerRecord } from '#helpdesk/customers.ts';
import type { CustomerFacts } from '#helpdesk/fields.ts';
import type { Helpdesk } from '#helpdesk/helpdesk.ts';
import type { TicketLink } from '#helpdesk/tickets.ts';
import { AppError } from '#runtime/app-error.ts';
import { retryIfChanged } from '#runtime/retry-if-changed.ts';
import { customerNameFor } from './customer-name.ts';
import { type CustomerFound, type CustomerSearch, conflictOf, findCustomer } from './find-customer.ts';

export interface CustomerWritten {
  name: string;
  created: boolean;
  changes: FieldChange[];
  /** The facts behind the changes. */
  facts: CustomerFacts;
  conflict: Conflict | null;
  /** The record as found; null for a new one. */
  before: CustomerRecord | null;
}

/** What to write, computed again for every version of the record; null stands for a new one. */
export type FactsFor = (record: CustomerRecord | null) => Promise<CustomerFacts> | CustomerFacts;

/**
 * Writes what differs to the customer that the search finds; null if it finds none. If someone else has written
 * meanwhile, everything is computed again from the current record, and values that they changed are left alone
 * (docs/decisions.md 18). Throws what `findCustomer` throws, `changed_since` and HelpdeskError.
 */
export async function writeCustomer(
  store: Context,
  { search, factsFor, companyName }: { search: CustomerSearch; factsFor: FactsFor; companyName?: string | null },
  signal: AbortSignal,
): Promise<CustomerWritten | null> {
  const { helpdesk } = store;
  let first: CustomerRecord | null = null;
  return retryIfChanged(async (isFirst) => {
    // What was read before somebody else wrote is read again.
    let found = await findCustomer(store, isFirst ? search : { ...search, asRead: null }, signal);
    if (found.record === null) {
      if (companyName === undefined) return null;
      const made = await create(
        store,
        { found, search, name: customerNameFor(companyName ?? '', search.target.orgId), factsFor },
        signal,
      );
      if ('name' in made) return made;
      found = made;
    }
    const { record, conflict } = found;
    // Someone else is just creating a customer of that name: the next search finds it.
    if (record === null) return 'changed_meanwhile';
    const facts = await factsFor(record);
    const target = first?.name === record.name ? withoutEdited(helpdesk, first, record, facts) : facts;
    const changes = await helpdesk.customers.update(record, target, signal);
    if (changes === 'changed_meanwhile') {
      first ??= record;
      return changes;
    }
    const written = differing(helpdesk, record, target);
    return { name: record.name, created: false, changes, facts: written, conflict, before: record };
  });
}

/**
 * Creates the customer. If the name is taken, returns its holder if that has the org id, and else throws a conflict that
 * names it: a name alone finds no customer (docs/decisions.md 12).
 */
async function create(
  store: Context,
  input: { found: CustomerFound; search: CustomerSearch; name: string; factsFor: FactsFor },
  signal: AbortSignal,
): Promise<CustomerWritten | CustomerFound> {
  const { found, search, name } = input;
  const { helpdesk } = store;
  const facts = await input.factsFor(null);
  const created = await helpdesk.customers.create(name, facts, signal);
  if (created !== null) {
    const changes = helpdesk.customers.plan(null, facts);
    return { name: created.name, created: true, changes, facts, conflict: found.conflict, before: null };
  }
  const record = await helpdesk.customers.read(name, signal);
  if (record === null) return { ...found, record };
  if (record.orgId !== search.target.orgId) throw AppError.conflict(conflictOf(record, search.target));
  return { ...found, record };
}

function differing(helpdesk: Helpdesk, record: CustomerRecord, facts: CustomerFacts) {
  const changed = Object.entries(facts).filter(
    ([key, value]) => helpdesk.customers.plan(record, { [key]: value }).length,
  );
  return Object.fromEntries(changed) as CustomerFacts;
}

/** The facts without those whose value was edited between two reads of the record. */
function withoutEdited(
  helpdesk: Helpdesk,
  before: CustomerRecord,
  now: CustomerRecord,
  facts: CustomerFacts,
): CustomerFacts {
  const kept = Object.entries(facts).filter(([key, value]) => {
    const one: CustomerFacts = { [key]: value };
    const [was] = helpdesk.customers.plan(before, one);
    const [is] = helpdesk.customers.plan(now, one);
    return is === undefined || (was !== undefined && is.from === was.from);
  });
  return Object.fromEntries(kept);
}

/**
 * Links a ticket to a customer, or unlinks it with null, unless its present customer may not be replaced. `linked`
 * tells whether it is linked to the customer afterwards. After a lost race the question is decided again. Throws
 * `changed_since` and HelpdeskError.
 */
export async function linkTicket(
  helpdesk: Helpdesk,
  {
    ticket,
    customer,
    mayReplace,
    asRead = null,
  }: {
    ticket: string;
    customer: string | null;
    mayReplace: (present: string | null) => boolean;
    /** The link as it was read with the ticket; null: it is read here. */
    asRead?: TicketLink | null;
  },
  signal: AbortSignal,
): Promise<TicketLinkResult> {
  return retryIfChanged(async (isFirst) => {
    const link = (isFirst ? asRead : null) ?? (await helpdesk.tickets.readLink(ticket, signal));
    const { name, customer: previous_customer } = link;
    if (previous_customer === customer) return { name, linked: true, previous_customer };
    if (!mayReplace(previous_customer)) return { name, linked: false, previous_customer };
    const outcome = await helpdesk.tickets.link(link, customer, signal);
    return outcome === 'changed_meanwhile' ? outcome : { name, linked: true, previous_customer };
  });
}
