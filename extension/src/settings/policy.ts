import { browser } from 'wxt/browser';
import * as z from 'zod/mini';
import { lastingItem } from '#platform/storage.ts';
import { parseAddress } from './address.ts';
import { Address, Language } from './schema.ts';

/** What the organisation's policy sets, as it was learnt. An invalid field counts as not set. */
const Policy = z.object({
  helpdesk: z.catch(z.optional(Address), undefined),
  proxy: z.catch(z.optional(Address), undefined),
  language: z.catch(z.optional(Language), undefined),
});
export type Policy = z.infer<typeof Policy>;

const item = lastingItem('policy');

/**
 * The policy as it was last learnt, empty before the first time. Never waits for the browser's own answer, which takes
 * seconds after its start (ARCHITECTURE.md#addresses).
 */
export async function rememberedPolicy(): Promise<Policy> {
  return parse(await item.read());
}

/**
 * Asks the browser for the policy and remembers the answer.
 * @returns whether it differs from what was remembered
 */
export async function learnPolicy(): Promise<boolean> {
  const policy = await askBrowser();
  const before = await rememberedPolicy();
  const isSame = (['helpdesk', 'proxy', 'language'] as const).every((name) => policy[name] === before[name]);
  if (!isSame) await item.write(policy);
  return !isSame;
}

/**
 * Calls back when another policy than the remembered one was learnt, in this or any other context of the extension.
 * @returns ends the watching
 */
export function onPolicyLearnt(learnt: () => void): () => void {
  return item.watch(learnt);
}

/** Addresses in a policy are parsed as leniently as typed ones; unusable ones count as not set. */
async function askBrowser(): Promise<Policy> {
  const [helpdesk, proxy, language] = await Promise.all(
    ['helpdesk_url', 'proxy_url', 'language'].map((name) => managed(name)),
  );
  const address = (value: unknown) => {
    const parsed = parseAddress(String(value ?? ''));
    return parsed.ok ? parsed.origin : undefined;
  };
  return parse({ helpdesk: address(helpdesk), proxy: address(proxy), language });
}

async function managed(name: string): Promise<unknown> {
  try {
    return (await browser.storage.managed.get(name))[name];
  } catch {
    // Firefox throws if no policy is installed (bug 1868153).
    return undefined;
  }
}

function parse(value: unknown): Policy {
  const parsed = Policy.safeParse(value);
  return parsed.success ? parsed.data : {};
}
