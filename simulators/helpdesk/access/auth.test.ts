import { expect, it } from 'vitest';
import { read, useSite } from '#helpdesk/testing/client.ts';
import { accounts } from '#helpdesk/testing/replay-seed.ts';
import { keyOf } from '#seed/index.ts';

const site = useSite('1.28');
const whoami = '/api/method/frappe.auth.get_logged_user';
const who = (headers: Record<string, string>) => site.get(null, whoami, headers);
const cookie = (user: keyof typeof accounts): string => `sid=${site.simulator.sessionFor(accounts[user].name)}`;

it('Basic takes key and secret as a token does, and a cookie outranks either', async () => {
  const { apiKey, apiSecret, name } = accounts['agent.a'];
  const basic = `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString('base64')}`;
  expect((await who({ Authorization: basic })).body.message).toBe(name);
  for (const wrong of ['Basic eDp5', `token ${apiKey}:wrong`, 'token :'])
    expect((await who({ Authorization: wrong })).status, wrong).toBe(401);
  const both = { Cookie: cookie('agent.b'), Authorization: keyOf(accounts['agent.a']) };
  expect((await who(both)).body.message).toBe(accounts['agent.b'].name);
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
    const all = { Cookie: sid, 'Content-Type': 'application/json', ...headers };
    return (await read(await fetch(url, { method: 'PUT', headers: all, body: '{}' }))).status;
  };
  expect(await put({})).toBe(200);
  const page = await site.get(null, '/helpdesk/tickets/2', { Cookie: sid });
  const token = /csrf_token = "([^"]+)"/.exec(page.text)?.[1] ?? '';
  expect([await put({}), await put({ 'X-Frappe-CSRF-Token': 'wrong' })]).toEqual([400, 400]);
  expect(await put({ 'X-Frappe-CSRF-Token': token })).toBe(200);
});

it('signing in gives a session, signing out ends it, a wrong password gives none', async () => {
  const { name, password } = accounts['agent.a'];
  const signIn = (pwd: string) =>
    fetch(`${site.simulator.url}/login`, {
      ...{ method: 'POST', redirect: 'manual' },
      body: new URLSearchParams({ usr: name, pwd }),
    });
  expect((await signIn('wrong')).status).toBe(401);
  const answer = await signIn(password);
  const sid = /sid=[^;]+/.exec(answer.headers.getSetCookie().join('\n'))?.[0] ?? '';
  expect((await who({ Cookie: sid })).body.message).toBe(name);
  await site.get(null, '/api/method/logout', { Cookie: sid });
  expect((await who({ Cookie: sid })).status).toBe(403);
});

it('an access token lives an hour by the clock and outranks a cookie', async () => {
  const { name } = accounts['agent.a'];
  const bearer = { Authorization: `Bearer ${site.simulator.accessTokenFor(name)}` };
  expect((await who({ ...bearer, Cookie: cookie('agent.b') })).body.message).toBe(name);
  site.now += 3_600_000;
  expect((await who(bearer)).status).toBe(401);
});
