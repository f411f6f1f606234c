import { createSemaphore } from '#runtime/semaphore.ts';
import { unlessAborted } from '#runtime/unless-aborted.ts';
import type { RememberedMeta, StoreMetaAnswer } from './store-meta-port.ts';

/**
 * Reads meta.json for decisions, so that slow addresses hold up nobody: a few are asked at a time, each once, and go on
 * being asked when a decision has stopped waiting for them (docs/routing.md#metajson).
 */
export interface MetaQueue {
  /**
   * What the host says, for a ticket. Where all slots are taken, it does not wait but answers `failed`. Whatever a ticket did
   * not wait for is announced by `onArrival`. Rejects with the signal's reason.
   */
  read(ticket: string, host: string, signal: AbortSignal): Promise<StoreMetaAnswer>;
}

/** Addresses asked at a time, and those that may wait for their turn; beyond that nobody is asked. */
export const slots = { running: 4, waiting: 200 };

interface Flight {
  answer: Promise<StoreMetaAnswer>;
  isRunning: boolean;
  /** Tickets that were decided without it. */
  missedBy: Set<string>;
}

/**
 * @param deps.stopped ends what is being asked
 * @param deps.onArrival an address has answered, or failed, that the ticket's decision did not wait for
 */
export function createMetaQueue(deps: {
  storeMeta: RememberedMeta;
  stopped: AbortSignal;
  onArrival: (ticket: string) => void;
}): MetaQueue {
  const { storeMeta, stopped } = deps;
  const flights = new Map<string, Flight>();
  const slot = createSemaphore(slots.running);

  return {
    async read(ticket, host, signal) {
      const known = storeMeta.known(host);
      if (known) return known;
      const flight = flights.get(host) ?? ask(host);
      if (flight === null) return notYet(host);
      if (!flight.isRunning) {
        flight.missedBy.add(ticket);
        return notYet(host);
      }
      try {
        return await unlessAborted(flight.answer, signal);
      } catch (error) {
        flight.missedBy.add(ticket);
        throw error;
      }
    },
  };

  function ask(host: string): Flight | null {
    if (flights.size >= slots.running + slots.waiting) return null;
    const flight: Flight = { answer: Promise.resolve(notYet(host)), isRunning: false, missedBy: new Set() };
    flights.set(host, flight);
    flight.answer = slot(() => {
      flight.isRunning = true;
      return storeMeta.read(host, stopped);
    }, stopped);
    const arrived = () => {
      flights.delete(host);
      if (!stopped.aborted) for (const ticket of flight.missedBy) deps.onArrival(ticket);
    };
    void flight.answer.then(arrived, arrived);
    return flight;
  }
}

function notYet(host: string): StoreMetaAnswer {
  return { kind: 'failed', why: 'timeout', address: `https://${host}/meta.json` };
}
