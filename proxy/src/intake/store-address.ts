import { type OrgId, parseOrgId } from '@deskside/shared/orgid';

/** The rules by which addresses are classified: host names in lower-case ASCII, each including its subdomains. */
export interface StoreHosts {
  /** Hosts under which the platform gives every shop a domain. */
  platform_hosts: readonly string[];
  /** Domains that do not name a shop. */
  guarded_domains: readonly string[];
}

/** What an address names: a shop below a platform host, another site that may be a shop's, or no shop at all. */
export type StoreAddress =
  | { kind: 'shop'; host: string; orgId: OrgId | null; isAdmin: boolean }
  | { kind: 'site'; host: string }
  | { kind: 'guarded'; host: string };

/** At least two labels, the last one alphabetic: no IP addresses, no names of this machine. */
const hostName =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!localhost$)(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;
const scheme = /https?:[/\\]+/i;

/**
 * Splits a word into what precedes its path (`authority`) and the path: a leading label such as "Web:" and surrounding
 * punctuation are dropped, and the scheme is optional.
 */
export function splitAddress(word: string) {
  const start = word.search(scheme);
  const hasScheme = start >= 0 && !/[/\\?#]/.test(word.slice(0, start));
  const rest = hasScheme ? word.slice(start).replace(scheme, '') : word.replace(/^\p{L}+:(?=[\p{L}\p{N}])/u, '');
  const address = rest.replace(/^[^\p{L}\p{N}@%]+/u, '');
  const end = address.search(/[/\\?#]/);
  const authority = end < 0 ? address : address.slice(0, end);
  return { hasScheme, authority: withoutMarks(authority), path: end < 0 ? '' : address.slice(end) };
}

/**
 * Reads a web address that someone typed (docs/routing.md#intake): drops scheme, user info, port, path and
 * query, and returns the host in lower-case ASCII. Null if it does not name a public host, for example `localhost`, an
 * IP address in any notation, or a single word. A platform host takes precedence over a guarded domain. Of a link that
 * leads through another site the address that stands in it is read, at most three deep; nothing is fetched for that.
 */
export function readAddress(word: string, hosts: StoreHosts, depth = 0): StoreAddress | null {
  const { authority, path } = splitAddress(word);
  const host = withoutDots(URL.parse(`https://${authority}`)?.hostname ?? '');
  if (!hostName.test(host)) return null;
  const inner = depth < deepest ? innerAddress(host, path) : null;
  const within = inner === null ? null : readAddress(inner, hosts, depth + 1);
  if (within !== null) return within;
  const platforms = hosts.platform_hosts.filter((platform) => isWithin(host, platform));
  const [platform] = platforms.sort((a, b) => b.length - a.length);
  if (platform !== undefined) return readShop(host, platform, /^[/\\]+admin(?![\p{L}\p{N}_-])/iu.test(path));
  return { kind: hosts.guarded_domains.some((domain) => isWithin(host, domain)) ? 'guarded' : 'site', host };
}

/** How many links in one another are read. */
const deepest = 3;
/** Sites that send whoever clicks a link on to another one, the paths at which they do, and what names the other one. */
const forwarders: readonly [host: RegExp, path: RegExp, parameters: readonly string[]][] = [
  [/(?:^|\.)(?:facebook|messenger)\.com$/, /^\/(?:l\.php|flx\/warn)/, ['u']],
  [/^l\.(?:instagram|threads)\.(?:com|net)$/, /^\//, ['u']],
  [/\.safelinks\.protection\.(?:outlook|office365)\.com$/, /^\//, ['url']],
  [/(?:^|\.)google\.(?:com|com?\.[a-z]{2}|[a-z]{2})$/, /^\/url$/, ['q', 'url']],
  [/(?:^|\.)youtube\.com$/, /^\/redirect$/, ['q']],
  [/(?:^|\.)(?:zalo\.me|zaloapp\.com)$/, /^\//, ['url', 'u', 'link', 'redirect', 'continue']],
  [/(?:^|\.)(?:shopee\.vn|shope\.ee)$/, /^\//, ['redir', 'url', 'u', 'redirect', 'origin_link']],
];

/** The address in a link that leads on to it; null if it is none. */
function innerAddress(host: string, path: string): string | null {
  const url = URL.parse(`https://${host}${path}`);
  const forwarder = forwarders.find(([name, at]) => name.test(host) && at.test(url?.pathname ?? ''));
  const values = forwarder?.[2].flatMap((parameter) => url?.searchParams.get(parameter) ?? []) ?? [];
  return values.find((value) => /^(?:https?:)?\/\/\S+$/i.test(value)) ?? null;
}

function isWithin(host: string, domain: string): boolean {
  return host.endsWith(domain) && (host.length === domain.length || host.at(-domain.length - 1) === '.');
}

/** A shop has one label below the platform host: its name, or its org id. The platform's own site is not a shop. */
function readShop(host: string, platform: string, isAdmin: boolean): StoreAddress | null {
  const label = host
    .slice(0, -platform.length)
    .replace(/^www\./, '')
    .slice(0, -1);
  if (label === '' || label.includes('.')) return null;
  return { kind: 'shop', host: `${label}.${platform}`, orgId: parseOrgId(label), isAdmin };
}

function withoutMarks(text: string): string {
  let end = text.length;
  while (end > 0 && !/[\p{L}\p{M}\p{N}]/u.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function withoutDots(host: string): string {
  const labels = host.split('.');
  while (labels.at(0) === '') labels.shift();
  while (labels.at(-1) === '') labels.pop();
  return labels.join('.');
}
