/** Signs that the database does not see when it compares whole texts: accents of their own, what is invisible, controls. */
const unseen = /(?!\u00ad)[\p{M}\p{Cf}]|(?!\s)\p{Cc}/gu;
/** What most texts are of: of these only the case and the blanks behind do not count. */
const plain = /^[\x20-\x7e]*$/;
/** Beyond the Basic Multilingual Plane all signs are one to it. */
const supplementary = /[\u{10000}-\u{10ffff}]/gu;

/**
 * MariaDB's comparison of whole texts (utf8mb4_unicode_ci, asked of MariaDB 10.11): without regard to case, accents,
 * trailing blanks and what is invisible, a soft hyphen apart. Đ, Ð and Ɖ are letters of their own, and so are ł and ø.
 */
export function textKey(value: unknown): string {
  const whole = String(value);
  if (plain.test(whole)) return whole.toLowerCase().trimEnd();
  const text = whole.replace(/\P{Sk}+/gu, (signs) => signs.normalize('NFKD'));
  return text.replace(unseen, '').replace(supplementary, '\ufffd').toLowerCase().replaceAll('ß', 'ss').trimEnd();
}

/** The number that the database reads in a text: its longest numeric prefix, else 0 (`2abc` is 2, `02` is 2). */
export function leadingNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const match = /^\s*[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?/i.exec(String(value ?? ''));
  return match === null ? 0 : Number(match[0]);
}
