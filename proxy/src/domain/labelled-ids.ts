import { type OrgId, parseOrgId } from '@deskside/shared/orgid';

/** What people call an org id, without diacritics. Blanks between the words may be several. */
const labels = [
  '(?:org|organi[sz]ation|company|shop|store)[\\s_-]?id',
  'ma\\s{1,3}(?:shop|cua\\s{1,3}hang|cong\\s{1,3}ty|to\\s{1,3}chuc)',
  'id\\s{1,3}(?:shop|store|org|company|cua\\s{1,3}hang|cong\\s{1,3}ty|to\\s{1,3}chuc)',
].join('|');
// Inside of addresses such a word is some other site's: `?shop_id=` is none of ours.
const before = '(?<![\\p{L}\\p{N}_&?=/.%@+])(?<!\\S-)';
const between = '(?:\\s{1,3}(?:la|is)(?=[\\s:]))?[\\s:=#]{1,6}';
const after = '(?![\\p{L}\\p{N}_]|[.,/-]\\d)';
/** Every repetition is bounded, so that no text takes longer than in proportion to its length. */
const labelled = new RegExp(`${before}(?:${labels})${between}(\\d{5,20})${after}`, 'gu');

/**
 * Org ids of 5 to 20 digits that a tidy text calls so, such as "Mã cửa hàng: 1000069001", with the passage; with or
 * without diacritics. A bare number is never one: it may be a phone number or an order. At most `limit`.
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

/** Lower case without diacritics, sign for sign, so that places in both texts are the same. */
function fold(text: string): string {
  return text
    .replace(/[^\p{ASCII}]/gu, (sign) => (sign.length > 1 ? sign : sign.normalize('NFD').charAt(0)))
    .toLowerCase()
    .replaceAll('đ', 'd');
}
