import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import type { Finding } from '@deskside/shared/routing';
import { labelledOrgIds } from './labelled-ids.ts';
import { readAddress, type StoreAddress, type StoreHosts, splitAddress } from './store-address.ts';
import { quoteOf, tidyText, wordsOf } from './written-text.ts';

/** A claim of a text; the field that it stands in is the caller's to add. */
export type Claim = Pick<Finding, 'kind' | 'value' | 'source' | 'quote'>;

/** A host that a text names. Its meta.json may say more. */
export interface NamedHost {
  host: string;
  quote: string;
  /** Below a platform host. */
  isShop: boolean;
}

/** What a text says. Guarded hosts are listed only to say that they were seen. */
export interface Said {
  claims: Claim[];
  hosts: NamedHost[];
  guarded: NamedHost[];
}

/** As many claims, and as many hosts, are taken from one text. */
const mostFindings = 20;
/** As many words of one text are tried as addresses. */
const mostAddresses = 500;

/** The order in which findings are believed (spec.md, "Ticket intake"). */
const order: readonly Finding['source'][] = [
  'store_url',
  'platform_domain',
  'bare_org_id',
  'admin_link',
  'meta_json',
  'text',
];

/**
 * What the value of a store URL field says (facts/domain.md section 3): org ids, domains below a platform host, and
 * hosts whose meta.json may tell. Several values may stand in one field. A number that is the whole value is an org id;
 * among other words only where it is neither short nor begins with 0, as phone numbers do.
 */
export function readStoreValue(text: string, rules: StoreHosts): Said {
  const typed = tidyText(text);
  const words = wordsOf(typed);
  const said = newSaid();
  for (const { orgId, quote } of labelledOrgIds(typed, mostFindings)) {
    said.claims.push({ kind: 'org_id', value: orgId, source: 'store_url', quote: quoteOf(quote) });
  }
  for (const word of words.slice(0, mostAddresses)) {
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
 * What free text says: org ids only where they are called so, links, and words that look like domains (facts/domain.md
 * section 3, "Text scan heuristic"), but no mail addresses. Takes time in proportion to the length, of which 64 Ki
 * characters are looked at.
 */
export function scanText(text: string, rules: StoreHosts): Said {
  const written = tidyText(text);
  const said = newSaid();
  for (const { orgId, quote } of labelledOrgIds(written, mostFindings)) {
    said.claims.push({ kind: 'org_id', value: orgId, source: 'text', quote: quoteOf(quote) });
  }
  const addresses = wordsOf(written).filter((word) => looksLikeAddress(word, rules));
  for (const word of addresses.slice(0, mostAddresses)) {
    const address = readAddress(word, rules);
    if (address !== null) note(said, address, word, 'text');
  }
  return limited(said);
}

/** Findings in the order in which they are believed, each once; the first org id is the ticket's. */
export function orderFindings(findings: readonly Finding[]): Finding[] {
  const ranked = findings.toSorted((a, b) => order.indexOf(a.source) - order.indexOf(b.source));
  return unique(ranked, ({ kind, value }) => `${kind} ${value}`);
}

/** The first org id and the first domain below a platform host of ordered findings. */
export function resultOf(findings: readonly Finding[]): { orgId: OrgId | null; platformDomain: string | null } {
  const first = (kind: Finding['kind']) => findings.find((finding) => finding.kind === kind)?.value ?? null;
  return { orgId: parseOrgId(first('org_id')), platformDomain: first('platform_domain') };
}

/** What an address says by itself: the domain of a shop, and the org id where that is the shop's name. */
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
    claims: unique(claims, ({ kind, value }) => `${kind} ${value}`).slice(0, mostFindings),
    hosts: unique(hosts, each).slice(0, mostFindings),
    guarded: unique(guarded, each).slice(0, mostFindings),
  };
}

/** The first of those with the same key. */
function unique<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const seen = new Map<string, T>();
  for (const item of items) if (!seen.has(keyOf(item))) seen.set(keyOf(item), item);
  return [...seen.values()];
}
