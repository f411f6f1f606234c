import * as z from 'zod/mini';

/** No control characters and no lone surrogates: names and ids have none, and not every database can store them. */
const printable = z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'Expected no control characters.');
const short = z.maxLength(140, 'Expected at most 140 characters.');

const named = (example: string) =>
  z.string(`Expected ${example}.`).check(z.minLength(1, `Expected ${example}.`), short, printable);

/** A ticket name as callers may send it: opaque, 1 to 140 characters, no control characters. */
export const TicketName = named('the name of an HD Ticket, such as 61307');

/** Likewise; as a number too, since callers post it so. A name is taken as it is. */
export const PostedTicketName = z.pipe(
  z.pipe(
    z.union([z.string(), z.int()], 'Expected the name of an HD Ticket, such as 61307.'),
    z.transform((name) => String(name)),
  ),
  TicketName,
);

/** A customer name, under the same rules. */
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

export type Issues = { issues: { push(issue: z.core.$ZodRawIssue): unknown } };

/** Says of one field of an input what was expected in it. */
export function refuse({ issues }: Issues, input: unknown, field: string, message: string): void {
  issues.push({ code: 'custom', path: [field], message, input });
}

const idMessage = 'Expected text or a whole number; ids above 9007199254740991 only as text.';

/** An id of any kind, under the rules of names: sent as string or integer, a string from here on (docs/api.md#bodies). */
export const Id = z.pipe(
  z.pipe(
    z.union([z.string(), z.int(idMessage)], idMessage),
    z.transform((value) => String(value).trim()),
  ),
  z.string().check(short, printable),
);
