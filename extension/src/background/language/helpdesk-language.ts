interface HelpdeskLanguageOptions {
  /** Keeps the last answer until the next one, also across starts of the browser. */
  store: { read(): Promise<string | null>; write(language: string | null): Promise<void> };
  /** The language in which this person uses the helpdesk; null for none. Throws if nobody could be asked. */
  ask(user: string): Promise<string | null>;
  /** Called when the answer is another than the one before. */
  changed(): void;
}

/**
 * The language in which the agent uses the helpdesk, which its page does not say (docs/helpdesk.md#the-ticket-page).
 * Nothing waits for it: the last answer serves until there is a new one.
 */
export function createHelpdeskLanguage({ store, ask, changed }: HelpdeskLanguageOptions) {
  let asked: string | null = null;

  return {
    /** The last answer, null before the first. */
    known: () => store.read(),
    /**
     * Asks once per person (empty: nobody) for as long as the background runs; again after a failure, and after somebody
     * else. Never throws.
     */
    async learn(user: string): Promise<void> {
      if (user === asked) return;
      asked = user;
      if (user === '') return;
      try {
        const language = await ask(user);
        if (asked !== user || language === (await store.read())) return;
        await store.write(language);
        changed();
      } catch {
        if (asked === user) asked = null;
      }
    },
  };
}
