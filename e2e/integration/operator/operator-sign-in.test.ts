import { operatorContract, operatorHeader } from '@deskside/shared/operator/contract';
import { demo } from '@deskside/simulators/seed/index';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { World } from '../../demo/world.ts';
import { world } from '../kit.ts';
import { Visitor } from '../operator-kit.ts';

const hour = 3_600_000;
const session = 'deskside_operator';
let now = Date.now();
let w: World;
let ended: (() => Promise<void>)[] = [];
beforeAll(async () => {
  w = await world({ operator: true, clock: () => now }, (end) => void ended.push(end as () => Promise<void>));
});
afterAll(async () => {
  for (const end of ended) await end();
  ended = [];
});
beforeEach(() => {
  w.helpdesk.fault = null;
});

const problemIn = (response: Response) =>
  new URL(response.headers.get('location') ?? '', 'http://x').searchParams.get('sign_in');

describe('signing in to the operator page', () => {
  test.each([
    ['an Agent Manager', demo.manager, false],
    ['a System Manager', demo.admin, true],
  ])('%s gets a session by way of the helpdesk', async (_, { name, fullName }, mayChange) => {
    const visitor = new Visitor(w);
    const landed = await visitor.signIn(name);
    expect(landed.status).toBe(200);
    // A strict cookie goes along with the next step only, which this page makes by itself, without a script.
    expect(await landed.text()).toContain('<meta http-equiv="refresh" content="0;url=/operator">');
    const me = { user: name, full_name: fullName, may_change_settings: mayChange };
    expect(await visitor.ask('me')).toMatchObject({ status: 200, body: { data: me } });
  });

  test('its cookie is no script’s, never sent in the clear, to no other path, and with nobody else’s request', async () => {
    const visitor = new Visitor(w);
    const sent = await visitor.get('/operator/sign-in');
    const [pending] = sent.headers.getSetCookie();
    expect(pending).toMatch(/; Path=\/operator\/callback; HttpOnly; Secure; SameSite=Lax/);
    expect(pending).toMatch(/; Max-Age=600;/);
    const landed = await visitor.signIn(demo.manager.name);
    const [dropped, kept] = landed.headers.getSetCookie();
    expect(dropped).toMatch(/^deskside_sign_in=; Max-Age=0;/);
    expect(kept).toMatch(/^deskside_operator=[\w-]{43}; Path=\/operator; HttpOnly; Secure; SameSite=Strict$/);
    // Without an icon of its own, a browser asks for one that is not there.
    expect(await landed.text()).toMatch(/<link rel="icon" href="\/operator\/assets\/icon-[\w-]+\.svg">/);
  });

  test('an agent without one of the roles gets none, and is told so', async () => {
    const visitor = new Visitor(w);
    expect(problemIn(await visitor.signIn(demo.agent.name))).toBe('not_allowed');
    expect(visitor.cookies.has(session)).toBe(false);
  });

  test('nothing is kept that could act in the helpdesk', async () => {
    const before = w.helpdesk.journal.length;
    await new Visitor(w).signIn(demo.manager.name);
    const calls = w.helpdesk.journal.slice(before).map(({ path }) => path);
    expect(calls.at(-1)).toContain('frappe.integrations.oauth2.revoke_token');
  });

  test('a browser that did not begin the sign-in gets no session from somebody else’s link', async () => {
    const victim = new Visitor(w);
    const attacker = await new Visitor(w).throughHelpdesk(demo.manager.name);
    expect(problemIn(await victim.get(attacker))).toBe('expired');
    await victim.get('/operator/sign-in');
    expect(problemIn(await victim.get(attacker))).toBe('refused');
    expect(victim.cookies.has(session)).toBe(false);
  });

  test('of a state that this service did not make the helpdesk is asked nothing', async () => {
    const visitor = new Visitor(w);
    await visitor.get('/operator/sign-in');
    const [pending] = visitor.cookies.values();
    if (!pending) throw new Error('no sign-in is under way');
    const [state = '', verifier = ''] = decodeURIComponent(pending.value).split('.');
    const before = w.helpdesk.journal.length;
    const other = 'a'.repeat(43);
    for (const value of [`${other}.${other}`, `${state}.${verifier}`, pending.value.replace(state, other)]) {
      visitor.cookies.set('deskside_sign_in', { ...pending, value });
      for (const named of [state, other])
        expect(problemIn(await visitor.get(`/operator/callback?code=x&state=${named}`))).toBe('expired');
    }
    expect(w.helpdesk.journal.slice(before)).toEqual([]);
  });

  test('a code works once', async () => {
    const visitor = new Visitor(w);
    const back = await visitor.throughHelpdesk(demo.manager.name);
    const pending = visitor.cookies.get('deskside_sign_in');
    expect((await visitor.get(back)).status).toBe(200);
    if (pending) visitor.cookies.set('deskside_sign_in', pending);
    expect(problemIn(await visitor.get(back))).toBe('refused');
  });

  test.each([
    ['does not answer', 'cut', 'helpdesk_unavailable'],
    ['answers with a page', 'html', 'helpdesk_bad_answer'],
  ] as const)('a helpdesk that %s is named as the cause', async (_, fault, problem) => {
    const visitor = new Visitor(w);
    const back = await visitor.throughHelpdesk(demo.manager.name);
    w.helpdesk.fault = () => fault;
    expect(problemIn(await visitor.get(back))).toBe(problem);
  });
});

describe('a session of the operator page', () => {
  const signedIn = async () => {
    const visitor = new Visitor(w);
    await visitor.signIn(demo.manager.name);
    return visitor;
  };

  test('ends an hour after its last use', async () => {
    const visitor = await signedIn();
    now += hour - 60_000;
    expect(await visitor.isSignedIn()).toBe(true);
    now += hour - 60_000;
    expect(await visitor.isSignedIn()).toBe(true);
    now += hour;
    expect(await visitor.isSignedIn()).toBe(false);
    await w.cleanUp();
  });

  test('ends after eight hours, however much it is used', async () => {
    const visitor = await signedIn();
    for (let half = 0; half < 15; half += 1) {
      now += hour / 2;
      expect(await visitor.isSignedIn()).toBe(true);
    }
    now += hour / 2;
    expect(await visitor.isSignedIn()).toBe(false);
  });

  test('ends by signing out, for whoever has the cookie', async () => {
    const visitor = await signedIn();
    const copied = new Visitor(w);
    for (const [name, cookie] of visitor.cookies) copied.cookies.set(name, cookie);
    expect(await copied.isSignedIn()).toBe(true);
    expect((await visitor.ask('signOut')).status).toBe(200);
    expect(visitor.cookies.has(session)).toBe(false);
    expect(await copied.isSignedIn()).toBe(false);
  });

  test('ends within a minute when the roles are taken away or the account is disabled', async () => {
    const { roles } = demo.manager;
    for (const [take, giveBack] of [
      [() => w.helpdesk.setRoles(demo.manager.name, ['Agent']), () => w.helpdesk.setRoles(demo.manager.name, roles)],
      [() => setEnabled(0), () => setEnabled(1)],
    ] as const) {
      const visitor = await signedIn();
      take();
      now += 59_000;
      expect(await visitor.isSignedIn()).toBe(true);
      now += 1_000;
      expect(await visitor.isSignedIn()).toBe(false);
      giveBack();
      expect(await visitor.isSignedIn()).toBe(false);
    }
    function setEnabled(enabled: 0 | 1) {
      const account = w.helpdesk.document('User', demo.manager.name);
      w.helpdesk.put('User', { ...account, name: demo.manager.name, enabled });
    }
  });

  test('goes on while the helpdesk does not say which roles somebody has', async () => {
    const visitor = await signedIn();
    now += 60_000;
    w.helpdesk.fault = () => 'cut';
    expect(await visitor.isSignedIn()).toBe(true);
  });

  test('no other page can use it: a write names our origin and has our header, a read the header', async () => {
    const visitor = await signedIn();
    const { path } = operatorContract.signOut;
    const own = new URL(w.operatorUrl).origin;
    for (const headers of [
      {},
      { origin: own },
      { [operatorHeader]: '1' },
      { [operatorHeader]: '1', origin: 'https://elsewhere.example' },
      { [operatorHeader]: '1', origin: 'null' },
    ] as Record<string, string>[]) {
      expect((await visitor.get(path, { method: 'POST', headers })).status, JSON.stringify(headers)).toBe(400);
    }
    expect((await visitor.get(operatorContract.me.path)).status).toBe(400);
    // Asked by a page elsewhere whether it may send the header, the proxy does not say yes.
    const asked = await visitor.get(path, { method: 'OPTIONS', headers: { origin: 'https://elsewhere.example' } });
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
    expect(await visitor.isSignedIn()).toBe(true);
  });

  test('is of no use anywhere but on the operator page, and no other credential is of use there', async () => {
    const visitor = await signedIn();
    const cookie = `${session}=${visitor.cookies.get(session)?.value}`;
    expect((await fetch(`${w.proxyUrl}/api/whoami`, { headers: { cookie } })).status).toBe(401);
    const authorization = `token ${demo.manager.apiKey}:${demo.manager.apiSecret}`;
    expect((await new Visitor(w).ask('me', { headers: { authorization } })).status).toBe(401);
  });
});

describe('the operator page', () => {
  test('is served with nothing inline and from nowhere else, and lets nobody frame or index it', async () => {
    const visitor = new Visitor(w);
    for (const path of ['/operator', '/operator/routing', '/operator/settings']) {
      const page = await visitor.get(path);
      expect(page.status).toBe(200);
      expect(page.headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(page.headers.get('x-robots-tag')).toBe('noindex, nofollow');
      const html = await page.text();
      const loaded = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address);
      expect(loaded.length).toBeGreaterThan(1);
      for (const address of loaded) {
        expect(address).toMatch(/^\/operator\/assets\//);
        expect((await visitor.get(address)).status, address).toBe(200);
      }
      expect(html).not.toMatch(/<style|<script(?![^>]*src=)|\son\w+=|style=/);
    }
    for (const path of ['/operator/assets/../package.json', '/operator/assets/none.js', '/operator/elsewhere'])
      expect((await visitor.get(path)).status).toBe(404);
  });

  test('does not exist unless it is switched on', async () => {
    const other = await w.startAnotherProxy({ OPERATOR_UI: '0' });
    for (const path of ['/operator', '/operator/sign-in', operatorContract.me.path])
      expect((await fetch(other + path)).status).toBe(404);
  });

  test('says what is missing where signing in is not set up', async () => {
    const other = await w.startAnotherProxy({ OAUTH_CLIENT_IDS: '{"chrome":"x"}' });
    expect((await fetch(`${other}/operator`)).status).toBe(200);
    expect(problemIn(await fetch(`${other}/operator/sign-in`, { redirect: 'manual' }))).toBe('not_set_up');
    expect((await fetch(other + operatorContract.me.path, { headers: { [operatorHeader]: '1' } })).status).toBe(401);
  });
});

test('the extension is not told of the operator page’s client, which earlier ones do not know', async () => {
  const { data } = (await (await fetch(`${w.proxyUrl}/.well-known/deskside`)).json()) as { data: object };
  expect(data).toMatchObject({ oauth_client_ids: { chrome: expect.any(String) } });
  expect(JSON.stringify(data)).not.toContain('operator');
});
