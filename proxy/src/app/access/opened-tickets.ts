import { type Kept, renewable } from '#app/runtime/renewable.ts';
import type { TicketFile } from '#ports/helpdesk/helpdesk.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Memory } from '#ports/runtime/memory.ts';
import type { Caller } from './caller.ts';

type Opened = Kept<{ file: TicketFile; change: number }>;

/** A bounded cache of tickets as callers have read them, kept for seconds. */
export interface OpenedTickets {
  get(caller: Caller, ticket: string): Opened | undefined;
  /** Whether to read it anew now, so that nobody has to wait when it expires. True for one caller. */
  isDue(opened: Opened): boolean;
  /**
   * Call when a read starts. Reads with the same `key` may share one response; `keep` stores the result, which is used
   * only if the ticket has not changed since.
   */
  begin(caller: Caller, ticket: string): { key: string; keep(file: TicketFile): void };
  delete(caller: Caller, ticket: string): void;
  /** The ticket has changed: results of reads that started earlier are no longer used. */
  forget(ticket: string): void;
}

/** How long a caller's read permission is cached (docs/api.md#callers). */
const mayReadMs = 10_000;
/** Longer than a read that started before the change can take plus the time its result is cached. */
const changedMs = 60_000;

export function createOpenedTickets(memory: Memory, clock?: Clock): OpenedTickets {
  const files = renewable<Opened['value']>(memory, { ttlMs: mayReadMs, max: 2_000 }, clock);
  const changes = memory.area<{ change: number }>({ ttlMs: changedMs, max: 10_000 });
  let lastChange = 0;
  const keyOf = ({ digest }: Caller, ticket: string) => `${digest} ${ticket}`;
  const changeOf = (ticket: string) => changes.get(ticket)?.change ?? 0;

  return {
    get(caller, ticket) {
      const known = files.get(keyOf(caller, ticket));
      return known && known.value.change >= changeOf(ticket) ? known : undefined;
    },
    isDue: files.isDue,
    begin(caller, ticket) {
      const change = lastChange;
      const key = keyOf(caller, ticket);
      return { key: `${changeOf(ticket)} ${key}`, keep: (file) => files.set(key, { file, change }) };
    },
    delete: (caller, ticket) => files.delete(keyOf(caller, ticket)),
    forget(ticket) {
      lastChange += 1;
      changes.set(ticket, { change: lastChange });
    },
  };
}
