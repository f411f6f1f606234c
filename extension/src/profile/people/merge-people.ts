import { normalizePhone } from '@deskside/shared/phone';
import type { Part } from '#profile/rows/row.ts';
import { type Mention, type Person, roles } from './person.ts';

/**
 * Who is who: mentions with the same e-mail address, phone number or name are one person (docs/decisions.md 4b). What a
 * sender can write makes them nobody else: unless `vouched`, a mention that is a claim joins others by e-mail only.
 */
export function mergePeople(mentions: readonly Mention[], { vouched }: { vouched: boolean }): Person[] {
  const groups: Mention[][] = [];
  for (const mention of mentions) {
    const same = groups.filter((group) => group.some((other) => isSamePerson(mention, other, vouched)));
    for (const group of same) groups.splice(groups.indexOf(group), 1);
    groups.push([...same.flat(), mention]);
  }
  return groups.map(personOf).toSorted((a, b) => rankOf(a) - rankOf(b));
}

function isSamePerson(a: Mention, b: Mention, vouched: boolean): boolean {
  if (share(a.emails, b.emails, emailKey)) return true;
  if (a.isClaim !== b.isClaim && !vouched) return false;
  if (share(a.phones, b.phones, normalizePhone)) return true;
  return isSameName(a.name?.text ?? '', b.name?.text ?? '');
}

function share(a: readonly Part[], b: readonly Part[], keyOf: (text: string) => string | null): boolean {
  const keys = new Set(b.map(({ text }) => text && keyOf(text)));
  return a.some(({ text }) => {
    const key = text && keyOf(text);
    return Boolean(key) && keys.has(key);
  });
}

function personOf(group: readonly Mention[]): Person {
  const mentions = group.toSorted((a, b) => roles.indexOf(a.role) - roles.indexOf(b.role));
  // The name that the company's own records have, then the fullest.
  const names = mentions
    .flatMap(({ name, isClaim }) => (name ? [{ name, isClaim }] : []))
    .toSorted((a, b) => Number(a.isClaim) - Number(b.isClaim) || wordsOf(b.name) - wordsOf(a.name));
  return {
    // That of the first mention: who gets one more, as accounts come in, keeps their place on screen, and the focus in it.
    key: mentions[0]?.key ?? '',
    roles: [...new Set(mentions.map(({ role }) => role))],
    name: names.find(({ name }) => name.text !== null)?.name ?? names[0]?.name ?? null,
    emails: onceEach(
      mentions.flatMap(({ emails }) => emails),
      emailKey,
    ),
    phones: onceEach(
      mentions.flatMap(({ phones }) => phones),
      normalizePhone,
    ),
    notes: mentions.flatMap(({ notes }) => notes),
  };
}

/** The first part with each value, and those whose value is gone. */
function onceEach(parts: readonly Part[], keyOf: (text: string) => string | null): Part[] {
  const seen = new Set<string>();
  return parts.filter(({ text }) => {
    if (text === null) return true;
    const key = keyOf(text) ?? text;
    return !seen.has(key) && Boolean(seen.add(key));
  });
}

function wordsOf({ text }: Part): number {
  return text?.split(' ').length ?? 0;
}

function rankOf({ roles: [first] }: Person): number {
  return first ? roles.indexOf(first) : roles.length;
}

/** An e-mail address such that different spellings compare equal. Null if it is none. */
function emailKey(text: string): string | null {
  const address = text.trim().toLowerCase();
  return address.includes('@') ? address : null;
}

/**
 * Whether two names can be one person's: the same words in any order and case. Diacritics count, unless one of the two is
 * written without any. A single word is no full name.
 */
function isSameName(a: string, b: string): boolean {
  const [one, other] = [sortedWords(a), sortedWords(b)];
  if (!one.includes(' ')) return false;
  if (one === other) return true;
  const [plainOne, plainOther] = [plain(one), plain(other)];
  return (one === plainOne || other === plainOther) && plainOne === plainOther;
}

function sortedWords(name: string): string {
  return name.normalize('NFC').toLowerCase().trim().split(/\s+/u).toSorted().join(' ');
}

function plain(words: string): string {
  const bare = words.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('đ', 'd');
  return bare.split(' ').toSorted().join(' ');
}
