import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import type { Finding } from '@deskside/shared/routing';
import { readAddress, type StoreAddress, type StoreHosts, splitAddress } from './store-address.ts';
import { labelledOrgIds, quoteOf, tidyText, wordsOf } from './written-text.ts';

/** Something a text claims; the caller adds the field that the text is from. */
export type Claim = Pick<Finding, 'kind' | 'value' | 'source' | 'quote'>;

/** A host named in a text. Its meta.json may say more. */
export interface NamedHost {
  host: string;
  quote: string;
  /** Below a platform host. */
  isShop: boolean;
}

/** What a text says. Guarded hosts are listed only to record that they were seen. */
export interface Said {
  claims: Claim[];
  hosts: NamedHost[];
  guarded: NamedHost[];
}

/** Limit of claims, and of hosts, taken from one text. */
const maxFindings = 20;
/** Limit of words tried as addresses in one text. */
const maxAddresses = 500;

/** Sources of findings by precedence (docs/routing.md#intake). */
const order: readonly Finding['source'][] = [
  'store_url',
  'platform_domain',
  'bare_org_id',
  'admin_link',
  'meta_json',
  'text',
];

/**
 * Reads the value of a store URL field (docs/routing.md#typed-addresses): org ids, domains below a platform host, and
 * hosts whose meta.json may say more. One field may hold several values. A number is an org id if it is the whole
 * value; among other words, only if it is neither short nor begins with 0, as phone numbers do.
 */
export function readStoreValue(text: string, rules: StoreHosts): Said {
  const typed = tidyText(text);
  const words = wordsOf(typed);
  const said = newSaid();
  for (const { orgId, quote } of labelledOrgIds(typed, maxFindings)) {
    said.claims.push({ kind: 'org_id', value: orgId, source: 'store_url', quote: quoteOf(quote) });
  }
  for (const word of words.slice(0, maxAddresses)) {
    const orgId = words.length === 1 || /^[1-9]\d{4,}$/.test(word) ? parseOrgId(word) : null;
    if (orgId !== null) {
      said.claims.push({ kind: 'org_id', value: orgId, source: 'bare_org_id', quote: quoteOf(word) });
      continue;
    }
    const address = readAddress(word, rules);
    const isAdmin = address?.kind === 'shop' && address.isAdmin;
    if (address !== null) note(said, address, word, isAdmin ? 'admin_link' : 'platform_domain');
  }
  return limited(said);
}

/**
 * Reads free text: org ids only if labelled as such, links, and words that look like domains
 * (docs/routing.md#typed-addresses), but no e-mail addresses. Takes linear time; only the first 64 Ki characters are
 * read.
 */
export function scanText(text: string, rules: StoreHosts): Said {
  const written = tidyText(text);
  const said = newSaid();
  for (const { orgId, quote } of labelledOrgIds(written, maxFindings)) {
    said.claims.push({ kind: 'org_id', value: orgId, source: 'text', quote: quoteOf(quote) });
  }
  const addresses = wordsOf(written).filter((word) => looksLikeAddress(word, rules));
  for (const word of addresses.slice(0, maxAddresses)) {
    const address = readAddress(word, rules);
    if (address !== null) note(said, address, word, 'text');
  }
  return limited(said);
}

/** Findings by precedence, without duplicates; the first org id is taken as the ticket's. */
export function orderFindings(findings: readonly Finding[]): Finding[] {
  const ranked = findings.toSorted((a, b) => order.indexOf(a.source) - order.indexOf(b.source));
  return unique(ranked, ({ kind, value }) => `${kind} ${value}`);
}

/** The first org id and the first domain below a platform host among ordered findings. */
export function resultOf(findings: readonly Finding[]): { orgId: OrgId | null; platformDomain: string | null } {
  const first = (kind: Finding['kind']) => findings.find((finding) => finding.kind === kind)?.value ?? null;
  return { orgId: parseOrgId(first('org_id')), platformDomain: first('platform_domain') };
}

/** What an address itself tells: the shop's domain, and the org id if that is the shop's name. */
export function claimsOf(address: StoreAddress, quote: string, source: Finding['source']): Claim[] {
  if (address.kind !== 'shop') return [];
  const domain: Claim = { kind: 'platform_domain', value: address.host, source, quote };
  return address.orgId === null ? [domain] : [{ kind: 'org_id', value: address.orgId, source, quote }, domain];
}

function newSaid(): Said {
  return { claims: [], hosts: [], guarded: [] };
}

function note(said: Said, address: StoreAddress, word: string, source: Finding['source']): void {
  const quote = quoteOf(word);
  const { host } = address;
  said.claims.push(...claimsOf(address, quote, source));
  if (address.kind === 'guarded') said.guarded.push({ host, quote, isShop: false });
  if (address.kind === 'site') said.hosts.push({ host, quote, isShop: false });
  if (address.kind === 'shop' && address.orgId === null) said.hosts.push({ host, quote, isShop: true });
}

function looksLikeAddress(word: string, { platform_hosts }: StoreHosts): boolean {
  const { hasScheme, authority } = splitAddress(word);
  if (hasScheme) return true;
  if (authority.includes('@')) return false;
  const name = authority.toLowerCase();
  return /\.(?:vn|com|net|store|shop|asia)(?:[.:]|$)/.test(name) || platform_hosts.some((host) => name.endsWith(host));
}

function limited({ claims, hosts, guarded }: Said): Said {
  const each = ({ host }: NamedHost) => host;
  return {
    claims: unique(claims, ({ kind, value }) => `${kind} ${value}`).slice(0, maxFindings),
    hosts: unique(hosts, each).slice(0, maxFindings),
    guarded: unique(guarded, each).slice(0, maxFindings),
  };
}

/** Keeps the first item for each key. */
function unique<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const seen = new Map<string, T>();
  for (const item of items) if (!seen.has(keyOf(item))) seen.set(keyOf(item), item);
  return [...seen.values()];
}
