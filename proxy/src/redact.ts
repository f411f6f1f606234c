/** Shortest piece of a secret that is worth hiding; shorter ones would black out ordinary words. */
const shortest = 6;

/**
 * Makes a function that takes secrets out of a line of text: the given ones, also URL-encoded, the path segment that
 * holds a Bitrix24 webhook's secret whoever's it is, and credentials in Authorization form. A last line of defence:
 * nothing is meant to get as far as this.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const known = [...new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]))]
    .filter((secret) => secret.length >= shortest)
    .sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const secret of known) clean = clean.replaceAll(secret, '[secret]');
    return clean
      .replace(/(\/rest\/(?:api\/)?\d+\/)[^/\s"'\\?]{8,}/g, '$1[secret]')
      .replace(/\b(token|bearer|basic)\s+[^\s"'\\,}]{6,}/gi, '$1 [secret]');
  };
}
