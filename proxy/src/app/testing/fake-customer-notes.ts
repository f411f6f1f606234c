import type { CustomerMatch } from '@deskside/shared/operator/customers';
import type { Adoption, CustomerAdoptions } from '#ports/customer/customer-adoptions.ts';
import type { CustomerBinding, CustomerBindings } from '#ports/customer/customer-bindings.ts';
import type { CustomerMatches } from '#ports/customer/customer-matches.ts';
import type { MendableFacts, WrittenFacts } from '#ports/customer/written-facts.ts';

export function fakeWrittenFacts(): WrittenFacts & { written: Map<string, MendableFacts> } {
  const written = new Map<string, MendableFacts>();
  return {
    written,
    of: async (customer) => written.get(customer) ?? {},
    record: async (customer, facts) => void written.set(customer, { ...written.get(customer), ...facts }),
  };
}

export function fakeBindings(): CustomerBindings & { bound: Map<string, CustomerBinding> } {
  const bound = new Map<string, CustomerBinding>();
  const keyOf = (customer: string, orgId: string) => `${orgId} ${customer}`;
  return {
    bound,
    async record(customer, orgId, _, how) {
      const key = keyOf(customer, orgId);
      bound.set(key, bound.get(key) ?? how);
    },
    async confirm(customer, orgId) {
      const key = keyOf(customer, orgId);
      if (bound.has(key)) bound.set(key, { onClaim: false });
    },
    remove: async (customer, orgId) => void bound.delete(keyOf(customer, orgId)),
    async customersOf(orgId) {
      const ours = [...bound].filter(([key]) => key.startsWith(`${orgId} `));
      return new Map(ours.map(([key, how]) => [key.slice(orgId.length + 1), how]));
    },
  };
}

export function fakeAdoptions(): CustomerAdoptions & { entries: Adoption[] } {
  const entries: Adoption[] = [];
  const newestFirst = (test: (adoption: Adoption) => boolean) => entries.filter(test).toReversed();
  const change = (id: string, to: (adoption: Adoption) => void) => entries.filter((one) => one.id === id).forEach(to);
  return {
    entries,
    async record(adoption) {
      const { customer, orgId } = adoption;
      const before = entries.findIndex((one) => one.customer === customer && one.orgId === orgId && !one.undoneAt);
      if (before !== -1) entries.splice(before, 1);
      const id = `adoption-${crypto.randomUUID()}`;
      entries.push({ ...adoption, id, undoneAt: null });
      return id;
    },
    get: async (id) => entries.find((one) => one.id === id) ?? null,
    ofCustomer: async (customer) => newestFirst((one) => one.customer === customer),
    accepted: async () => newestFirst((one) => one.via === 'match' && one.undoneAt === null),
    takenBack: async () => newestFirst((one) => one.undoneAt !== null),
    ofBatch: async (batch) => newestFirst((one) => one.batch === batch),
    markUndone: async (id, at) =>
      change(id, (one) => {
        one.undoneAt ??= at;
      }),
    restore: async (id) =>
      change(id, (one) => {
        one.undoneAt = null;
      }),
  };
}

export function fakeMatches(): CustomerMatches {
  const kept = new Map<string, CustomerMatch>();
  return {
    keep: async (matches) => {
      for (const match of matches) kept.set(match.customer, structuredClone(match));
    },
    get: async (customer) => kept.get(customer) ?? null,
    list: async () => [...kept.values()].toSorted((a, b) => (a.customer < b.customer ? -1 : 1)),
    forgetBefore: async (moment) => {
      for (const [customer, { at }] of kept) if (Date.parse(at) < moment) kept.delete(customer);
    },
  };
}
