import type { SenderRecords } from '#domain/trust/judge-trust.ts';
import type { Memory, Readings } from '#ports/runtime/memory.ts';

/** What the helpdesk can tell about who raised a ticket. */
export interface SenderFacts {
  /** Whether an account is of the desk (docs/routing.md#who-is-of-the-desk). */
  isDesk: boolean;
  records: SenderRecords;
  /** Whether the desk has put an address in the place of the one that the ticket was made for. */
  isChangedByDesk: boolean;
}

/** What the service has read for people who wait, and still goes by for a moment. */
export interface Remembered {
  senders: { readonly [F in keyof SenderFacts]: Readings<SenderFacts[F]> };
}

const forAMinute = { ttlMs: 60_000, max: 5_000 };

export function rememberedIn(memory: Memory): Remembered {
  return {
    senders: {
      isDesk: memory.readings(forAMinute),
      records: memory.readings(forAMinute),
      isChangedByDesk: memory.readings(forAMinute),
    },
  };
}
