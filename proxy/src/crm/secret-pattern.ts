/** A slash as it appears in texts: percent-encoded, perhaps more than once, or escaped as in JSON inside JSON. */
const slash = String.raw`(?:\\{0,4}/|%(?:25){0,3}2f)`;
const mark = (plain: string, code: string) => `(?:${plain}|%(?:25){0,3}${code})`;

/** The part of an incoming webhook's address in front of its secret (docs/crm.md#webhook-addresses). */
const webhookPath = `${slash}rest${slash}(?:api${slash})?\\d{1,20}${slash}`;
/** The name of a token in a query, as in file addresses and applications. */
const tokenName = `${mark('[?&;]', '(?:3f|26)')}(?:auth|access_token|refresh_token|token)${mark('=', '3d')}`;

/** A text that reveals a key to the CRM: what leads up to it, and the key. Linear in the text's length. */
const key = new RegExp(
  String.raw`(?<before>${webhookPath})[^\s/\\"'<>?#&%]+|(?<name>${tokenName})[^\s\\"'<>#&;]*`,
  'gi',
);

/** What every such text contains; searched for in a tenth of the time. */
const hint = /rest|auth|token/i;

/** Whether a text contains the secret of an incoming webhook or a token, no matter whose. */
export function holdsSecret(text: string): boolean {
  return text.search(key) >= 0;
}

/** The text with every such secret removed. */
export function maskSecrets(text: string): string {
  if (!hint.test(text)) return text;
  return text.replace(key, (_, before: string | undefined, name: string | undefined) => `${before ?? name}[secret]`);
}
