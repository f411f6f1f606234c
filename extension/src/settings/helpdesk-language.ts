import { storage } from 'wxt/utils/storage';
import * as z from 'zod/mini';

const item = storage.defineItem<unknown>('local:helpdeskLanguage', { version: 1 });

const Known = z.object({ user: z.nullable(z.string()), language: z.nullable(z.string()) });

/** The language in which an agent was last known to use the helpdesk, and who that was. Null: not known yet. */
export const helpdeskLanguage = {
  async read(): Promise<z.infer<typeof Known> | null> {
    const stored = await item.getValue();
    // Former versions kept the language alone.
    if (typeof stored === 'string') return { user: null, language: stored };
    return Known.safeParse(stored).data ?? null;
  },
  write: (known: z.infer<typeof Known> | null): Promise<void> => item.setValue(known),
};
