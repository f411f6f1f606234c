import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, read, useSite } from '#helpdesk/testing/client.ts';
import { accounts } from '#helpdesk/testing/replay-seed.ts';

const redirectUri = 'https://deskside.example/cb';
const api = '/api/method/frappe.integrations.oauth2';

describe('OAuth2 with PKCE for a public client', () => {
  const site = useSite('1.28');
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const wanted = {
    client_id: 'deskside',
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'all openid',
    state: 'st4te',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };

  beforeAll(() => {
    site.simulator.registerOAuthClient({ clientId: 'deskside', redirectUri, allowedRoles: ['Agent', 'Agent Manager'] });
  });

  const cookieOf = (user: keyof typeof accounts): string => `sid=${site.simulator.sessionFor(accounts[user].name)}`;
  const authorize = (cookie: string, change: Record<string, string> = {}): Promise<Answer> =>
    site.get(null, `${api}.authorize?${new URLSearchParams({ ...wanted, ...change })}`, { Cookie: cookie });
  const token = async (form: Record<string, string>): Promise<Answer> =>
    read(await fetch(`${site.simulator.url}${api}.get_token`, { method: 'POST', body: new URLSearchParams(form) }));
  const whoami = (accessToken: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    site.get(null, '/api/method/frappe.auth.get_logged_user', { Authorization: `Bearer ${accessToken}`, ...headers });

  async function code(): Promise<string> {
    const cookie = cookieOf('agent.a');
    const first = await authorize(cookie);
    const second = await site.get(null, first.headers.get('location') ?? '', { Cookie: cookie });
    const target = new URL(second.headers.get('location') ?? '');
    expect(`${target.origin}${target.pathname}`).toBe(redirectUri);
    expect(target.searchParams.get('state')).toBe('st4te');
    return target.searchParams.get('code') ?? '';
  }

  const exchange = (value: string, change: Record<string, string> = {}): Promise<Answer> =>
    token({
      grant_type: 'authorization_code',
      code: value,
      client_id: 'deskside',
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...change,
    });

  it('a signed-in agent gets a code by two redirects and a token for it', async () => {
    const answer = await exchange(await code());
    expect(answer.body).toMatchObject({ expires_in: 3600, token_type: 'Bearer', scope: 'all openid' });
    expect((await whoami(answer.body.access_token)).body.message).toBe(accounts['agent.a'].name);
  });

  it.each([
    ['another verifier', { code_verifier: 'wrong' }],
    ['no verifier', { code_verifier: '' }],
    ['another redirect URI', { redirect_uri: `${redirectUri}/` }],
  ])('%s gets no token', async (_name, change) => {
    expect(await exchange(await code(), change)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('a code is good once and for ten minutes', async () => {
    const used = await code();
    expect((await exchange(used)).status).toBe(200);
    expect((await exchange(used)).body).toEqual({ error: 'invalid_grant' });
    const late = await code();
    site.now += 600_000;
    expect((await exchange(late)).body).toEqual({ error: 'invalid_grant' });
  });

  it('the token endpoint takes forms only', async () => {
    const answer = await site.send(null, 'POST', `${api}.get_token`, { grant_type: 'authorization_code' });
    expect(answer).toMatchObject({ status: 400, body: { error: 'unsupported_grant_type' } });
  });

  it('a portal customer is refused, a guest sent to the login page and back', async () => {
    expect(await authorize(cookieOf('portal'))).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    const guest = await authorize('');
    const login = new URL(guest.headers.get('location') ?? '', site.simulator.url);
    expect(login.pathname).toBe('/login');
    expect(login.searchParams.get('redirect-to')).toContain(`${site.simulator.url}${api}.authorize?client_id=deskside`);
  });

  it.each([`${redirectUri}/`, 'https://deskside.example/CB', 'https://evil.example/cb'])(
    'the redirect URI must be the registered one byte for byte: %s',
    async (redirect_uri) => {
      const answer = await authorize(cookieOf('agent.a'), { redirect_uri });
      expect(answer).toMatchObject({ status: 400, body: { description: 'Mismatching redirect URI.' } });
    },
  );

  it('an access token lives 3600 s by the clock; a refresh token works again and again', async () => {
    const { body } = await exchange(await code());
    const refresh = { grant_type: 'refresh_token', refresh_token: String(body.refresh_token), client_id: 'deskside' };
    site.now += 3_599_000;
    expect((await whoami(body.access_token)).status).toBe(200);
    site.now += 1000;
    expect((await whoami(body.access_token)).status).toBe(401);
    for (const _attempt of [1, 2]) {
      const renewed = await token(refresh);
      expect((await whoami(renewed.body.access_token)).status).toBe(200);
    }
  });

  it('a revoked token is worth nothing', async () => {
    const { body } = await exchange(await code());
    const form = { method: 'POST', body: new URLSearchParams({ token: String(body.access_token) }) };
    await fetch(`${site.simulator.url}${api}.revoke_token`, form);
    expect((await whoami(body.access_token)).status).toBe(401);
  });

  it('a Bearer token outranks the cookie of another user', async () => {
    const { body } = await exchange(await code());
    const answer = await whoami(body.access_token, { Cookie: cookieOf('agent.b') });
    expect(answer.body.message).toBe(accounts['agent.a'].name);
  });

  it('the profile names the user by e-mail, with all his roles', async () => {
    const { body } = await exchange(await code());
    const answer = await site.get(null, `${api}.openid_profile`, { Authorization: `Bearer ${body.access_token}` });
    expect(answer.body).toMatchObject({ email: accounts['agent.a'].name, iss: site.simulator.url });
    expect(answer.body.roles).toEqual(expect.arrayContaining(['Agent', 'Desk User']));
  });
});
