import { lookup } from 'node:dns/promises';

/** What one build holds: addresses that a company builds into its own package, and hosts for trying things out. */
export interface Preset {
  /** Origins, or null where the agent or a policy decides. */
  helpdesk: string | null;
  proxy: string | null;
  /** Hosts besides 127.0.0.1 and localhost that may be http: all of them were this machine when it was built. */
  insecureHosts: string[];
}

type BuildEnvironment = Record<string, string | undefined>;
type Resolve = (host: string) => Promise<{ address: string }[]>;

/**
 * Reads `HELPDESK_ORIGIN`, `PROXY_ORIGIN` and `INSECURE_HTTP_HOSTS` (ARCHITECTURE.md#the-extension).
 * @throws Error naming the variable, if an address is no bare origin, or is http where it may not be
 */
export async function readPreset(env: BuildEnvironment, resolve: Resolve = resolveAll): Promise<Preset> {
  const insecureHosts = (env.INSECURE_HTTP_HOSTS ?? '').split(',').flatMap((host) => host.trim().toLowerCase() || []);
  for (const host of insecureHosts) await expectLoopback(host, resolve);
  return {
    helpdesk: origin(env, 'HELPDESK_ORIGIN', insecureHosts),
    proxy: origin(env, 'PROXY_ORIGIN', insecureHosts),
    insecureHosts,
  };
}

function origin(env: BuildEnvironment, name: string, insecureHosts: string[]): string | null {
  const text = env[name]?.trim();
  if (!text) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const mayBeHttp = url && ['127.0.0.1', 'localhost', ...insecureHosts].includes(url.hostname);
  const secure = url?.protocol === 'https:' || (url?.protocol === 'http:' && mayBeHttp);
  if (!url || !secure || url.origin !== text.replace(/\/$/, '')) {
    throw new Error(
      `${name}: found "${url?.password ? '(an address with a password)' : text}", expected an origin such as ` +
        'https://helpdesk.example (http only on 127.0.0.1 and localhost; no path).',
    );
  }
  return url.origin;
}

/** A name that leads elsewhere would send the agent's sign-in over a network in the clear. */
async function expectLoopback(host: string, resolve: Resolve): Promise<void> {
  const addresses = /^[a-z\d.-]+$/.test(host) ? await resolve(host).catch(() => []) : [];
  if (addresses.length > 0 && addresses.every(({ address }) => /^(127\.|::1$)/.test(address))) return;
  throw new Error(`INSECURE_HTTP_HOSTS: "${host}" is not this machine; only names that lead to loopback may be http.`);
}

function resolveAll(host: string): Promise<{ address: string }[]> {
  return lookup(host, { all: true });
}
