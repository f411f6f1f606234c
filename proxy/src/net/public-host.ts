/** Endings that never lead out of the local network or machine, or not by DNS (RFC 6761, 6762, 7686, 8375, 9476). */
const inner = new Set([
  'alt',
  'arpa',
  'corp',
  'home',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'onion',
  'private',
]);
const hostName = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

/**
 * The host name of a URL as the URL parser returns it, without the root's dot, if it can be a public DNS name: at least
 * two labels, no IP address in any notation (the parser has resolved the odd ones), no ending for internal names. Null
 * otherwise.
 */
export function publicHost({ hostname }: URL): string | null {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  const ending = hostName.exec(name)?.[1];
  return ending === undefined || inner.has(ending) ? null : name;
}

/**
 * Reads an address supplied by a stranger, possibly relative to `base`: https on the standard port, no user info, a
 * public host name. Returns it in the one spelling that is then used, without fragment; null if it is anything else.
 */
export function publicUrl(address: string, base?: URL): URL | null {
  const url = URL.parse(address, base?.href);
  if (url === null || url.protocol !== 'https:' || url.port !== '') return null;
  const host = publicHost(url);
  if (host === null || url.username !== '' || url.password !== '') return null;
  url.hostname = host;
  url.hash = '';
  return url;
}
