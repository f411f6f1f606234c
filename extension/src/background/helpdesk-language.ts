import * as z from 'zod/mini';
import { lastingItem } from './storage.ts';

/** What was last answered. `user`: about whom. `language`: null for none of their own. */
const Known = z.object({ user: z.string(), language: z.nullable(z.string()) });

interface HelpdeskLanguageOptions {
  /** The language in which this person uses the helpdesk; null for none. Throws if nobody could be asked. */
  ask(user: string): Promise<string | null>;
  /** Called when another language is known than before, or none any more. */
  changed(): void;
}

/**
 * The language in which the agent uses the helpdesk, which its page does not say (docs/helpdesk.md#the-ticket-page).
 * Nothing waits for it: the last answer serves until there is a new one, but for nobody else than whom it is about.
 */
export function createHelpdeskLanguage({ ask, changed }: HelpdeskLanguageOptions) {
  /** The last answer until the next one, also across starts of the browser. */
  const store = lastingItem('helpdeskLanguage');
  const read = async () => Known.safeParse(await store.read()).data ?? null;
  let asked: string | null = null;

  /** What was known of a person, once what was known of somebody else is forgotten. */
  async function knownOf(user: string) {
    const known = await read();
    if (known === null || known.user === user) return known;
    await store.write(null);
    if (known.language !== null) changed();
    return null;
  }

  return {
    /** The last answer, null before the first. */
    known: async () => (await read())?.language ?? null,
    /**
     * Asks once per person (empty: nobody) and ticket on their page, as they may change it at any time; again after a failure,
     * and after somebody else. Never throws.
     */
    async learn(user: string, ticket: string): Promise<void> {
      const occasion = `${user} ${ticket}`;
      if (occasion === asked) return;
      asked = occasion;
      if (user === '') return;
      try {
        const known = await knownOf(user);
        const language = await ask(user);
        if (asked !== occasion) return;
        await store.write({ user, language });
        if (language !== (known?.language ?? null)) changed();
      } catch {
        if (asked === occasion) asked = null;
      }
    },
  };
}
