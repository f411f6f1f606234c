import type { Context } from '#app/context.ts';
import type { Learn } from './judge-match.ts';

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
