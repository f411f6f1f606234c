import { callProxy } from '@deskside/shared/client';
import { PageAnchor } from '@deskside/shared/contract';
import { PageAnchors } from '@deskside/shared/page-anchors';
import * as z from 'zod/mini';
import type { ProxyCaller } from './proxy-caller.ts';
import type { StoredItem } from './storage.ts';

/** What a proxy said last. */
const Stored = z.object({ proxy: z.string(), anchors: PageAnchors });

/** Timeout of a request for them, in milliseconds. */
const deadlineMs = 5_000;

interface PageAnchorsOptions {
  store: StoredItem;
  /** Origin of the configured proxy. */
  proxy(): Promise<string | null>;
  /** Called with others than before. */
  changed(anchors: PageAnchors): void;
  fetch?: typeof globalThis.fetch;
}

/**
 * The operator's selectors for a helpdesk page that has changed (docs/operate.md#after-an-update-of-the-helpdesk). The proxy gives them to
 * everybody with its discovery; they are kept until it gives others, and never used for another proxy.
 */
export function createPageAnchors({ store, proxy, changed, fetch }: PageAnchorsOptions) {
  async function known(): Promise<PageAnchors> {
    const { data } = Stored.safeParse(await store.read());
    return data?.proxy === (await proxy()) ? (data?.anchors ?? {}) : {};
  }

  /** A proxy has named its selectors; undefined: it has none. */
  async function learn(from: string, anchors: PageAnchors = {}): Promise<void> {
    const before = await known();
    if (from !== (await proxy()) || JSON.stringify(anchors) === JSON.stringify(before)) return;
    await store.write({ proxy: from, anchors });
    changed(anchors);
  }

  return {
    known,
    learn,
    /** Asks for them: the page lacks something. */
    async ask(): Promise<void> {
      const baseUrl = await proxy();
      if (!baseUrl) return;
      const options = { baseUrl, authorization: null, timeoutMs: deadlineMs, ...(fetch && { fetch }) };
      const found = await callProxy('discovery', {}, options);
      if (found.ok) await learn(baseUrl, found.data.page_anchors);
    },
  };
}

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
