import type { AccountLink } from '@deskside/shared/profile';
import type { Background } from '#app/runtime/background.ts';
import { renewable } from '#app/runtime/renewable.ts';
import type { Helpdesk } from '#ports/helpdesk/helpdesk.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Memory } from '#ports/runtime/memory.ts';

/**
 * A customer's platform accounts as far as they are known, and null if they are not: they are then read in the
 * background, for the next response (docs/decisions.md 14).
 */
export type PeekAccountLinks = (customer: string | null) => AccountLink[] | null;

const rememberMs = 60_000;

export function createPeekAccountLinks(deps: {
  helpdesk: Pick<Helpdesk, 'hasAccountLinks' | 'readAccountLinks'>;
  memory: Memory;
  background: Background;
  clock?: Clock;
}): PeekAccountLinks {
  const { helpdesk, background } = deps;
  const known = renewable<AccountLink[]>(deps.memory, { ttlMs: rememberMs, max: 5_000 }, deps.clock);
  return (customer) => {
    if (customer === null || !helpdesk.hasAccountLinks) return [];
    const links = known.get(customer);
    if (!links || known.isDue(links)) readSoon(customer);
    return links?.value ?? null;
  };

  function readSoon(customer: string): void {
    background.run(`links ${customer}`, async (signal) =>
      known.set(customer, await helpdesk.readAccountLinks(customer, signal)),
    );
  }
}
