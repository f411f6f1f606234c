import { type OrgId, parseOrgId } from '@deskside/shared/orgid';

/** How much of a text is read, in UTF-16 units; the rest is ignored. */
const maxSigns = 64 * 1024;
/** Longer words are ignored; no host is longer than 253 characters. */
const longestWord = 2_000;
/** Longest quote that is kept as evidence. */
const longestQuote = 200;

/**
 * Prepares a text for reading: composed (NFC), without invisible characters. Combining marks on one letter are cut to
 * four: no script uses more, and composing takes quadratic time in their number.
 */
export function tidyText(text: string): string {
  return text
    .slice(0, maxSigns)
    .toWellFormed()
    .replace(/\p{Cf}+/gu, '')
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')
    .normalize('NFC');
}

/** The words of a tidy text, split at whitespace, commas, brackets and quotation marks, without duplicates. */
export function wordsOf(text: string): string[] {
  const words = text.split(/[\s\p{Cc},;|<>()[\]{}"'`“”‘’„«»，；、（）]+/u);
  return [...new Set(words)].filter((word) => word !== '').map((word) => word.slice(0, longestWord));
}

/** The part of a passage that is kept as evidence: one line, at most 200 characters. */
export function quoteOf(passage: string): string {
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
const between = '(?:\\s{1,3}(?:la|is)(?=[\\s:]))?[\\s:=#]{1,6}';
const after = '(?![\\p{L}\\p{N}_]|[.,/-]\\d)';
/** Every repetition is bounded, so that matching takes linear time. */
const labelled = new RegExp(`${before}(?:${labels})${between}(\\d{5,20})${after}`, 'gu');

/**
 * Org ids of 5 to 20 digits that are labelled as such in a tidy text, for example "Mã cửa hàng: 1000069001", with the
 * surrounding passage; with or without diacritics. A bare number is never one: it may be a phone number or an order. At
 * most `limit`.
 */
export function labelledOrgIds(text: string, limit: number): { orgId: OrgId; quote: string }[] {
  const found: { orgId: OrgId; quote: string }[] = [];
  for (const match of fold(withoutLinks(text)).matchAll(labelled)) {
    if (found.length >= limit) break;
    const quote = text.slice(match.index, match.index + match[0].length);
    const orgId = parseOrgId(match[1]);
    // "mà shop" means "but the shop".
    if (orgId !== null && !/^m[^aã]/i.test(quote)) found.push({ orgId, quote });
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
