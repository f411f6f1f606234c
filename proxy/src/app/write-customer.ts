import type { FieldChange } from '@deskside/shared/enrichment';
import type { Conflict } from '@deskside/shared/envelope';
import { customerNameFor } from '../domain/customer-name.ts';
import { fitOf } from '../domain/resolve-customer.ts';
import type { CustomerFacts, CustomerRecord, HelpdeskRecords } from '../ports/helpdesk-records.ts';
import { AppError } from './app-error.ts';
import { type CustomerFound, type CustomerSearch, conflictOf, findCustomer } from './find-customer.ts';

export interface CustomerWritten {
  name: string;
  created: boolean;
  changes: FieldChange[];
  conflict: Conflict | null;
  /** The record as it was found; null for a new one. */
  before: CustomerRecord | null;
}

/** What is to be written, worked out afresh for every version of the record; null: for a new one. */
export type FactsFor = (record: CustomerRecord | null) => CustomerFacts;

/** A write that lost against somebody else's is tried this often in all. */
const mostTries = 3;

/**
 * Writes what differs to the customer that the search finds; null where it finds none. When somebody else has written
 * meanwhile, everything is judged afresh on what stands there now, and a value that he changed is left as he put it
 * (design.md, decision 18). Throws what `findCustomer` throws, `changed_since` and HelpdeskError.
 */
export async function writeCustomer(
  records: HelpdeskRecords,
  { search, factsFor, companyName }: { search: CustomerSearch; factsFor: FactsFor; companyName?: string | null },
  signal: AbortSignal,
): Promise<CustomerWritten | null> {
  let first: CustomerRecord | null = null;
  for (let attempt = 1; attempt <= mostTries; attempt += 1) {
    let found = await findCustomer(records, search, signal);
    if (found.record === null) {
      if (companyName === undefined) return null;
      const made = await create(
        records,
        { found, search, name: customerNameFor(companyName ?? '', search.wanted.orgId), factsFor },
        signal,
      );
      if ('name' in made) return made;
      found = made;
    }
    const { record, conflict } = found;
    // Whoever took the new name is in the middle of it: the next search finds what he made.
    if (record === null) continue;
    const facts = factsFor(record);
    const wanted = first?.name === record.name ? withoutEdited(records, first, record, facts) : facts;
    const changes = await records.updateCustomer(record, wanted, signal);
    if (changes !== 'changed_meanwhile')
      return { name: record.name, created: false, changes, conflict, before: record };
    first ??= record;
  }
  throw new AppError('changed_since');
}

/**
 * Creates the customer. Where the name is taken, gives its holder, unless that is somebody else: then it is a conflict
 * (facts/competitors.md, T9).
 */
async function create(
  records: HelpdeskRecords,
  input: { found: CustomerFound; search: CustomerSearch; name: string; factsFor: FactsFor },
  signal: AbortSignal,
): Promise<CustomerWritten | CustomerFound> {
  const { found, search, name } = input;
  const facts = input.factsFor(null);
  const created = await records.createCustomer(name, facts, signal);
  if (created !== null) {
    const changes = records.planCustomer(null, facts);
    return { name: created.name, created: true, changes, conflict: found.conflict, before: null };
  }
  const record = await records.readCustomer(name, signal);
  if (record !== null && fitOf(record, search.wanted) === 'other')
    throw AppError.conflict(conflictOf(record, search.wanted));
  return { ...found, record };
}

/** The facts without those whose value somebody has changed between two readings of the record. */
export function withoutEdited(
  records: Pick<HelpdeskRecords, 'planCustomer'>,
  before: CustomerRecord,
  now: CustomerRecord,
  facts: CustomerFacts,
): CustomerFacts {
  const kept = Object.entries(facts).filter(([key, value]) => {
    const one: CustomerFacts = { [key]: value };
    const [was] = records.planCustomer(before, one);
    const [is] = records.planCustomer(now, one);
    return is === undefined || (was !== undefined && is.from === was.from);
  });
  return Object.fromEntries(kept);
}
