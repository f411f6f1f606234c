import { readFileSync } from 'node:fs';

const table = readFileSync(new URL('../../../docs/terms.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|') && !line.includes('---'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** Words that docs/terms.md says are not used in a language. */
export function bannedWords(language: 'en' | 'vi'): string[] {
  const column = language === 'en' ? 2 : 4;
  return table
    .flatMap((cells) => (cells[column] ?? '').split(/[,;]\s*/))
    .filter((word) => word !== '' && word !== 'not');
}

/** Where these texts use another word for a thing that has its term, or write what docs/terms.md writes otherwise. */
export function wrongWords(language: 'en' | 'vi', sections: readonly unknown[]): string[] {
  const texts = flattenTexts(sections).map(([path, text]): [string, string] => [path, text.normalize('NFC')]);
  // A word of its own: neither part of another one nor of a name in code such as `meta.json`.
  const patterns = bannedWords(language).map((word) => new RegExp(`(?<![\\p{L}_])${word}(?![\\p{L}_])`, 'iu'));
  // Colours: who does not see them would not know what is meant (WCAG 1.3.3).
  const patternsOf =
    language === 'en'
      ? [/\p{L}'\p{L}/u, /\b(grey|gray|red|green|blue|yellow|orange)\b/i]
      : // The tone mark is on the first vowel.
        [/(?<!q)(oá|oà|oả|oã|oạ|oé|oè|oẻ|oẽ|oẹ|uý|uỳ|uỷ|uỹ|uỵ)(?!\p{L})/iu, /(?<!\p{L})màu(?!\p{L})/iu];
  return texts.flatMap(([path, text]) =>
    [...patterns, ...patternsOf]
      .filter((pattern) => pattern.test(text))
      .map(({ source }) => `${path}: ${text} (${source})`),
  );
}

/** Every text of a catalogue by its path; functions are called with plausible arguments. */
export function flattenTexts(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') {
    const made = value(2, 2, 2, 2);
    return flattenTexts(made, path);
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => flattenTexts(inner, `${path}.${key}`));
}
