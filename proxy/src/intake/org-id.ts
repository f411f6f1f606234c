import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import type { Finding, RoutingInputs } from '@deskside/shared/routing';
import { evenText, invisible, moreMarks } from '@deskside/shared/text';
import { readAddress, type StoreAddress, type StoreHosts, splitAddress } from './store-address.ts';

/** An org id that may be the ticket's, and where it was found. */
export interface Candidate {
  orgId: OrgId;
  source: 'ticket' | 'customer' | 'customer_name';
  field: string;
}

export interface Candidates {
  /** In the order in which to try them, each org id once. */
  candidates: Candidate[];
  /** Fields that hold something other than an org id. */
  unusable: string[];
}

/**
 * Orders the org ids found on a ticket and its customer (decision 5: order of org ids): the ticket's fields in the given order,
 * the customer's field, then the id in a customer name of the form `<name> - <digits>` or `<digits> - <name>`. Digits
 * elsewhere in a name are never used: "360 Store" is a shop, not an id.
 */
export function orderCandidates(
  ticketFields: readonly { field: string; value: unknown }[],
  customer: { name: string; custom_platform_orgid: string | null } | null,
): Candidates {
  const found = new Map<OrgId, Candidate>();
  const unusable: string[] = [];
  const consider = (source: Candidate['source'], field: string, value: unknown) => {
    if (value === null || value === undefined || value === 0) return;
    if (typeof value === 'string' && value.trim() === '') return;
    const orgId = parseOrgId(value);
    if (!orgId) unusable.push(field);
    else if (!found.has(orgId)) found.set(orgId, { orgId, source, field });
  };
  for (const { field, value } of ticketFields) consider('ticket', field, value);
  if (customer) {
    consider('customer', 'custom_platform_orgid', customer.custom_platform_orgid);
    consider('customer_name', 'name', orgIdInName(customer.name));
  }
  return { candidates: [...found.values()], unusable };
}

/** How much of a value is shown that is no org id. */
const mostShown = 40;

/** What stands where an org id should, fit to be shown, and why it counts for nothing; null for an org id or nothing. */
export function unreadOrgId(value: unknown): { value: string; why: string } | null {
  if (parseOrgId(value) !== null || (typeof value !== 'string' && typeof value !== 'number') || value === 0)
    return null;
  const text = String(value)
    .replace(/<[^>]*>|[<>]/g, ' ')
    .replace(invisible, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('"', "'")
    .toWellFormed()
    .trim();
  const [shown, rest] = [[...text].slice(0, mostShown), [...text].slice(mostShown)];
  if (text === '') return null;
  return { value: shown.join('').trim() + (rest.length > 0 ? '…' : ''), why: whyUnread(text) };
}

function whyUnread(text: string): string {
  if (/^[+-]?\d+(?:[.,]\d+)?e\+?\d+$/i.test(text)) return 'a spreadsheet has cut it short';
  if (!/\d/.test(text)) return 'it is no number';
  if (text.split(/[\s,;/|&+-]+/).filter((word) => parseOrgId(word) !== null).length > 1)
    return 'it is more than one number';
  if (/^0+$/.test(text)) return 'it is zero';
  return /^\d+$/.test(text) ? 'it has more than 20 digits' : 'it is no number of 1 to 20 digits';
}

/** The org id that a customer carries, in its field or its name; null: it stands for no company. */
export function orgIdOfCustomer(customer: Parameters<typeof orderCandidates>[1]): OrgId | null {
  return customer && (parseOrgId(customer.custom_platform_orgid) ?? orgIdInName(customer.name));
}

/** The org id in a customer's name, in either naming convention (decision 5: order of org ids); null if there is none. */
export function orgIdInName(name: string): OrgId | null {
  const even = evenText(name);
  const match = /\S - (\d{1,20})$/.exec(even) ?? /^(\d{1,20}) - \S/.exec(even);
  return parseOrgId(match?.[1]);
}

/** A name without the org id that it may carry; digits that are no org id stay. */
export function withoutOrgId(name: string): string {
  const idOnly = (part: string, digits: string) => (parseOrgId(digits) === null ? part : '');
  return name.replace(/\s\p{Dash}\s(\d+)$/u, idOnly).replace(/^(\d+)\s\p{Dash}\s/u, idOnly);
}

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
export interface Mentions {
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
 * Reads the value of a store URL field (docs/routing.md#intake): org ids, domains below a platform host, and
 * hosts whose meta.json may say more. One field may hold several values. A number is an org id if it is the whole
 * value; among other words, only if it is neither short nor begins with 0, as phone numbers do.
 */
export function readStoreValue(text: string, rules: StoreHosts): Mentions {
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
 * Reads free text: org ids only if labelled as such, links, and words that look like domains (docs/routing.md#intake), but
 * no e-mail addresses. Takes linear time; only the first 64 Ki characters are read.
 */
export function scanText(text: string, rules: StoreHosts): Mentions {
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

/**
 * The domain below the platform that intake found for the shop of an org id, fit for its customer; null: none. Anybody can name
 * a shop's domain: it takes the platform's own meta.json there, which tells the org id, or a sender who is vouched for.
 */
export function shopDomainOf(
  { org_id, findings }: Pick<RoutingInputs, 'org_id' | 'findings'> = { org_id: null, findings: [] },
  orgId: OrgId,
  isVouchedFor: boolean,
): string | null {
  const { orgId: named, platformDomain } = resultOf(findings);
  const isNamed = named === orgId || (named === null && org_id?.source === 'ticket');
  if (org_id?.value !== orgId || !isNamed) return null;
  const address = `https://${platformDomain}/meta.json`;
  const isPlatforms = findings.some((finding) => finding.value === orgId && finding.address === address);
  return isVouchedFor || isPlatforms ? platformDomain : null;
}

/** What an address itself tells: the shop's domain, and the org id if that is the shop's name. */
export function claimsOf(address: StoreAddress, quote: string, source: Finding['source']): Claim[] {
  if (address.kind !== 'shop') return [];
  const domain: Claim = { kind: 'platform_domain', value: address.host, source, quote };
  return address.orgId === null ? [domain] : [{ kind: 'org_id', value: address.orgId, source, quote }, domain];
}

function newSaid(): Mentions {
  return { claims: [], hosts: [], guarded: [] };
}

function note(said: Mentions, address: StoreAddress, word: string, source: Finding['source']): void {
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

function limited({ claims, hosts, guarded }: Mentions): Mentions {
  const each = ({ host }: NamedHost) => host;
  return {
    claims: unique(claims, ({ kind, value }) => `${kind} ${value}`).slice(0, maxFindings),
    hosts: unique(hosts, each).slice(0, maxFindings),
    guarded: unique(guarded, each).slice(0, maxFindings),
  };
}

/** Keeps the first item for each key. */
function unique<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const first = new Map<string, T>();
  for (const item of items) if (!first.has(keyOf(item))) first.set(keyOf(item), item);
  return [...first.values()];
}

/** How much of a text is read, in UTF-16 units; the rest is ignored. */
const maxSigns = 64 * 1024;
/** Longer words are ignored; no host is longer than 253 characters. */
const longestWord = 2_000;
/** Longest quote that is kept as evidence. */
const longestQuote = 200;

/**
 * Prepares a text for reading: composed (NFC), without invisible characters, with at most four combining marks on one
 * letter.
 */
export function tidyText(text: string): string {
  return text.slice(0, maxSigns).toWellFormed().replace(invisible, '').replace(moreMarks, '$1').normalize('NFC');
}

/** The words of a tidy text, split at whitespace, commas, brackets and quotation marks, without duplicates. */
function wordsOf(text: string): string[] {
  const words = text.split(/[\s\p{Cc},;|<>()[\]{}"'`“”‘’„«»，；、（）]+/u);
  return [...new Set(words)].filter((word) => word !== '').map((word) => word.slice(0, longestWord));
}

/** The part of a passage that is kept as evidence: one line, at most 200 characters. */
function quoteOf(passage: string): string {
  return passage
    .slice(0, longestQuote)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** What people call an org id, without diacritics. There may be several blanks between the words. */
const labels = [
  '(?:org|organi[sz]ation|company|shop|store)[\\s_-]?id',
  'ma\\s{1,3}(?:shop|cua\\s{1,3}hang|cong\\s{1,3}ty|to\\s{1,3}chuc)',
  'id\\s{1,3}(?:shop|store|org|company|cua\\s{1,3}hang|cong\\s{1,3}ty|to\\s{1,3}chuc)',
].join('|');
// Inside an address such a word belongs to another site: `?shop_id=` is not ours.
const before = '(?<![\\p{L}\\p{N}_&?=/.%@+])(?<!\\S-)';
const whose = '(?:\\s{1,3}cua)?\\s{1,3}(?:(?:chung|ben)\\s{1,3})?(?:em|e|minh|m|toi|tui|shop|chi|anh)(?=[\\s:=])';
const between = `(?:${whose})?(?:\\s{1,3}(?:la|is)(?=[\\s:]))?[\\s:=#("'“‘\\[–—-]{1,6}`;
const after = '(?![\\p{L}\\p{N}_]|[.,/-]\\d)';
/** Every repetition is bounded, so that matching takes linear time. */
const labelled = new RegExp(`${before}(?:${labels})${between}(\\d{5,20})${after}`, 'gu');
const named = '(?:la|is)\\s{1,3}(?:(?:my|our|the)\\s{1,3})?';
/** The number first, as in "1000069001 là mã shop của em". */
const labelledBehind = new RegExp(
  `(?<![\\p{L}\\p{N}_?=/.,%@+-])(\\d{5,20})["'”’)\\]]?\\s{1,3}${named}(?:${labels})(?![\\p{L}\\p{N}_])`,
  'gu',
);

/**
 * Org ids of 5 to 20 digits that are labelled as such in a tidy text, for example "Mã cửa hàng: 1000069001", with the
 * surrounding passage; with or without diacritics. A bare number is never one: it may be a phone number or an order. At
 * most `limit`.
 */
export function labelledOrgIds(text: string, limit: number): { orgId: OrgId; quote: string }[] {
  const found: { orgId: OrgId; quote: string }[] = [];
  const folded = fold(withoutLinks(text));
  const matches = [labelled, labelledBehind].flatMap((pattern) => [...folded.matchAll(pattern)]);
  for (const match of matches.toSorted((a, b) => a.index - b.index)) {
    if (found.length >= limit) break;
    const quote = text.slice(match.index, match.index + match[0].length);
    const orgId = parseOrgId(match[1]);
    // "mà shop" means "but the shop".
    if (orgId !== null && !/(?:^|\s)m[^\p{ASCII}ã]\s/iu.test(quote)) found.push({ orgId, quote });
  }
  return found;
}

function withoutLinks(text: string): string {
  return text.replace(/\S+/g, (word) => {
    const start = word.search(/https?:\/\//i);
    return start < 0 ? word : word.slice(0, start).padEnd(word.length);
  });
}

/** Lower case without diacritics, character for character, so that positions in both texts are the same. */
function fold(text: string): string {
  return text
    .replace(/[^\p{ASCII}]/gu, (sign) => (sign.length > 1 ? sign : sign.normalize('NFD').charAt(0)))
    .toLowerCase()
    .replaceAll('đ', 'd');
}
