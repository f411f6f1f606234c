import { browser } from 'wxt/browser';
import * as z from 'zod/mini';
import { Address, Language, parseAddress } from '#messaging/settings.ts';
import { isGranted } from './browser.ts';
import { lastingItem } from './storage.ts';

/** What the agent chose. An invalid field counts as not set, so that it does not cost the others. */
const StoredSettings = z.object({
  helpdesk: z.catch(z.nullable(Address), null),
  proxy: z.catch(z.nullable(Address), null),
  language: z.catch(Language, 'auto'),
});
export type StoredSettings = z.infer<typeof StoredSettings>;

const fallback: StoredSettings = { helpdesk: null, proxy: null, language: 'auto' };
const item = lastingItem('settings', StoredSettings);

/** Who set a value that the agent cannot change: the package, or the organisation's policy. */
type Lock = 'build' | 'policy' | null;

/** The effective settings. `helpdesk` and `proxy` are origins. */
export interface Settings extends StoredSettings {
  locks: { helpdesk: Lock; proxy: Lock; language: Lock };
}

/** The effective settings: built-in values go before the organisation's policy, that before the agent's choice. */
export async function readSettings(): Promise<Settings> {
  const { stored, policy } = await readKept();
  const { HELPDESK_ORIGIN, PROXY_ORIGIN } = import.meta.env;
  return decide(stored, policy, { helpdesk: HELPDESK_ORIGIN ?? null, proxy: PROXY_ORIGIN ?? null });
}

export async function grantedHelpdesk(): Promise<string | null> {
  const { helpdesk } = await readSettings();
  return (await isGranted(helpdesk)) ? helpdesk : null;
}

/** Stores the agent's choice; fields that are not given stay as they are. A locked field keeps its locked value. */
export async function writeSettings(change: Partial<StoredSettings>): Promise<void> {
  await item.write({ ...(await readKept()).stored, ...change });
}

/** Calls back after the effective settings may have changed, in this or any other context of the extension. */
export function onSettingsChanged(changed: () => void): void {
  item.watch(changed);
  onPolicyLearnt(changed);
}

export function decide(
  stored: StoredSettings,
  policy: Policy,
  built: { helpdesk: string | null; proxy: string | null },
): Settings {
  const pick = (name: 'helpdesk' | 'proxy'): [string | null, Lock] => {
    if (built[name]) return [built[name], 'build'];
    const managed = policy[name];
    return managed ? [managed, 'policy'] : [stored[name], null];
  };
  const [helpdesk, helpdeskLock] = pick('helpdesk');
  const [proxy, proxyLock] = pick('proxy');
  return {
    helpdesk,
    proxy,
    language: policy.language ?? stored.language,
    locks: { helpdesk: helpdeskLock, proxy: proxyLock, language: policy.language ? 'policy' : null },
  };
}

/** What the organisation's policy sets, as it was learnt. An invalid field counts as not set. */
const Policy = z.object({
  helpdesk: z.catch(z.optional(Address), undefined),
  proxy: z.catch(z.optional(Address), undefined),
  language: z.catch(z.optional(Language), undefined),
});
export type Policy = z.infer<typeof Policy>;

const policyItem = lastingItem('policy', Policy);

/**
 * What the agent chose and the policy as it was last learnt, empty before the first time: each message to the background
 * waits for them, so they are read at once. Never waits for the browser's own answer, which takes seconds after its start
 * (ARCHITECTURE.md#the-extension).
 */
async function readKept(): Promise<{ stored: StoredSettings; policy: Policy }> {
  const kept = await browser.storage.local.get([item.key, policyItem.key]);
  return { stored: item.parse(kept) ?? fallback, policy: policyItem.parse(kept) ?? {} };
}

/** Asks the browser for the policy and remembers it; true: it is another one than before. */
export async function learnPolicy(): Promise<boolean> {
  const policy = await askBrowser();
  const { policy: before } = await readKept();
  const isSame = (['helpdesk', 'proxy', 'language'] as const).every((name) => policy[name] === before[name]);
  if (!isSame) await policyItem.write(policy);
  return !isSame;
}

/** Calls back when another policy was learnt, in any context of the extension; what it returns ends that. */
export function onPolicyLearnt(learnt: () => void): () => void {
  return policyItem.watch(learnt);
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
  return Policy.parse({ helpdesk: address(helpdesk), proxy: address(proxy), language });
}

async function managed(name: string): Promise<unknown> {
  try {
    return (await browser.storage.managed.get(name))[name];
  } catch {
    // Firefox throws if no policy is installed (bug 1868153).
    return undefined;
  }
}
