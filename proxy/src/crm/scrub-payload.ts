import { holdsSecret } from './secret-pattern.ts';

/** No real record is nested like that; a hostile one could be, deeper than the stack. */
const deepest = 8;

/** Members of a file that are addresses created for the requesting webhook (docs/crm.md#secrets-in-answers). */
const fileAddress = /url(?:_?machine)?$/i;

/**
 * A CRM record as JSON text that is safe to store: file addresses and every text that quotes a webhook or a token are
 * removed. Keys are sorted, so that the same record always gives the same text.
 */
export function scrubPayload(record: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(scrub(record, 0));
}

function scrub(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return holdsSecret(value) ? null : value;
  if (value === null || typeof value !== 'object') return value;
  if (depth >= deepest) return null;
  if (Array.isArray(value)) return value.map((item) => scrub(item, depth + 1));
  const members = Object.entries(value)
    // A field of the record itself may well be called an address: it is the shop's.
    .filter(([key]) => !(depth > 0 && fileAddress.test(key)) && !holdsSecret(key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, scrub(member, depth + 1)]);
  return Object.fromEntries(members);
}
