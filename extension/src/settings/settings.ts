import { storage } from 'wxt/utils/storage';
import * as z from 'zod/mini';
import { Language } from '../messaging/protocol.ts';
import { isAddress, parseAddress } from './address.ts';

const Address = z.string().check(z.refine(isAddress));

/** What the agent chose. Each field that does not fit reads as not set, so that one bad value never costs the others. */
const Stored = z.object({
  helpdesk: z.catch(z.nullable(Address), null),
  proxy: z.catch(z.nullable(Address), null),
  language: z.catch(Language, 'auto'),
});
export type Stored = z.infer<typeof Stored>;

const fallback: Stored = { helpdesk: null, proxy: null, language: 'auto' };
const item = storage.defineItem<unknown>('local:settings', { version: 1, fallback });

/** Who decided a value that the agent cannot change here: whoever built the package, or the organisation's policy. */
export type Lock = 'build' | 'policy' | null;

/** The settings in force. `helpdesk` and `proxy` are origins. */
export interface Settings extends Stored {
  locks: { helpdesk: Lock; proxy: Lock; language: Lock };
}

/** The settings in force: what is built in wins over the organisation's policy, and that over the agent's choice. */
export async function readSettings(): Promise<Settings> {
  const [stored, policy] = await Promise.all([readStored(), readPolicy()]);
  const { HELPDESK_ORIGIN, PROXY_ORIGIN } = import.meta.env;
  return decide(stored, policy, { helpdesk: HELPDESK_ORIGIN ?? null, proxy: PROXY_ORIGIN ?? null });
}

/** Stores what the agent chose; fields that are not given stay as they are. A locked field keeps its locked value. */
export async function writeSettings(change: Partial<Stored>): Promise<void> {
  await item.setValue({ ...(await readStored()), ...change });
}

/** Calls back after the agent's choice was stored, in whatever context that happened. */
export function onSettingsChanged(changed: () => void): void {
  item.watch(changed);
}

/** Pure part of `readSettings`. */
export function decide(
  stored: Stored,
  policy: Partial<Stored>,
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

async function readStored(): Promise<Stored> {
  const parsed = Stored.safeParse(await item.getValue());
  return parsed.success ? parsed.data : fallback;
}

/** An administrator types addresses like anybody else, so they are read as leniently; unusable ones count as not set. */
async function readPolicy(): Promise<Partial<Stored>> {
  const [helpdesk, proxy, language] = await Promise.all([
    managed('helpdesk_url'),
    managed('proxy_url'),
    managed('language'),
  ]);
  const policy: Partial<Stored> = {};
  const helpdeskAddress = parseAddress(String(helpdesk ?? ''));
  if (helpdeskAddress.ok) policy.helpdesk = helpdeskAddress.origin;
  const proxyAddress = parseAddress(String(proxy ?? ''));
  if (proxyAddress.ok) policy.proxy = proxyAddress.origin;
  const chosen = Language.safeParse(language);
  if (chosen.success) policy.language = chosen.data;
  return policy;
}

async function managed(name: string): Promise<unknown> {
  try {
    return await storage.getItem(`managed:${name}`);
  } catch {
    // Firefox throws where no policy is installed (bug 1868153).
    return null;
  }
}
