import type { ProfileData } from '@deskside/shared/profile';
import * as z from 'zod/mini';
import { RecentCustomer } from '#messaging/page-protocol.ts';
import type { SessionStore } from '#platform/session-store.ts';

const maxCustomers = 5;

/** `user`: who saw them. */
const Stored = z.object({ user: z.string(), customers: z.array(RecentCustomer) });

/**
 * The last customers whose tickets somebody opened in this browser session, newest first, each once. They are one
 * person's: somebody else's page, a sign-out and another address clear them.
 */
export function createRecentCustomers(store: SessionStore) {
  let last: Promise<unknown> = Promise.resolve();
  /** How often they were cleared. What was asked before then is no longer noted. */
  let clearings = 0;

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  }

  async function read(): Promise<z.infer<typeof Stored> | null> {
    const parsed = Stored.safeParse(await store.read());
    return parsed.success ? parsed.data : null;
  }

  function clear(): Promise<void> {
    clearings += 1;
    return inTurn(() => store.write(null));
  }

  return {
    /** A profile is being asked for this user. What it returns notes the customer of the answer, if it has one. */
    noting(user: string): (profile: ProfileData) => Promise<void> {
      const before = clearings;
      return async (profile) => {
        const customer = customerOf(profile);
        if (!customer) return;
        await inTurn(async () => {
          if (clearings !== before) return;
          const stored = await read();
          const earlier = stored?.user === user ? stored.customers : [];
          const others = earlier.filter((one) => keyOf(one) !== keyOf(customer));
          await store.write({ user, customers: [customer, ...others].slice(0, maxCustomers) });
        });
      };
    },

    async list(): Promise<RecentCustomer[]> {
      return (await inTurn(read))?.customers ?? [];
    },

    /** A page shows this user, or nobody (empty): what somebody else saw is cleared. */
    async keepOnly(user: string): Promise<void> {
      const stored = await inTurn(read);
      if (stored && stored.user !== user) await clear();
    },

    clear,
  };
}

export type RecentCustomers = ReturnType<typeof createRecentCustomers>;

function customerOf({ ticket, customer, bitrix: { company } }: ProfileData): RecentCustomer | null {
  const name = company?.company_name ?? customer?.customer_name ?? customer?.name;
  if (!name) return null;
  return { name, orgId: company?.company_id ?? customer?.custom_platform_orgid ?? null, ticket: ticket.name };
}

function keyOf({ orgId, name }: RecentCustomer): string {
  return orgId ?? name;
}
