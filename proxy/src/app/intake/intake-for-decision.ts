import type { RememberedMeta } from '#ports/intake/store-meta.ts';
import { createIntakeTicket, type IntakeDeps, type IntakeTicket } from './intake-ticket.ts';
import { createMetaQueue } from './meta-queue.ts';

/** How long a decision waits for all addresses that its ticket names, in milliseconds. */
const patienceMs = 2_000;

/**
 * Intake for the pipeline. A decision that was made without an address's answer is made again as soon as that has come
 * (docs/routing.md#repair).
 *
 * @param deps.decideAgain queues the ticket
 */
export function createIntakeForDecision(
  deps: Omit<IntakeDeps, 'storeMeta' | 'withinMs'> & {
    storeMeta: RememberedMeta;
    stopped: AbortSignal;
    decideAgain: (ticket: string) => void;
    withinMs?: number;
  },
): IntakeTicket {
  const { tickets, rules, withinMs = patienceMs } = deps;
  const queue = createMetaQueue({ ...deps, onArrival: deps.decideAgain });
  return (ticket, signal, options) => {
    const storeMeta = queue.of(ticket.file.ticket.name);
    return createIntakeTicket({ tickets, rules, withinMs, storeMeta })(ticket, signal, options);
  };
}
