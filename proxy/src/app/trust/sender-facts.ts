import type { Context } from '#app/context.ts';
import type { SenderFacts } from '#app/remembered.ts';
import { senderAddress } from '#domain/trust/sender.ts';
import type { Read } from '#ports/runtime/memory.ts';

/**
 * How a fact is learned, by what tells it from others of its kind; null if it is not known yet. Throws what `read` throws,
 * or the signal's reason.
 */
export type Learn = <F extends keyof SenderFacts>(
  fact: F,
  key: string,
  read: Read<SenderFacts[F]>,
  signal: AbortSignal,
) => Promise<SenderFacts[F] | null>;

/** By reading it from the helpdesk every time. */
export const learnAnew: Learn = (_fact, _key, read, signal) => read(signal);

/** From memory, or by reading it. */
export function learnInTime({ remembered: { senders } }: Pick<Context, 'remembered'>): Learn {
  return (fact, key, read, signal) => senders[fact].get(key, read, signal);
}

/** From memory alone; what is not there is read in the background, for the next response (docs/decisions.md 14). */
export function learnAtOnce({
  remembered: { senders },
  background,
}: Pick<Context, 'remembered' | 'background'>): Learn {
  return async (fact, key, read) => {
    const known = senders[fact].peek(key, read);
    if (known === undefined)
      background.run(`${fact} ${key}`, async (signal) => void (await senders[fact].get(key, read, signal)));
    return known ?? null;
  };
}

/** Whether the desk has put this address in the place of the one that the ticket was made for. Throws HelpdeskError. */
export async function isChangedByDesk(
  { helpdesk }: { helpdesk: Pick<Context['helpdesk'], 'isDesk' | 'readVersions'> },
  ticket: string,
  address: string,
  signal: AbortSignal,
): Promise<boolean> {
  const versions = await helpdesk.readVersions(ticket, signal);
  const last = versions.find(({ raisedBy }) => raisedBy !== undefined);
  if (!last?.raisedBy || senderAddress({ raisedBy: last.raisedBy.to }) !== address) return false;
  return helpdesk.isDesk(last.by, signal);
}
