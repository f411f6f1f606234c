/** The secret part of a webhook's address, wherever a text quotes one. */
const webhookSecret = /(\/rest\/(?:api\/)?\d+\/)[^/\s"'?#]+/g;

/**
 * A record as JSON text that may be kept outside of the CRM: without files, whose addresses are signed, and without the
 * secret of any webhook (facts/bitrix24.md section 9).
 */
export function payloadOf(record: Readonly<Record<string, unknown>>): string {
  const kept = Object.entries(record).filter(([, value]) => !holdsFile(value));
  return JSON.stringify(Object.fromEntries(kept)).replace(webhookSecret, '$1secret');
}

/** A file is an object with addresses to show or load it; a field may hold several. */
function holdsFile(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) ? value.some(holdsFile) : Object.keys(value).some((key) => /url$/i.test(key));
}
