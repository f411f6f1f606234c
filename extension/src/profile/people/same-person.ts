/** An e-mail address such that different spellings compare equal. Null if it is none. */
export function emailKey(text: string): string | null {
  const address = text.trim().toLowerCase();
  return address.includes('@') ? address : null;
}

/**
 * Whether two names can be one person's: the same words in any order and case. Diacritics count, unless one of the two is
 * written without any. A single word is no full name.
 */
export function isSameName(a: string, b: string): boolean {
  const [one, other] = [wordsOf(a), wordsOf(b)];
  if (!one.includes(' ')) return false;
  if (one === other) return true;
  const [plainOne, plainOther] = [plain(one), plain(other)];
  return (one === plainOne || other === plainOther) && plainOne === plainOther;
}

function wordsOf(name: string): string {
  return name.normalize('NFC').toLowerCase().trim().split(/\s+/u).toSorted().join(' ');
}

function plain(words: string): string {
  const bare = words.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('đ', 'd');
  return bare.split(' ').toSorted().join(' ');
}
