import { createHash } from 'node:crypto';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { revoke, SignInError, signIn } from './sign-in.ts';

const request = {
  helpdesk: 'https://help.example',
  proxy: 'https://proxy.example',
  clientId: 'client-1',
  redirectUri: 'https://ext.chromiumapp.org/cb',
  interactive: false,
};
const tokens = {
  access_token: 'at-1',
  refresh_token: 'rt-1',
  id_token: 'not.a.jwt',
  token_type: 'Bearer',
  expires_in: 3600,
  scope: 'all openid',
};

/** A helpdesk that signs in whoever comes, as recorded from a running one; gives what was sent to it. */
function helpdesk({
  answer = Response.json(tokens),
  whose = Response.json({ message: 'an@help.example' }),
  redirect = (asked: URL) => `${request.redirectUri}?code=code-1&state=${asked.searchParams.get('state')}`,
  fetch = null as typeof globalThis.fetch | null,
  launch = null as (() => Promise<string>) | null,
} = {}) {
  const sent: { url: string; init: RequestInit; body: URLSearchParams }[] = [];
  let asked = new URL('https://nowhere.example');
  const launchWebAuthFlow = async (details: { url: string }) => {
    asked = new URL(details.url);
    return launch ? launch() : redirect(asked);
  };
  Object.assign(fakeBrowser, { identity: { launchWebAuthFlow } });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    sent.push({ url: String(url), init, body: new URLSearchParams(String(init.body)) });
    return fetch ? fetch(url, init) : String(url).endsWith('get_logged_user') ? whose : answer;
  });
  return { sent, asked: () => asked };
}
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: unknown) => (error instanceof SignInError ? error.code : String(error)),
  );

afterEach(() => vi.useRealTimers());

test('the code is exchanged with the matching verifier, as a form, without cookies', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: 1_000 });
  const { sent, asked } = helpdesk();
  const token = await signIn(request);
  expect(vi.getTimerCount()).toBe(0);
  expect(token).toEqual({
    value: 'at-1',
    expiresAt: 3_601_000,
    user: 'an@help.example',
    helpdesk: 'https://help.example',
    proxy: 'https://proxy.example',
    clientId: 'client-1',
  });
  const query = Object.fromEntries(asked().searchParams);
  expect(asked().origin + asked().pathname).toBe(
    'https://help.example/api/method/frappe.integrations.oauth2.authorize',
  );
  expect(query).toMatchObject({
    client_id: 'client-1',
    response_type: 'code',
    redirect_uri: request.redirectUri,
    code_challenge_method: 'S256',
  });
  expect(sent).toHaveLength(2);
  const body = Object.fromEntries(sent[0]?.body ?? []);
  expect(sent[0]?.url).toBe('https://help.example/api/method/frappe.integrations.oauth2.get_token');
  expect(body).toMatchObject({ grant_type: 'authorization_code', code: 'code-1', client_id: 'client-1' });
  expect(
    createHash('sha256')
      .update(body.code_verifier ?? '')
      .digest('base64url'),
  ).toBe(query.code_challenge);
  expect(sent[0]?.init).toMatchObject({ credentials: 'omit', redirect: 'error' });
  expect(JSON.stringify(token)).not.toMatch(/rt-1|not\.a\.jwt/);
  // The helpdesk itself says whose the token is.
  expect(sent[1]?.url).toBe('https://help.example/api/method/frappe.auth.get_logged_user');
  expect(sent[1]?.init).toMatchObject({ credentials: 'omit', redirect: 'error' });
  expect(new Headers(sent[1]?.init.headers).get('authorization')).toBe('Bearer at-1');
});

test.each([
  ['refuses', Response.json({}, { status: 401 }), 'signed_out'],
  ['forbids it', Response.json({}, { status: 403 }), 'signed_out'],
  ['fails', Response.json({}, { status: 500 }), 'bad_answer'],
  ['sends a page', new Response('<html>'), 'bad_answer'],
  ['names nobody', Response.json({ message: null }), 'bad_answer'],
])('a token of which the helpdesk does not say whose it is (it %s) is none', async (_, whose, code) => {
  helpdesk({ whose });
  expect(await codeOf(signIn(request))).toBe(code);
});

test('each sign-in has a state and a verifier of its own', async () => {
  const seen = new Set<string | null>();
  for (let run = 0; run < 3; run++) {
    const { asked } = helpdesk();
    await signIn(request);
    seen.add(asked().searchParams.get('state')).add(asked().searchParams.get('code_challenge'));
  }
  expect(seen.size).toBe(6);
});

test.each<[string, (asked: URL) => string, string]>([
  ['another state', () => `${request.redirectUri}?code=c&state=forged`, 'bad_answer'],
  ['no state', () => `${request.redirectUri}?code=c`, 'bad_answer'],
  ['no code', (asked) => `${request.redirectUri}?state=${asked.searchParams.get('state')}`, 'bad_answer'],
  [
    'a refusal',
    (asked) => `${request.redirectUri}?error=access_denied&state=${asked.searchParams.get('state')}`,
    'signed_out',
  ],
  [
    'another issuer',
    (asked) => `${request.redirectUri}?code=c&iss=https%3A%2F%2Fevil.example&state=${asked.searchParams.get('state')}`,
    'bad_answer',
  ],
])('a redirect with %s is not exchanged', async (_, redirect, code) => {
  const { sent } = helpdesk({ redirect });
  expect(await codeOf(signIn(request))).toBe(code);
  expect(sent).toEqual([]);
});

test.each([
  ['a helpdesk that is down', () => Promise.reject(new TypeError('Failed to fetch')), 'unreachable'],
  ['one that answers, and so refuses the person', async () => Response.json({ message: 'pong' }), 'signed_out'],
])('a sign-in page that could not be loaded, of %s, reads as %3$s', async (_, fetch, code) => {
  const launch = () => Promise.reject<string>(new Error('Authorization page could not be loaded.'));
  helpdesk({ launch, fetch });
  expect(await codeOf(signIn(request))).toBe(code);
});

test('a sign-in page that a person closes means nothing else, whatever else is wrong', async () => {
  const launch = () => Promise.reject<string>(new Error('The user did not approve access.'));
  helpdesk({ launch, fetch: () => Promise.reject(new TypeError('Failed to fetch')) });
  expect(await codeOf(signIn(request))).toBe('signed_out');
});

const aborted = () => AbortSignal.abort(new DOMException('late', 'TimeoutError'));
test.each<[string, string, () => AbortSignal, string]>([
  ['the exchange fails', 'get_token', () => new AbortController().signal, 'unreachable'],
  ['the exchange is late', 'get_token', aborted, 'timeout'],
  ['who it is cannot be asked', 'get_logged_user', () => new AbortController().signal, 'unreachable'],
  ['who it is comes late', 'get_logged_user', aborted, 'timeout'],
])('where %s, that is said', async (_, failing, signal, code) => {
  const late = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(signal());
  onTestFinished(() => late.mockRestore());
  const down = () => Promise.reject(new TypeError('Failed to fetch'));
  helpdesk({ fetch: async (url) => (String(url).endsWith(failing) ? down() : Response.json(tokens)) });
  expect(await codeOf(signIn(request))).toBe(code);
});

test.each([
  ['a used code', Response.json({ error: 'invalid_grant' }, { status: 400 }), 'signed_out'],
  ['another OAuth error', Response.json({ error: 'unsupported_grant_type' }, { status: 400 }), 'bad_answer'],
  ['a page', new Response('<html>', { headers: { 'content-type': 'text/html' } }), 'bad_answer'],
  ['no token', Response.json({ token_type: 'Bearer' }), 'bad_answer'],
])('an exchange that answers with %s reads as %3$s', async (_, answer, code) => {
  helpdesk({ answer });
  expect(await codeOf(signIn(request))).toBe(code);
});

test.each([
  [false, 10_000],
  [true, 300_000],
])('a browser that never answers (interactive: %s) times out after %i ms', async (interactive, deadline) => {
  vi.useFakeTimers();
  const asked = Promise.withResolvers<void>();
  const launch = () => {
    asked.resolve();
    return new Promise<string>(() => {});
  };
  helpdesk({ launch });
  const code = codeOf(signIn({ ...request, interactive }));
  await asked.promise;
  await vi.advanceTimersByTimeAsync(deadline);
  expect(await code).toBe('timeout');
});

test('an http helpdesk works on loopback, where alone settings allow one', async () => {
  const { sent } = helpdesk();
  await signIn({ ...request, helpdesk: 'http://127.0.0.1:8000' });
  expect(sent[0]?.url).toMatch(/^http:\/\/127\.0\.0\.1:8000\//);
});

test('revoking sends the token to the helpdesk it came from, and never fails', async () => {
  const token = { ...request, value: 'at-1', expiresAt: 0, user: 'an@help.example' };
  const { sent } = helpdesk({ answer: Response.json({}) });
  await revoke(token);
  expect(sent[0]?.url).toBe('https://help.example/api/method/frappe.integrations.oauth2.revoke_token');
  expect(sent[0]?.body.get('token')).toBe('at-1');
  helpdesk({ fetch: () => Promise.reject(new TypeError('Failed to fetch')) });
  await revoke(token);
});
