/** Shortest part of a secret that is hidden; shorter ones would black out ordinary words. */
const shortest = 6;

/** As it follows `Authorization:`. */
const credential = /\b(token|bearer|basic)\s+[^\s"'\\,}]{6,}/gi;

/**
 * Returns a function that removes secrets from a line of text: the given ones, also URL-encoded, whatever `maskOthers`
 * recognises by its form, and credentials in Authorization form. A last line of defence: secrets should not get this
 * far.
 */
export function createRedactor(
  secrets: readonly string[],
  maskOthers: (text: string) => string,
): (text: string) => string {
  const known = [...new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]))]
    .filter((secret) => secret.length >= shortest)
    .sort((a, b) => b.length - a.length);
  // One pass for all of them; without any, a pattern that matches nothing.
  const anyKnown = known.length > 0 ? new RegExp(known.map(RegExp.escape).join('|'), 'g') : /(?!)/g;
  return (text) => replaced(maskOthers(replaced(text, anyKnown, '[secret]')), credential, '$1 [secret]');
}

/** To look is cheaper than to replace, and hardly a line has anything to replace. */
function replaced(text: string, pattern: RegExp, by: string): string {
  return text.search(pattern) < 0 ? text : text.replace(pattern, by);
}
