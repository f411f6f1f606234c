import type { CustomerAdoptions } from '#ports/customer/customer-adoptions.ts';
import type { CustomerBindings } from '#ports/customer/customer-bindings.ts';
import type { CustomerMatches } from '#ports/customer/customer-matches.ts';
import type { WrittenFacts } from '#ports/customer/written-facts.ts';
import { adoptionOf } from '#store/customers/adoptions.ts';
import { type MemoryStore, memoryStore } from '#store/testing/memory-store.ts';

/** What a store in memory remembers of customers. */

export const fakeWrittenFacts = ({ writtenFacts }: MemoryStore = memoryStore()): WrittenFacts => writtenFacts;

export const fakeMatches = ({ matches }: MemoryStore = memoryStore()): CustomerMatches => matches;

/** `bound`: the customers that are bound, each with its org id, as `<org id> <customer>`. */
export function fakeBindings({ bindings, database }: MemoryStore = memoryStore()) {
  const bound = database.prepare<[], string>("select org_id || ' ' || customer from customer_binding").pluck();
  return {
    ...bindings,
    get bound() {
      return new Set(bound.all());
    },
  } satisfies CustomerBindings & object;
}

/** `entries`: every adoption that is kept, in the order in which they were made, taken back or not. */
export function fakeAdoptions({ adoptions, database }: MemoryStore = memoryStore()) {
  type Row = Parameters<typeof adoptionOf>[0];
  const rows = database.prepare<[], Row>('select * from customer_adoption order by rowid');
  return {
    ...adoptions,
    get entries() {
      return rows.all().map(adoptionOf);
    },
  } satisfies CustomerAdoptions & object;
}
