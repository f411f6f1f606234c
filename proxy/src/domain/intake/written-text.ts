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
