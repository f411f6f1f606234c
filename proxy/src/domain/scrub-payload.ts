const deepest = 8;

/** Members of a file field that are addresses with the calling webhook's secret in them (facts/bitrix24.md section 0). */
const fileAddresses = new Set(['showurl', 'downloadurl', 'urlmachine', 'url_machine']);

/** An inbound webhook's path, or an access token in a query, in whatever spelling and place. */
const secretish = /(\/|%2f)rest(\/|%2f)\d+(\/|%2f)[^/\s%]|[?&](auth|access_token|token)=/i;

/**
 * A CRM record as JSON text that may be kept: file addresses and every text with a webhook's address in it are taken
 * out. Keys are in order, so that the same record is always the same text.
 */
export function scrubPayload(record: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(scrub(record, 0));
}

function scrub(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return secretish.test(value) ? null : value;
  if (value === null || typeof value !== 'object') return value;
  if (depth >= deepest) return null;
  if (Array.isArray(value)) return value.map((item) => scrub(item, depth + 1));
  const members = Object.entries(value)
    .filter(([key]) => !fileAddresses.has(key.toLowerCase()) && !secretish.test(key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, scrub(member, depth + 1)]);
  return Object.fromEntries(members);
}
