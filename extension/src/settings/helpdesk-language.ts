import { storage } from 'wxt/utils/storage';

const item = storage.defineItem<unknown>('local:helpdeskLanguage', { version: 1 });

/** The language in which the agent was last known to use the helpdesk. Null: none, or not known yet. */
export const helpdeskLanguage = {
  async read(): Promise<string | null> {
    const stored = await item.getValue();
    return typeof stored === 'string' ? stored : null;
  },
  write: (language: string | null): Promise<void> => item.setValue(language),
};
