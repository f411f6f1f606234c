import { ProfileData } from '@deskside/shared/profile';
import * as z from 'zod/mini';
import type { RecentCustomer } from '#messaging/page-protocol.ts';
import type { SessionStore } from '#platform/session-store.ts';

const maxProfiles = 30;
const maxCustomers = 5;

/** A profile as it was last answered. `receivedAt`: when, in epoch milliseconds. */
const LastProfile = z.object({ profile: ProfileData, receivedAt: z.number() });
export type LastProfile = z.infer<typeof LastProfile>;

/** `user`: who saw them. */
const Stored = z.object({ user: z.string(), profiles: z.array(LastProfile) });

/**
 * The profiles that somebody saw last in this browser session, to be on screen at once when they come back to a ticket, and in
 * the popup.
 * They are one person's: somebody else's page, a sign-out and another address clear them.
 */
export function createLastProfiles(store: SessionStore) {
  /** By ticket, longest ago first. */
  const profiles = new Map<string, LastProfile>();
  let owner = '';
  let restored: Promise<void> | undefined;
  let written: Promise<unknown> = Promise.resolve();
  /** How often they were cleared. What was asked before then is no longer kept. */
  let clearings = 0;

  /** What was stored before the background was suspended, read once. */
  function restore(): Promise<void> {
    restored ??= read();
    return restored;
  }

  async function read(): Promise<void> {
    const before = clearings;
    const parsed = Stored.safeParse(await store.read().catch(() => null));
    if (!parsed.success || clearings !== before) return;
    owner = parsed.data.user;
    for (const one of parsed.data.profiles) profiles.set(one.profile.ticket.name, one);
  }

  async function save(): Promise<void> {
    const next = written.then(() =>
      store.write(profiles.size === 0 ? null : { user: owner, profiles: [...profiles.values()] }),
    );
    // What does not fit into the browser's storage is kept until the background is suspended.
    written = next.catch(() => {});
    await written;
  }

  async function clear(): Promise<void> {
    clearings += 1;
    profiles.clear();
    await save();
  }

  async function keepOnly(user: string): Promise<void> {
    await restore();
    if (owner === user) return;
    owner = user;
    if (profiles.size > 0) await clear();
  }

  return {
    /** What this user last saw of the ticket, or null. */
    async of(user: string, ticket: string): Promise<LastProfile | null> {
      await keepOnly(user);
      return profiles.get(ticket) ?? null;
    },

    /** A profile is being asked for this user. What it returns keeps the answer, unless it was cleared since. */
    noting(user: string): (answer: LastProfile) => Promise<void> {
      const before = clearings;
      return async (answer) => {
        await restore();
        if (owner !== user || clearings !== before) return;
        const { name } = answer.profile.ticket;
        profiles.delete(name);
        profiles.set(name, answer);
        const oldest = profiles.keys().next();
        if (profiles.size > maxProfiles && !oldest.done) profiles.delete(oldest.value);
        await save();
      };
    },

    /** The last customers among them, newest first, each once. */
    async customers(): Promise<RecentCustomer[]> {
      await restore();
      const seen = [...profiles.values()].reverse().flatMap(({ profile }) => customerOf(profile) ?? []);
      const keys = seen.map(({ orgId, name }) => orgId ?? name);
      return seen.filter((_, nth) => keys.indexOf(keys[nth] ?? '') === nth).slice(0, maxCustomers);
    },

    /** The ticket was written to. */
    async forget(ticket: string): Promise<void> {
      await restore();
      if (profiles.delete(ticket)) await save();
    },

    /** A page shows this user, or nobody (empty): what somebody else saw is cleared. */
    keepOnly,

    clear,
  };
}

export type LastProfiles = ReturnType<typeof createLastProfiles>;

function customerOf({ ticket, customer, bitrix: { company } }: ProfileData): RecentCustomer | null {
  const name = company?.company_name ?? customer?.customer_name ?? customer?.name;
  if (!name) return null;
  return { name, orgId: company?.company_id ?? customer?.custom_platform_orgid ?? null, ticket: ticket.name };
}
