import { type OrgId, parseOrgId } from '@deskside/shared/orgid';

/** The part of the site's rules that addresses are judged by: host names in lower-case ASCII. Subdomains are meant as well. */
export interface StoreHosts {
  /** Hosts below which the platform gives every shop a domain. */
  platform_hosts: readonly string[];
  /** Domains that name no shop. */
  guarded_domains: readonly string[];
}

/** What an address names: a shop below a platform host, some other site that may be a shop's, or no shop at all. */
export type StoreAddress =
  | { kind: 'shop'; host: string; orgId: OrgId | null; isAdmin: boolean }
  | { kind: 'site'; host: string }
  | { kind: 'guarded'; host: string };

/** A word as an address: what precedes its path, and the path. */
export interface WrittenAddress {
  hasScheme: boolean;
  authority: string;
  path: string;
}

/** At least two labels, the last one of letters: no IP address, no name of this machine. */
const hostName =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!localhost$)(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;
const scheme = /https?:[/\\]+/i;

/** Takes a word apart: a label such as "Web:" in front and marks around it are left out, a scheme is not needed. */
export function splitAddress(word: string): WrittenAddress {
  const start = word.search(scheme);
  const hasScheme = start >= 0 && !/[/\\?#]/.test(word.slice(0, start));
  const rest = hasScheme ? word.slice(start).replace(scheme, '') : word.replace(/^\p{L}+:(?=[\p{L}\p{N}])/u, '');
  const address = rest.replace(/^[^\p{L}\p{N}@%]+/u, '');
  const end = address.search(/[/\\?#]/);
  const authority = end < 0 ? address : address.slice(0, end);
  return { hasScheme, authority: withoutMarks(authority), path: end < 0 ? '' : address.slice(end) };
}

/**
 * Reads a web address that somebody typed (facts/domain.md section 3): scheme, user-info, port, path and query are
 * dropped, the host comes in lower-case ASCII. Null where it names no public host, such as `localhost`, an IP address
 * in whatever notation, or a single word. A platform host goes before the guard.
 */
export function readAddress(word: string, hosts: StoreHosts): StoreAddress | null {
  const { authority, path } = splitAddress(word);
  const host = withoutDots(URL.parse(`https://${authority}`)?.hostname ?? '');
  if (!hostName.test(host)) return null;
  const platforms = hosts.platform_hosts.filter((platform) => isWithin(host, platform));
  const [platform] = platforms.sort((a, b) => b.length - a.length);
  if (platform !== undefined) return readShop(host, platform, /^[/\\]+admin(?![\p{L}\p{N}_-])/iu.test(path));
  return { kind: hosts.guarded_domains.some((domain) => isWithin(host, domain)) ? 'guarded' : 'site', host };
}

function isWithin(host: string, domain: string): boolean {
  return host.endsWith(domain) && (host.length === domain.length || host.at(-domain.length - 1) === '.');
}

/** A shop has one label below the platform host: its name, or its org id. The platform's own site is no shop. */
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
