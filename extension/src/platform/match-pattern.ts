/**
 * The match pattern that permissions use for an origin, all paths. Without the port: a pattern without one matches every
 * port, and Firefox knows no ports in patterns. What may be done on the host is decided by the exact origin elsewhere.
 */
export function matchPattern(origin: string, path = '/*'): string {
  const { protocol, hostname } = new URL(origin);
  return `${protocol}//${hostname}${path}`;
}
