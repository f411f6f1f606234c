import { PageAnchor } from '@deskside/shared/contract';
import * as z from 'zod/mini';
import type { StoredItem } from '#platform/storage.ts';
import type { ProxyCaller } from './proxy-caller.ts';

/**
 * Tells the proxy that the helpdesk's page lacks something, by its name and this extension's version and nothing else,
 * once per browser session (docs/operate.md#after-an-update-of-the-helpdesk). A proxy that does not answer, or does
 * not know of it yet, is not asked again: other agents have the same page.
 */
export function createTellMissing(call: ProxyCaller, store: StoredItem, version: string) {
  return async (anchor: PageAnchor, user: string): Promise<void> => {
    const parsed = z.array(PageAnchor).safeParse(await store.read());
    const told = parsed.success ? parsed.data : [];
    if (told.includes(anchor)) return;
    await store.write([...told, anchor]);
    await call('missingAnchor', { anchor, extension: version }, new AbortController().signal, user);
  };
}
