/** A text as people compare names: in lower case, without accents, with single blanks. */
export function foldText(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('đ', 'd')
    .replace(/\s+/gu, ' ')
    .trim();
}
