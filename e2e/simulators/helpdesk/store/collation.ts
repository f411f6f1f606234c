/**
 * MariaDB's comparison rules as far as callers can notice them: text without regard to case, accents and trailing
 * blanks (utf8mb4_unicode_ci), numbers against text by the text's leading digits.
 */
export function textKey(value: unknown): string {
  return String(value).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trimEnd();
}

/** The number that the database reads in a text: its longest numeric prefix, else 0 (`2abc` is 2, `02` is 2). */
export function leadingNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const match = /^\s*[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?/i.exec(String(value ?? ''));
  return match === null ? 0 : Number(match[0]);
}

/** A combining sign, of which the database knows no other. */
const combining = '\u0300';

/** What LIKE compares, sign by sign: a letter and its accents, written as signs of their own, are several. */
function signsOf(value: unknown): string {
  return [...String(value)].map((sign) => (/^\p{M}$/u.test(sign) ? combining : textKey(sign) || sign)).join('');
}

/** Turns a LIKE pattern into a test. */
export function likeMatcher(pattern: string): (value: unknown) => boolean {
  const source = [...signsOf(pattern)]
    .map((sign) => (sign === '%' ? '.*' : sign === '_' ? '.' : sign.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')))
    .join('');
  const expression = new RegExp(`^${source}$`, 's');
  return (value) => expression.test(signsOf(value ?? ''));
}
