import type { CustomerBindings } from '#ports/customer/customer-bindings.ts';
import type { MendableFacts, WrittenFacts } from '#ports/customer/written-facts.ts';

export function fakeWrittenFacts(): WrittenFacts & { written: Map<string, MendableFacts> } {
  const written = new Map<string, MendableFacts>();
  return {
    written,
    of: async (customer) => written.get(customer) ?? {},
    record: async (customer, facts) => void written.set(customer, { ...written.get(customer), ...facts }),
  };
}

export function fakeBindings(): CustomerBindings & { bound: Set<string> } {
  const bound = new Set<string>();
  return {
    bound,
    record: async (customer, orgId) => void bound.add(`${orgId} ${customer}`),
    remove: async (customer, orgId) => void bound.delete(`${orgId} ${customer}`),
    customersOf: async (orgId) =>
      new Set([...bound].filter((key) => key.startsWith(`${orgId} `)).map((key) => key.slice(orgId.length + 1))),
  };
}
