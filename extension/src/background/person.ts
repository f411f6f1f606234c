import * as z from 'zod/mini';
import { lastingItem } from '#browser/storage.ts';

/** Somebody who uses the helpdesk. `language`: null for none of their own. `isLead`: they may see the Team page. */
const HelpdeskPerson = z.object({ user: z.string(), language: z.nullable(z.string()), isLead: z.boolean() });
type HelpdeskPerson = z.infer<typeof HelpdeskPerson>;

interface PersonOptions {
  /** What the proxy knows of them. Throws if nobody could be asked. */
  ask(user: string): Promise<Omit<HelpdeskPerson, 'user'>>;
  /** Called when something else is known than before, or nothing any more. */
  changed(): void;
}

/**
 * Who uses the helpdesk in this browser: in which language, and whether they lead, neither of which its page says
 * (docs/helpdesk.md#the-ticket-page). Nothing waits for it: the last answer serves until there is a new one, but for nobody
 * else than whom it is about.
 */
export function createPerson({ ask, changed }: PersonOptions) {
  /** The last answer until the next one, also across starts of the browser. */
  const store = lastingItem('person', HelpdeskPerson);
  let asked: string | null = null;

  /** What was known of a person, once what was known of somebody else is forgotten. */
  async function knownOf(user: string) {
    const known = await store.read();
    if (!known || known.user === user) return known;
    await store.write(null);
    changed();
    return undefined;
  }

  return {
    /** The last answer, undefined before the first. */
    known: store.read,
    /** Asks once per person and ticket on their page, as they may change it; again after a failure. Never throws. */
    async learn(user: string, ticket: string): Promise<void> {
      const occasion = `${user} ${ticket}`;
      if (occasion === asked) return;
      asked = occasion;
      if (user === '') return;
      try {
        const known = (await knownOf(user)) ?? { language: null, isLead: false };
        const person = { user, ...(await ask(user)) };
        if (asked !== occasion) return;
        await store.write(person);
        if (person.language !== known.language || person.isLead !== known.isLead) changed();
      } catch {
        if (asked === occasion) asked = null;
      }
    },
  };
}
