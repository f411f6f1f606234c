import type { AroundTicket } from '@deskside/shared/around';
import type { AccountLink } from '@deskside/shared/profile';
import type { SearchAnswer } from './crm/search.ts';
import type { Memory, MemoryArea, Readings } from './runtime/memory.ts';

/** What this process goes by for a moment, for people who wait. */
export interface Remembered {
  /** The platform accounts of a customer. */
  accountLinks: Readings<AccountLink[]>;
  around: Readings<AroundTicket>;
  /** What the CRM has by a ticket's sender. */
  bySender: MemoryArea<SearchAnswer>;
  /** The answer of the CRM (epoch milliseconds) that a customer's record tells. */
  checks: MemoryArea<{ at: number }>;
  /** The account owner's address that a ticket has been given. */
  owners: MemoryArea<{ email: string }>;
}

const forAMinute = { ttlMs: 60_000, max: 5_000 };

export function rememberedIn(memory: Memory): Remembered {
  return {
    accountLinks: memory.readings(forAMinute),
    around: memory.readings({ ttlMs: 5_000, max: 1_000 }),
    bySender: memory.area({ ttlMs: 10 * 60_000, max: 2_000 }),
    checks: memory.area({ ttlMs: 24 * 60 * 60_000, max: 10_000 }),
    owners: memory.area({ ttlMs: 60_000, max: 10_000 }),
  };
}
