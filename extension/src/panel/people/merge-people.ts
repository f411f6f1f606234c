import { normalizePhone } from '@deskside/shared/phone';
import type { Part } from '#panel/rows/row.ts';
import { type Mention, type Person, roles } from './person.ts';

/** Who is who: mentions with the same e-mail address are one person (docs/decisions.md 4b). */
export function mergePeople(mentions: readonly Mention[]): Person[] {
  const groups = Map.groupBy(mentions, (mention) => emailKey(mention.email.text ?? '') ?? mention);
  return [...groups.values()].map(personOf).toSorted((a, b) => rankOf(a) - rankOf(b));
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
      mentions.map(({ email }) => email),
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
