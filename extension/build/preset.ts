/** Addresses that a company builds into its own package. Origins, or null where the agent or a policy decides. */
export interface Preset {
  helpdesk: string | null;
  proxy: string | null;
}

/**
 * Reads `HELPDESK_ORIGIN` and `PROXY_ORIGIN` (ARCHITECTURE.md#addresses).
 * @throws Error naming the variable, if it is no bare origin or not https outside of loopback
 */
export function readPreset(env: Record<string, string | undefined>): Preset {
  return { helpdesk: origin(env, 'HELPDESK_ORIGIN'), proxy: origin(env, 'PROXY_ORIGIN') };
}

function origin(env: Record<string, string | undefined>, name: string): string | null {
  const text = env[name]?.trim();
  if (!text) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const loopback = url?.hostname === '127.0.0.1' || url?.hostname === 'localhost';
  const secure = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback);
  if (!url || !secure || url.origin !== text.replace(/\/$/, '')) {
    throw new Error(
      `${name}: found "${url?.password ? '(an address with a password)' : text}", expected an origin such as ` +
        'https://helpdesk.example (http only on 127.0.0.1 and localhost; no path).',
    );
  }
  return url.origin;
}
