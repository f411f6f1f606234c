/**
 * The match pattern of an origin for permissions. Without its port: a pattern without one matches every port, and Firefox
 * supports none in patterns. The exact origin is checked elsewhere.
 */
export function matchPattern(origin: string, path = '/*'): string {
  const { protocol, hostname } = new URL(origin);
  return `${protocol}//${hostname}${path}`;
}
