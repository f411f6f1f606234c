/** The parts of an incoming webhook. The secret stays in the adapter: it is part of every request's path. */
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
  const address = URL.parse(value.trim());
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

/** Whether two addresses are the same webhook, so that one request can serve both purposes. */
export function sameWebhook(a: Webhook, b: Webhook): boolean {
  return a.origin === b.origin && a.userId === b.userId && a.secret === b.secret;
}

function problem(text: string): ParsedWebhook {
  return { ok: false, problem: text };
}
