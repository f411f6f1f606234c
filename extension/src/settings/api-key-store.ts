import { storage } from 'wxt/utils/storage';
import { ApiKey } from './api-key.ts';

const item = storage.defineItem<unknown>('local:apiKey', { version: 1 });

/** The stored API key, or null. For the background only. */
export async function readApiKey(): Promise<string | null> {
  const parsed = ApiKey.safeParse(await item.getValue());
  return parsed.success ? parsed.data : null;
}

/** Stores an API key, or removes it (null). Throws if it does not have the form of one. */
export async function writeApiKey(key: string | null): Promise<void> {
  if (key === null) await item.removeValue();
  else await item.setValue(ApiKey.parse(key));
}
