import * as z from 'zod/mini';
import { invisible } from './text.ts';

/** The platform organization id, also called Company ID: 1 to 20 digits, always a string (decision 5: order of org ids). */
export const OrgId = z
  .string()
  .check(z.regex(/^\d{1,20}$/))
  .brand<'OrgId'>();
export type OrgId = z.infer<typeof OrgId>;

/** What to say to who sent something else. */
export const orgIdExpected = 'Expected an org id: 1 to 20 digits, such as 1000069001.';

/** Digits in groups of three, with one sign between them: at least three groups, since `1.000` may be a decimal. */
const grouped = /^[1-9]\d{0,2}([.,' ])\d{3}(?:\1\d{3})+$/;
/** A whole number with decimals, as number fields give it. Three of them alone may be a group: `1.000`. */
const decimals = /[.,]0+$/;

/**
 * Reads an org id from a value of unknown origin: a string or an integer, as people, spreadsheets and number fields write
 * it: `200000376735.0`, `200.000.376.735`, full-width digits. Invisible signs and surrounding whitespace are ignored.
 * Returns null for anything else, such as a domain, a fraction, or a number too large to be exact.
 */
export function parseOrgId(value: unknown): OrgId | null {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return null;
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const parsed = OrgId.safeParse(plainDigits(String(value)));
  // A column of type Int holds 0 if no id was ever written.
  return parsed.success && !/^0+$/.test(parsed.data) ? parsed.data : null;
}

function plainDigits(text: string): string {
  const written = text
    .replace(invisible, '')
    .replace(/[\uff10-\uff19]/g, (digit) => String.fromCodePoint(digit.charCodeAt(0) - 0xff10 + 0x30))
    .replace(/\s/gu, ' ')
    .trim();
  if (/^\d{1,3}[.,]000$/.test(written)) return written;
  // A last group of zeros is no decimals: `1.234.567.000`.
  const whole = grouped.test(written) ? written : written.replace(decimals, '');
  return grouped.test(whole) ? whole.replace(/\D/g, '') : whole;
}
