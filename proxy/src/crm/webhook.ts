/** The parts of an incoming webhook. The secret stays in the client: it is part of every request's path. */
export interface Webhook {
  origin: string;
  userId: string;
  secret: string;
}

export type ParsedWebhook = { ok: true; webhook: Webhook } | { ok: false; problem: string };

const expected = 'expected the address of an incoming webhook, such as https://crm.example.com/rest/57/<secret>/';

/**
 * Reads a webhook address in the forms that people paste: with or without trailing slash, with `/rest/api/`, or
 * followed by a method and query, such as `user.get.json?ID={ASSIGNED_BY_ID}` (docs/crm.md#webhook-addresses). A
 * problem never quotes the value, since it is a password.
 */
export function parseWebhook(value: string): ParsedWebhook {
  const text = value.trim();
  // Copied along from a page or a message, and part of the key to the portal if it stayed.
  const [invisible] = /[\p{Cf}\u00ad]/u.exec(text) ?? [];
  if (invisible !== undefined) {
    const code = (invisible.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return problem(`an invisible sign (U+${code}) is part of it: copy the address anew, or type it`);
  }
  const address = URL.parse(text);
  if (!address) return problem(expected);
  if (address.protocol !== 'https:' && address.protocol !== 'http:') return problem('expected an https address');
  if (address.username || address.password)
    return problem('expected an address without a user name or password before the host');
  const [empty, rest, ...path] = address.pathname.split('/');
  const [userId = '', secret = '', ...behind] = path[0] === 'api' ? path.slice(1) : path;
  if (empty !== '' || rest !== 'rest') return problem(`${expected}: the host must be followed by /rest/`);
  if (!/^\d{1,20}$/.test(userId))
    return problem(`${expected}: /rest/ must be followed by the number of the webhook's owner`);
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(secret))
    return problem(`${expected}: the owner's number must be followed by the secret`);
  const method = behind.filter((part) => part !== '');
  if (method.length > 1 || !/^[A-Za-z0-9_.]*$/.test(method[0] ?? ''))
    return problem(`${expected}: only a method name may follow the secret`);
  return { ok: true, webhook: { origin: address.origin, userId, secret } };
}

function problem(text: string): ParsedWebhook {
  return { ok: false, problem: text };
}

/** What is wrong with an address in the settings, without quoting it; null if nothing is. */
export function webhookProblem(address: string): string | null {
  const parsed = parseWebhook(address);
  return parsed.ok ? null : parsed.problem;
}

/** The webhook that an address is. Throws for anything else, without quoting it. */
export function webhookOf(address: string, what: string): Webhook {
  const parsed = parseWebhook(address);
  if (!parsed.ok) throw new TypeError(`${what}: ${parsed.problem}.`);
  return parsed.webhook;
}

/** The parts of an address that are secret in themselves. */
export function secretsIn(address: string): string[] {
  const parsed = parseWebhook(address);
  return parsed.ok ? [parsed.webhook.secret] : [];
}

/** Whether two addresses are the same webhook, so that one request can serve both purposes. */
export function isSameWebhook(a: Webhook, b: Webhook): boolean {
  return a.origin === b.origin && a.userId === b.userId && a.secret === b.secret;
}

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
