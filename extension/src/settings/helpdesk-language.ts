import * as z from 'zod/mini';
import { lastingItem } from '#platform/storage.ts';

const item = lastingItem('helpdeskLanguage');

/** What was last answered. `user`: about whom, null if that was not kept. `language`: null for none of their own. */
const Known = z.object({ user: z.nullable(z.string()), language: z.nullable(z.string()) });
export type KnownLanguage = z.infer<typeof Known>;

/** The language in which an agent was last known to use the helpdesk, and who that was. Null: not known yet. */
export const helpdeskLanguage = {
  async read(): Promise<KnownLanguage | null> {
    return Known.safeParse(await item.read()).data ?? null;
  },
  write: (known: KnownLanguage | null): Promise<void> => item.write(known),
};
