import { decisionOf } from '#store/decisions/decision-rows.ts';
import type { Store } from '#store/store.ts';
import { type MemoryStore, memoryStore } from '#store/testing/memory-store.ts';

/** What a store in memory keeps for the pipeline. */

/** `work`: when each ticket is due, in epoch milliseconds; null if nothing is left to do. */
export function fakeInbox({ inbox, database }: MemoryStore = memoryStore()) {
  const rows = database.prepare<[], { ticket: string; dueAt: number | null }>(
    'select ticket, due_at as dueAt from ticket_work',
  );
  return {
    ...inbox,
    get work() {
      return new Map(rows.all().map(({ ticket, dueAt }) => [ticket, { dueAt }]));
    },
  };
}

export const fakeUpkeep = ({ upkeep }: MemoryStore = memoryStore()): Store['upkeep'] => upkeep;

/** `all`: every decision in the order in which it was made. */
export function fakeDecisions({ decisions, database }: MemoryStore = memoryStore()) {
  const rows = database.prepare<[], { id: number; decision: string }>(
    'select id, decision from routing_decision order by id',
  );
  return {
    ...decisions,
    get all() {
      return rows.all().map(decisionOf);
    },
  };
}
