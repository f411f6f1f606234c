/** Why what a person typed cannot be used as an address. */
export type AddressProblem = 'empty' | 'not_an_address' | 'other_scheme' | 'credentials' | 'insecure';

export type ParsedAddress = { ok: true; origin: string } | { ok: false; problem: AddressProblem };

/** The hosts that may be reached without TLS: design.md section 8. */
const loopback = ['127.0.0.1', 'localhost'];

/**
 * Reads an address as a person types or pastes it: a missing scheme is added (https, on loopback http), and path, query
 * and fragment are dropped, so that the address of any page of the helpdesk will do.
 */
export function parseAddress(text: string): ParsedAddress {
  const typed = text.trim();
  if (!typed) return { ok: false, problem: 'empty' };
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `${schemeFor(typed)}//${typed}`;
  if (!URL.canParse(withScheme)) return { ok: false, problem: 'not_an_address' };
  const url = new URL(withScheme);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { ok: false, problem: 'other_scheme' };
  if (url.username || url.password) return { ok: false, problem: 'credentials' };
  if (!url.hostname || url.hostname.includes('*')) return { ok: false, problem: 'not_an_address' };
  if (url.protocol === 'http:' && !loopback.includes(url.hostname)) return { ok: false, problem: 'insecure' };
  return { ok: true, origin: url.origin };
}

/** True for what `parseAddress` returns as an origin. */
export function isAddress(value: string): boolean {
  const parsed = parseAddress(value);
  return parsed.ok && parsed.origin === value;
}

function schemeFor(typed: string): 'http:' | 'https:' {
  const host = typed.split(/[:/?#]/)[0]?.toLowerCase() ?? '';
  return loopback.includes(host) ? 'http:' : 'https:';
}
