import { expect, test, vi } from 'vitest';
import { createSession, type SessionOptions } from './session.ts';
import { type AccessToken, SignInError, signInErrorCode } from './sign-in.ts';

const helpdesk = 'https://help.example';

function setUp(change: Partial<SessionOptions> = {}) {
  let stored: unknown = null;
  let clock = 1_000_000;
  let serial = 0;
  const signIn = vi.fn(
    async (): Promise<AccessToken> => ({
      value: `t${++serial}`,
      expiresAt: clock + 3_600_000,
      helpdesk,
      clientId: 'c',
    }),
  );
  const revoke = vi.fn(async () => {});
  const session = createSession({
    store: {
      read: async () => stored,
      async write(token) {
        stored = token;
      },
    },
    apiKey: async () => null,
    helpdesk: async () => helpdesk,
    signIn,
    revoke,
    codeOf: signInErrorCode,
    now: () => clock,
    ...change,
  });
  return {
    session,
    signIn,
    revoke,
    stored: () => stored,
    store: (value: unknown) => {
      stored = value;
    },
    later: (ms: number) => {
      clock += ms;
    },
  };
}
const refusing = () => vi.fn(async () => Promise.reject(new SignInError('signed_out')));

test('the first request signs in silently, later ones use the same token', async () => {
  const { session, signIn } = setUp();
  expect(await session.authorization()).toEqual({ ok: true, header: 'Bearer t1' });
  expect(await session.authorization()).toEqual({ ok: true, header: 'Bearer t1' });
  expect(signIn.mock.calls).toEqual([[false]]);
});

test('concurrent requests share one sign-in', async () => {
  const { session, signIn } = setUp();
  const all = await Promise.all(Array.from({ length: 20 }, () => session.authorization()));
  expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(signIn).toHaveBeenCalledTimes(1);
});

test('a token is renewed before it expires', async () => {
  const { session, later } = setUp();
  await session.authorization();
  later(3_550_000);
  expect(await session.authorization()).toEqual({ ok: true, header: 'Bearer t2' });
});

test('a refused token is renewed once, however many requests used it', async () => {
  const { session, signIn } = setUp();
  await session.authorization();
  expect(await session.renew('Bearer t1')).toEqual({ ok: true, header: 'Bearer t2' });
  expect(await session.renew('Bearer t1')).toEqual({ ok: true, header: 'Bearer t2' });
  expect(signIn).toHaveBeenCalledTimes(2);
});

test('a token of another helpdesk or invalid stored data is never sent', async () => {
  const { session, store } = setUp();
  store({ value: 'other', expiresAt: 9e12, helpdesk: 'https://old.example', clientId: 'c' });
  expect(await session.authorization()).toEqual({ ok: true, header: 'Bearer t1' });
  store({ value: 7 });
  expect(await session.authorization()).toEqual({ ok: true, header: 'Bearer t2' });
});

test('an API key is used instead of a sign-in, and a refused one is not renewed', async () => {
  const { session, signIn } = setUp({ apiKey: async () => 'key:secret' });
  expect(await session.authorization()).toEqual({ ok: true, header: 'token key:secret' });
  expect(await session.renew('token key:secret')).toEqual({ ok: false, code: 'unauthenticated' });
  expect(await session.kind()).toBe('api_key');
  expect(signIn).not.toHaveBeenCalled();
});

test('a failed silent sign-in is not attempted again for a while', async () => {
  const signIn = refusing();
  const { session, later } = setUp({ signIn });
  expect(await session.authorization()).toEqual({ ok: false, code: 'signed_out' });
  expect(await session.authorization()).toEqual({ ok: false, code: 'signed_out' });
  expect(signIn).toHaveBeenCalledTimes(1);
  later(6_000);
  await session.authorization();
  expect(signIn).toHaveBeenCalledTimes(2);
});

test('a click opens the sign-in window only if the silent sign-in fails', async () => {
  const { session, signIn } = setUp();
  expect(await session.signIn()).toBeNull();
  expect(signIn.mock.calls).toEqual([[false]]);
  const refused = refusing();
  expect(await setUp({ signIn: refused }).session.signIn()).toBe('signed_out');
  expect(refused.mock.calls).toEqual([[false], [true]]);
});

test('no window is opened for a problem that a person cannot solve in it', async () => {
  const signIn = vi.fn(async () => Promise.reject(new SignInError('unreachable')));
  expect(await setUp({ signIn }).session.signIn()).toBe('unreachable');
  expect(signIn).toHaveBeenCalledTimes(1);
});

test('signing out removes the token here and at the helpdesk, and prevents silent sign-ins', async () => {
  const { session, signIn, revoke, stored } = setUp();
  await session.authorization();
  await session.signOut();
  expect(JSON.stringify(stored())).not.toContain('t1');
  expect(revoke).toHaveBeenCalledWith(expect.objectContaining({ value: 't1' }));
  expect(await session.authorization()).toEqual({ ok: false, code: 'signed_out' });
  expect(signIn).toHaveBeenCalledTimes(1);
  expect(await session.signIn()).toBeNull();
  expect(await session.authorization()).toEqual({ ok: true, header: 'Bearer t2' });
});
