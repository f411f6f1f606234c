/** Longest text that is looked at, in UTF-16 units; what follows is left out. */
const mostSigns = 64 * 1024;
/** Longest word that is looked at; no host is longer than 253. */
const longestWord = 2_000;
/** Longest quotation that is kept as evidence. */
const longestQuote = 200;

/**
 * Text as it is looked at: composed (NFC), without signs that nobody sees. Marks heaped on one letter are cut to four:
 * no script has more, and composing would take time with the square of their number.
 */
export function tidyText(text: string): string {
  return text
    .slice(0, mostSigns)
    .toWellFormed()
    .replace(/\p{Cf}+/gu, '')
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')
    .normalize('NFC');
}

/** The words of a tidy text: what stands between blanks, commas, brackets and quotation marks, each once. */
export function wordsOf(text: string): string[] {
  const words = text.split(/[\s\p{Cc},;|<>()[\]{}"'`“”‘’„«»，；、（）]+/u);
  return [...new Set(words)].filter((word) => word !== '').map((word) => word.slice(0, longestWord));
}

/** What is kept of a passage as evidence: one line, at most 200 characters. */
export function quoteOf(passage: string): string {
  return passage
    .slice(0, longestQuote)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
