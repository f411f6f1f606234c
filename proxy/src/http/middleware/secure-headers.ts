/** Responses are data for the caller alone: nothing may store, frame, sniff or run them. */
export const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** Adds those that a response does not have; a route may have set its own. */
export function addSecurityHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(securityHeaders)) if (!headers.has(name)) headers.set(name, value);
}
