import type { Adoption } from '#store/customers/adoptions.ts';
import type { Store } from '#store/store.ts';
import { type MemoryStore, memoryStore } from '#store/testing/memory-store.ts';

/** What a store in memory remembers of customers. */

export const fakeWrittenFacts = ({ writtenFacts }: MemoryStore = memoryStore()): Store['writtenFacts'] => writtenFacts;

export const fakeMatches = ({ matches }: MemoryStore = memoryStore()): Store['matches'] => matches;

/** `bound`: the customers that are bound, each with its org id, as `<org id> <customer>`. */
export function fakeBindings({ bindings, database }: MemoryStore = memoryStore()) {
  const bound = database.prepare<[], string>("select org_id || ' ' || customer from customer_binding").pluck();
  return {
    ...bindings,
    get bound() {
      return new Set(bound.all());
    },
  };
}

/** `entries`: every adoption that is kept, in the order in which they were made, taken back or not. */
export function fakeAdoptions({ adoptions, database }: MemoryStore = memoryStore()) {
  const rows = database.prepare<[], Omit<Adoption, 'evidence' | 'changes'> & { evidence: string; changes: string }>(
    `select id, customer, org_id as orgId, crm_company_id as crmCompanyId, company_name as companyName, by_user as by, via,
      ticket, batch, evidence, changes, at, undone_at as undoneAt from customer_adoption order by rowid`,
  );
  return {
    ...adoptions,
    get entries(): Adoption[] {
      return rows
        .all()
        .map((row) => ({ ...row, evidence: JSON.parse(row.evidence), changes: JSON.parse(row.changes) }));
    },
  };
}
