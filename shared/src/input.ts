import * as z from 'zod/mini';

const named = (example: string) =>
  z
    .string(`Expected ${example}.`)
    .check(
      z.minLength(1, `Expected ${example}.`),
      z.maxLength(140, 'Expected at most 140 characters.'),
      z.regex(/^\P{Cc}*$/u, 'Expected no control characters.'),
    );

/** A ticket's name as a caller may send it: opaque, 1 to 140 characters, no control characters. */
export const TicketName = named('the name of an HD Ticket, such as 61307');

/** A customer's name, under the same rules. */
export const CustomerName = named('the name of an HD Customer');

/** A switch as helpdesk clients send it: 1/0, true/false, yes/no, on/off. */
export const Flag = z.pipe(
  z.union([z.string(), z.number(), z.boolean()]),
  z.transform((value, ctx) => {
    const word = String(value).trim().toLowerCase();
    if (['1', 'true', 'yes', 'on'].includes(word)) return true;
    if (['0', 'false', 'no', 'off', ''].includes(word)) return false;
    ctx.issues.push({ code: 'custom', input: value, message: 'Expected 1 or 0 (also true/false, yes/no, on/off).' });
    return z.NEVER;
  }),
);

const idMessage = 'Expected text or a whole number; ids above 9007199254740991 only as text.';

/** An id of whatever kind: it arrives as string or integer and stays a string (design.md section 2). */
export const Id = z.pipe(
  z.union([z.string(), z.int(idMessage)], idMessage),
  z.transform((value) => String(value).trim()),
);

/** Of values that mean the same under several names, the first that is given; null where none is. */
export function firstGiven(
  input: Record<string, unknown>,
  names: readonly string[],
): { name: string; value: string } | null {
  for (const name of names) {
    const value = input[name];
    if (typeof value === 'string' && value !== '') return { name, value };
  }
  return null;
}
