import * as z from 'zod/mini';
import { storedItem } from './stored-item.ts';

const item = storedItem('helpdeskLanguage');

const Known = z.object({ user: z.nullable(z.string()), language: z.nullable(z.string()) });

/** The language in which an agent was last known to use the helpdesk, and who that was. Null: not known yet. */
export const helpdeskLanguage = {
  async read(): Promise<z.infer<typeof Known> | null> {
    return Known.safeParse(await item.read()).data ?? null;
  },
  write: (known: z.infer<typeof Known> | null): Promise<void> => item.write(known),
};
