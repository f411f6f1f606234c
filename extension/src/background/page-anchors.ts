import { PageAnchor, PageAnchors } from '@deskside/shared/contract';
import { browser } from 'wxt/browser';
import * as z from 'zod/mini';
import { readSettings } from '#browser/settings.ts';
import { lastingItem, sessionItem } from '#browser/storage.ts';
import type { ProxyCaller } from './proxy-caller.ts';
import { discover } from './sign-in.ts';

/** What a proxy said last. */
const AnchorRecord = z.object({ proxy: z.string(), anchors: PageAnchors });

/**
 * The operator's selectors for a helpdesk page that has changed (docs/operate.md#after-an-update-of-the-helpdesk). The proxy
 * gives them to everybody with its discovery; they are kept until it gives others, and never used for another proxy.
 * @param changed called with others than before
 */
export function createPageAnchors(changed: (anchors: PageAnchors) => void) {
  const store = lastingItem('pageAnchors', AnchorRecord);
  const proxy = async () => (await readSettings()).proxy;
  async function known(): Promise<PageAnchors> {
    const stored = await store.read();
    return stored && stored.proxy === (await proxy()) ? stored.anchors : {};
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
      const found = await discover(baseUrl);
      if (found.ok) await learn(baseUrl, found.data.page_anchors);
    },
  };
}

export type PageAnchorStore = ReturnType<typeof createPageAnchors>;

/** What the proxy was told of in this browser session. */
const told = sessionItem('told', z.array(PageAnchor));

/**
 * Tells the proxy that the helpdesk's page lacks something, by its name and this extension's version and nothing else,
 * once per browser session (docs/operate.md#after-an-update-of-the-helpdesk). A proxy that does not answer, or does
 * not know of it yet, is not asked again: other agents have the same page.
 */
export async function tellMissing(call: ProxyCaller, anchor: PageAnchor, user: string): Promise<void> {
  const before = (await told.read()) ?? [];
  if (before.includes(anchor)) return;
  await told.write([...before, anchor]);
  const { version } = browser.runtime.getManifest();
  await call('missingAnchor', { anchor, extension: version }, new AbortController().signal, user);
}
