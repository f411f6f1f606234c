import { describe, expect, it } from 'vitest';
import { key, read, useSite } from '#helpdesk/testing/client.ts';
import { accounts } from '#helpdesk/testing/replay-seed.ts';

const whoami = '/api/method/frappe.auth.get_logged_user';

describe('credentials', () => {
  const site = useSite('1.28');
  const who = (headers: Record<string, string>) => site.get(null, whoami, headers);
  const cookie = (user: keyof typeof accounts): string => `sid=${site.simulator.sessionFor(accounts[user].name)}`;

  it('token and Basic both take key and secret', async () => {
    const { apiKey, apiSecret, name } = accounts['agent.a'];
    const basic = Buffer.from(`${apiKey}:${apiSecret}`).toString('base64');
    for (const Authorization of [`token ${apiKey}:${apiSecret}`, `Basic ${basic}`]) {
      expect((await who({ Authorization })).body.message).toBe(name);
    }
  });

  it.each(['token x:y', 'token key-agent.a:wrong', 'token :', 'Basic eDp5', 'Bearer nope'])(
    '%s is 401',
    async (Authorization) => {
      expect(await who({ Authorization })).toMatchObject({ status: 401, body: { exc_type: 'AuthenticationError' } });
    },
  );

  it.each(['', 'token', 'Digest abc'])('Authorization %j is no credential: Guest, 403', async (Authorization) => {
    expect((await who({ Authorization })).status).toBe(403);
  });

  it('a cookie outranks an API key', async () => {
    const answer = await who({ Cookie: cookie('agent.b'), Authorization: key(accounts['agent.a']) });
    expect(answer.body.message).toBe(accounts['agent.b'].name);
  });

  it('a session that is over makes a 403 that says so', async () => {
    const sid = cookie('agent.a');
    expect((await who({ Cookie: sid })).status).toBe(200);
    site.now += 612_000_000;
    expect(await who({ Cookie: sid })).toMatchObject({ status: 403, body: { session_expired: 1 } });
  });

  it('a write by cookie needs the CSRF token as soon as the session has had a page', async () => {
    const sid = cookie('agent.a');
    const put = async (headers: Record<string, string>) => {
      const url = `${site.simulator.url}/api/resource/HD Ticket/2`;
      const init = {
        method: 'PUT',
        headers: { Cookie: sid, 'Content-Type': 'application/json', ...headers },
        body: '{}',
      };
      return read(await fetch(url, init));
    };
    expect((await put({})).status).toBe(200);
    const page = await site.get(null, '/helpdesk/tickets/2', { Cookie: sid });
    const token = /csrf_token = "([^"]+)"/.exec(page.text)?.[1] ?? '';
    expect(await put({})).toMatchObject({ status: 400, body: { exc_type: 'CSRFTokenError' } });
    expect((await put({ 'X-Frappe-CSRF-Token': 'wrong' })).status).toBe(400);
    expect((await put({ 'X-Frappe-CSRF-Token': token })).status).toBe(200);
    expect((await who({ Cookie: sid })).status).toBe(200);
  });

  it('signing in gives a session, signing out ends it, a wrong password gives none', async () => {
    const login = (pwd: string) => site.send(null, 'POST', '/api/method/login', { usr: accounts['agent.a'].name, pwd });
    expect((await login('wrong')).status).toBe(401);
    const answer = await login(accounts['agent.a'].password);
    expect(answer.body).toMatchObject({ message: 'Logged In', full_name: 'Agent A' });
    const sid = /sid=[^;]+/.exec(answer.headers.getSetCookie().join('\n'))?.[0] ?? '';
    expect((await who({ Cookie: sid })).body.message).toBe(accounts['agent.a'].name);
    await site.get(null, '/api/method/logout', { Cookie: sid });
    expect((await who({ Cookie: sid })).status).toBe(403);
  });
});
