import * as z from 'zod/mini';

/** The platform organization id, also called Company ID: 1 to 20 digits, always a string (docs/decisions.md 6). */
export const OrgId = z
  .string()
  .check(z.regex(/^\d{1,20}$/))
  .brand<'OrgId'>();
export type OrgId = z.infer<typeof OrgId>;

/**
 * Reads an org id from a value of unknown origin: a string or an integer, invisible signs and surrounding whitespace ignored. Returns null
 * for anything else, such as a domain, a decimal, or a number too large to be exact.
 */
export function parseOrgId(value: unknown): OrgId | null {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return null;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return null;
  const parsed = OrgId.safeParse(
    String(value)
      .replace(/\p{Cf}+/gu, '')
      .trim(),
  );
  // A column of type Int holds 0 if no id was ever written.
  return parsed.success && !/^0+$/.test(parsed.data) ? parsed.data : null;
}
