/** Every secret, and every 8-character slice of one, so that a shortened form is found too. */
export function slicesOf(secrets: string[]): string[] {
  const slices = secrets.flatMap((s) => Array.from({ length: Math.max(1, s.length - 7) }, (_, i) => s.slice(i, i + 8)));
  return [...new Set(slices)];
}
