import type { CompanySnapshot } from '#helpdesk/customer-data.ts';
import { type CustomerFacts, customerFieldOf } from '#helpdesk/fields.ts';
import { type DeskDocuments, instantOf, stampAt } from './desk-people.ts';

type Fact = keyof CustomerFacts;
const instants: ReadonlySet<string> = new Set<Fact>([
  'companyModifiedAt',
  'lastSyncedAt',
  'lastCheckedAt',
  'notFoundAt',
]);

/** What the fields of a customer say; undefined for those that are empty. An empty number is 0 there. */
function factsOf(document: Readonly<Record<string, unknown>>): CustomerFacts {
  const read = (fact: Fact, value: unknown) => {
    if (value === null || value === undefined || value === 0) return undefined;
    return instants.has(fact) ? instantOf(value) : value;
  };
  const facts = Object.entries(customerFieldOf).map(([fact, field]) => [fact, read(fact as Fact, document[field])]);
  return Object.fromEntries(facts);
}

/** A desk's customers by name, as the facts that their fields hold. */
export function deskCustomers({ document, all, save, remove }: DeskDocuments) {
  const keys = () => all('HD Customer').map(({ name }) => name);
  const find = (name: string) => {
    const found = document('HD Customer', name);
    return found?.name === name ? found : undefined;
  };
  const get = (name: string) => {
    const found = find(name);
    return found && factsOf(found);
  };
  /** A customer with these facts and no others. */
  const set = (name: string, facts: CustomerFacts = {}, by = 'Administrator') => {
    const values = Object.entries(customerFieldOf).map(([fact, field]) => {
      const value = facts[fact as Fact];
      return [field, instants.has(fact) && typeof value === 'number' ? stampAt(value) : (value ?? null)];
    });
    save('HD Customer', name, { customer_name: name, ...Object.fromEntries(values) }, by);
  };
  return {
    keys,
    get,
    set,
    has: (name: string) => find(name) !== undefined,
    edit: (name: string, facts: CustomerFacts) => set(name, { ...get(name), ...facts }),
    delete: (name: string) => remove('HD Customer', name),
    clear() {
      for (const name of keys()) remove('HD Customer', name);
    },
    /** What is kept of a company, by the CRM's id. */
    snapshot(externalId: string): Partial<CompanySnapshot> | undefined {
      const found = all('HD Customer Data').find(({ external_id }) => external_id === externalId);
      return (
        found && {
          customer: String(found.hd_customer),
          matchKey: String(found.match_key),
          confidence: Number(found.confidence),
          payload: String(found.summary_json),
        }
      );
    },
    clearSnapshots() {
      for (const { name } of all('HD Customer Data')) remove('HD Customer Data', name);
    },
  };
}
