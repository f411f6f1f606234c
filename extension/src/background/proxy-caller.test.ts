import { expect, test, vi } from 'vitest';
import { createProxyCaller } from '#background/proxy-caller.ts';
import type { Authorization } from '#background/session.ts';

const whoami = {
  user: 'an@help.example',
  full_name: 'An',
  language: null,
  is_agent: true,
  is_manager: false,
  proxy_version: '1',
  helpdesk_url: 'https://help.example',
  missing: [],
};
const good = () => Response.json({ success: true, data: whoami, message: '' });
const bad = (status: number, code: string) =>
  Response.json({ success: false, data: { code, request_id: 'r1' }, message: '' }, { status });

function setUp(answers: (() => Response | Promise<Response>)[], { online = true }: { online?: boolean } = {}) {
  const seen: (string | null)[] = [];
  const hosts: string[] = [];
  const proxy = 'https://proxy.example';
  const session = {
    authorization: vi.fn(async (): Promise<Authorization> => ({ ok: true, header: 'Bearer t1', proxy })),
    renew: vi.fn(async (): Promise<Authorization> => ({ ok: true, header: 'Bearer t2', proxy })),
  };
  const fetch: typeof globalThis.fetch = async (url, init) => {
    hosts.push(new URL(String(url)).host);
    seen.push(new Headers(init?.headers).get('authorization'));
    const answer = answers.shift();
    if (!answer) throw new Error('one call too many');
    return answer();
  };
  const call = createProxyCaller({ session, fetch, online: () => online });
  return { run: (signal = new AbortController().signal) => call('whoami', {}, signal, 'an'), session, seen, hosts };
}

test('the credential of the person is sent to its own proxy, and the data returned', async () => {
  const { run, session, seen, hosts } = setUp([good]);
  expect(await run()).toEqual({ ok: true, data: whoami });
  expect(seen).toEqual(['Bearer t1']);
  expect(hosts).toEqual(['proxy.example']);
  expect(session.authorization).toHaveBeenCalledWith('an');
});

test('a refused credential is renewed once and the call repeated', async () => {
  const { run, session, seen, hosts } = setUp([() => bad(401, 'unauthenticated'), good]);
  session.renew.mockResolvedValue({ ok: true, header: 'Bearer t2', proxy: 'https://other.example' });
  expect((await run()).ok).toBe(true);
  expect(session.renew).toHaveBeenCalledWith('Bearer t1', 'an');
  expect(seen).toEqual(['Bearer t1', 'Bearer t2']);
  expect(hosts).toEqual(['proxy.example', 'other.example']);
});

test('a credential refused twice means signed out', async () => {
  const { run } = setUp([() => bad(401, 'unauthenticated'), () => bad(401, 'unauthenticated')]);
  expect(await run()).toEqual({ ok: false, error: { code: 'signed_out' } });
});

test('a credential that cannot be renewed says why', async () => {
  const { run, session } = setUp([() => bad(401, 'unauthenticated')]);
  session.renew.mockResolvedValue({ ok: false, code: 'other_user' });
  expect(await run()).toMatchObject({ error: { code: 'other_user' } });
});

test.each([
  ['not_an_agent', 403],
  ['ticket_not_readable', 403],
  ['ticket_not_found', 404],
  ['helpdesk_unavailable', 503],
])('an error of the proxy (%s) stays what it is', async (code, status) => {
  const { run } = setUp([() => bad(status, code)]);
  expect(await run()).toEqual({ ok: false, error: { code } });
});

test('a conflict names both records', async () => {
  const conflict = { code: 'other_company_matched', asked: '63030', found: '63103' };
  const answer = () =>
    Response.json(
      { success: false, data: { code: 'identity_conflict', request_id: 'r1', conflict }, message: '' },
      { status: 409 },
    );
  expect(await setUp([answer]).run()).toEqual({
    ok: false,
    error: { code: 'identity_conflict', conflict },
  });
});

test('without a proxy the answer is not_configured, and nothing is sent', async () => {
  const { run, session, seen } = setUp([], { online: false });
  session.authorization.mockResolvedValue({ ok: false, code: 'not_configured' });
  expect(await run()).toMatchObject({ error: { code: 'not_configured' } });
  expect(seen).toEqual([]);
});

test('no answer means unreachable, or offline if the browser says so', async () => {
  const down = () => Promise.reject(new TypeError('Failed to fetch'));
  expect(await setUp([down]).run()).toMatchObject({ error: { code: 'unreachable' } });
  expect(await setUp([down], { online: false }).run()).toMatchObject({ error: { code: 'offline' } });
});

test('nothing is sent if nobody is signed in', async () => {
  const { run, session, seen } = setUp([]);
  session.authorization.mockResolvedValue({ ok: false, code: 'signed_out' });
  expect(await run()).toMatchObject({ error: { code: 'signed_out' } });
  expect(seen).toEqual([]);
});

test('a call cancelled during the sign-in is not made', async () => {
  const { run, seen } = setUp([]);
  expect(await run(AbortSignal.abort())).toMatchObject({ error: { code: 'aborted' } });
  expect(seen).toEqual([]);
});
