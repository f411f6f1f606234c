import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { type AccessToken, SignInError } from '#background/sign-in.ts';
import { helpdesk, proxy } from '#testing/sample-connection.ts';
import { until } from '#testing/until.ts';
import { Session } from './session.ts';

const [an, binh] = ['an@help.example', 'binh@help.example'];
const granted = (header: string) => ({ ok: true, header, proxy });
const refused = (code: string) => ({ ok: false, code });

const { local, session: storage } = fakeBrowser.storage;
const stored = async () => (await storage.get('token')).token ?? null;
const moveTo = (change: object) => local.set({ settings: { helpdesk, proxy, language: 'auto', ...change } });

function setUp(change: Partial<ConstructorParameters<typeof Session>[0]> = {}) {
  /** Who is signed in to the helpdesk in this browser, and how many tokens they were given. */
  const browser = { user: an, tokens: 0 };
  const signIn = vi.fn(async (_interactive: boolean): Promise<AccessToken> => {
    browser.tokens += 1;
    const { settings } = (await local.get('settings')) as { settings: { helpdesk: string; proxy: string } };
    const addresses = { helpdesk: settings.helpdesk, proxy: settings.proxy };
    return {
      value: `t${browser.tokens}`,
      expiresAt: Date.now() + 3_600_000,
      user: browser.user,
      clientId: 'c',
      ...addresses,
    };
  });
  const ended = vi.fn();
  const revoke = vi.fn(async () => {});
  return { session: new Session({ signIn, revoke, ended, ...change }), signIn, revoke, ended, browser };
}
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await moveTo({});
});
afterEach(() => vi.useRealTimers());

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
const refusing = () => vi.fn(async () => Promise.reject(new SignInError('signed_out')));

test('the first requests share one silent sign-in, later ones use the same token', async () => {
  const { session, signIn } = setUp();
  const all = await Promise.all(Array.from({ length: 20 }, () => session.authorization(an)));
  for (const one of [...all, await session.authorization(an)]) expect(one).toEqual(granted('Bearer t1'));
  expect(signIn.mock.calls).toEqual([[false]]);
});

test('nobody gets a token, nor does a page that shows nobody start a sign-in', async () => {
  const { session, signIn } = setUp();
  expect(await session.authorization('')).toEqual(refused('signed_out'));
  expect(signIn).not.toHaveBeenCalled();
});

test('a sign-in for one person is not shared with another', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { signIn: ordinary } = setUp();
  const signIn = vi.fn((interactive: boolean) => promise.then(() => ordinary(interactive)));
  const { session } = setUp({ signIn });
  const both = [session.authorization(an), session.authorization(binh)];
  await until(() => expect(signIn).toHaveBeenCalledTimes(2));
  resolve();
  expect(await Promise.all(both)).toEqual([expect.objectContaining({ ok: true }), refused('other_user')]);
});

test('one that failed for one person is tried at once for another', async () => {
  const { signIn, browser } = setUp();
  const { session } = setUp({ signIn: vi.fn(signIn).mockRejectedValueOnce(new SignInError('timeout')) });
  expect(await session.authorization(an)).toEqual(refused('timeout'));
  browser.user = binh;
  expect(await session.authorization(binh)).toMatchObject({ ok: true });
});

test('a token is renewed before it expires', async () => {
  const { session } = setUp();
  await session.authorization(an);
  later(3_550_000);
  expect(await session.authorization(an)).toEqual(granted('Bearer t2'));
});

test('a refused token is renewed once, however many requests used it', async () => {
  const { session, signIn } = setUp();
  await session.authorization(an);
  expect(await session.renew('Bearer t1', an)).toEqual(granted('Bearer t2'));
  expect(await session.renew('Bearer t1', an)).toEqual(granted('Bearer t2'));
  expect(signIn).toHaveBeenCalledTimes(2);
});

test.each([
  ['helpdesk', { helpdesk: 'https://old.example' }],
  ['proxy', { proxy: 'https://old.example' }],
] as [string, { helpdesk?: string; proxy?: string }][])(
  'a token is kept with its addresses, and never sent after another %s was set',
  async (_, change) => {
    const { session, signIn } = setUp();
    await session.authorization(an);
    await moveTo(change);
    const next = await session.authorization(an);
    expect(next).toMatchObject({ header: 'Bearer t2', proxy: change.proxy ?? proxy });
    expect(signIn).toHaveBeenCalledTimes(2);
  },
);

test('invalid stored data, as of an earlier version, is never sent', async () => {
  const { session } = setUp();
  await storage.set({ token: { value: 'old', expiresAt: 9e12, helpdesk, clientId: 'c' } });
  expect(await session.authorization(an)).toEqual(granted('Bearer t1'));
  await storage.set({ token: { value: 7 } });
  expect(await session.authorization(an)).toEqual(granted('Bearer t2'));
});

test('a page that shows somebody else ends the token: it is revoked, and Sign in has to be pressed', async () => {
  const { session, signIn, revoke, browser } = setUp();
  await session.authorization(an);
  browser.user = binh;
  expect(await session.authorization(binh)).toEqual(refused('signed_out'));
  expect(revoke).toHaveBeenCalledWith(expect.objectContaining({ value: 't1', user: an }));
  expect(JSON.stringify(await stored())).not.toContain('t1');
  expect(await session.authorization(an)).toEqual(refused('signed_out'));
  expect(signIn).toHaveBeenCalledTimes(1);
  expect(await session.signIn(binh)).toBeNull();
  expect(await session.authorization(binh)).toEqual(granted('Bearer t2'));
});

test('a page on which nobody is signed in ends the token as well; the same person is back without a click', async () => {
  const { session, signIn, revoke, ended, browser } = setUp();
  await session.authorization(an);
  expect(ended).not.toHaveBeenCalled();
  expect(await session.authorization('')).toEqual(refused('signed_out'));
  expect([ended.mock.calls.length, revoke.mock.calls.length]).toEqual([1, 1]);
  browser.user = binh;
  expect(await session.authorization(binh)).toEqual(refused('signed_out'));
  expect(signIn).toHaveBeenCalledTimes(1);
  browser.user = an;
  expect(await session.authorization(an)).toEqual(granted('Bearer t2'));
});

test("the extension's own pages show nobody, and use the token that is there", async () => {
  const { session } = setUp();
  expect(await session.signIn(null)).toBeNull();
  expect(await session.authorization(null)).toEqual(granted('Bearer t1'));
  expect(await session.authorization(an)).toEqual(granted('Bearer t1'));
});

test('a sign-in that gave the token of somebody else is refused, and leaves what is stored', async () => {
  const { session, revoke, browser } = setUp();
  browser.user = binh;
  expect(await session.authorization(an)).toEqual(refused('other_user'));
  expect(await session.signIn(an)).toBe('other_user');
  expect([await stored(), revoke.mock.calls.length]).toEqual([null, 2]);
});

/** A sign-in that the browser answers only when told to. */
function slowSignIn() {
  const answers: ((token: AccessToken) => void)[] = [];
  const signIn = vi.fn((_interactive: boolean) => new Promise<AccessToken>((resolve) => answers.push(resolve)));
  const token = { value: 'late', expiresAt: 9e12, user: an, helpdesk, proxy, clientId: 'c' };
  const asked = (times: number) => until(() => expect(signIn).toHaveBeenCalledTimes(times));
  return { signIn, asked, answer: (at: number) => answers[at]?.({ ...token, value: `late${at}` }) };
}

test('a sign-in that finishes after a sign-out changes nothing, and its token is revoked', async () => {
  const { signIn, asked, answer } = slowSignIn();
  const { session, revoke } = setUp({ signIn });
  const waiting = session.authorization(an);
  await asked(1);
  await session.signOut();
  answer(0);
  expect(await waiting).toEqual(refused('signed_out'));
  expect(await stored()).toEqual({ signedOut: true, of: null });
  expect(revoke).toHaveBeenCalledWith(expect.objectContaining({ value: 'late0' }));
});

test('a click on Sign in after that does not wait for the sign-in that no longer counts', async () => {
  const { signIn, asked, answer } = slowSignIn();
  const { session } = setUp({ signIn });
  const first = session.authorization(an);
  await asked(1);
  await session.signOut();
  const clicked = session.signIn(an);
  await asked(2);
  answer(0);
  expect(await first).toEqual(refused('signed_out'));
  // Whoever asks now waits for that of the click.
  const joined = session.authorization(an);
  await new Promise((settled) => setTimeout(settled));
  expect(signIn).toHaveBeenCalledTimes(2);
  answer(1);
  expect(await clicked).toBeNull();
  expect(await joined).toEqual(granted('Bearer late1'));
});

test('after a click the pause of a failed silent sign-in is over', async () => {
  const { session, signIn } = setUp();
  signIn.mockRejectedValueOnce(new SignInError('signed_out'));
  expect(await session.signIn(an)).toBeNull();
  expect(await session.renew('Bearer t1', an)).toEqual(granted('Bearer t2'));
});

test('a refused token is not sent again, even where no other can be had', async () => {
  const { session, signIn } = setUp();
  await session.authorization(an);
  signIn.mockRejectedValueOnce(new SignInError('timeout'));
  expect(await session.renew('Bearer t1', an)).toEqual(refused('timeout'));
  expect(await session.authorization(an)).toEqual(refused('timeout'));
});

test('a sign-in that fails takes no token away', async () => {
  const { session, signIn } = setUp();
  await session.authorization(an);
  signIn.mockRejectedValueOnce(new SignInError('unreachable'));
  expect(await session.signIn(an)).toBe('unreachable');
  expect(await session.authorization(an)).toEqual(granted('Bearer t1'));
});

test('a request that is refused because of a sign-out does not sign in again', async () => {
  const { session, signIn } = setUp();
  await session.authorization(an);
  await session.signOut();
  expect(await session.renew('Bearer t1', an)).toEqual(refused('signed_out'));
  expect(signIn).toHaveBeenCalledTimes(1);
});

test('a refused request gets neither the token of somebody else nor one that has expired', async () => {
  const { session } = setUp();
  await session.authorization(an);
  expect(await session.renew('Bearer t0', null)).toEqual(granted('Bearer t1'));
  expect(await session.renew('Bearer t0', binh)).toEqual(refused('other_user'));
  later(3_550_000);
  expect(await session.renew('Bearer t0', an)).toEqual(granted('Bearer t3'));
});

test('a sign-out while a refused token is looked up stays one', async () => {
  const { session, signIn } = setUp();
  await session.authorization(an);
  const renewed = session.renew('Bearer t1', an);
  await session.signOut();
  expect(await renewed).toEqual(refused('signed_out'));
  expect(await stored()).toEqual({ signedOut: true, of: null });
  expect(signIn).toHaveBeenCalledTimes(1);
});

test('a failed silent sign-in is not attempted again for a while', async () => {
  const signIn = refusing();
  const { session } = setUp({ signIn });
  expect(await session.authorization(an)).toEqual(refused('signed_out'));
  expect(await session.authorization(an)).toEqual(refused('signed_out'));
  expect(signIn).toHaveBeenCalledTimes(1);
  later(6_000);
  await session.authorization(an);
  expect(signIn).toHaveBeenCalledTimes(2);
});

test('a click opens the sign-in window only if the silent sign-in fails', async () => {
  const { session, signIn } = setUp();
  expect(await session.signIn(an)).toBeNull();
  expect(signIn.mock.calls).toEqual([[false]]);
  const none = refusing();
  expect(await setUp({ signIn: none }).session.signIn(an)).toBe('signed_out');
  expect(none.mock.calls).toEqual([[false], [true]]);
});

test('no window is opened for a problem that a person cannot solve in it', async () => {
  const signIn = vi.fn(async () => Promise.reject(new SignInError('unreachable')));
  expect(await setUp({ signIn }).session.signIn(an)).toBe('unreachable');
  expect(signIn).toHaveBeenCalledTimes(1);
});

test('signing out removes the token here and at the helpdesk, and prevents silent sign-ins', async () => {
  const { session, signIn, revoke } = setUp();
  await session.authorization(an);
  await session.signOut();
  expect(JSON.stringify(await stored())).not.toContain('t1');
  expect(revoke).toHaveBeenCalledWith(expect.objectContaining({ value: 't1' }));
  await session.signOut();
  expect(revoke).toHaveBeenCalledTimes(1);
  expect(await session.authorization(an)).toEqual(refused('signed_out'));
  expect(await session.authorization(null)).toEqual(refused('signed_out'));
  expect(signIn).toHaveBeenCalledTimes(1);
  expect(await session.signIn(an)).toBeNull();
  expect(await session.authorization(an)).toEqual(granted('Bearer t2'));
  expect(signIn.mock.calls).toEqual([[false], [false]]);
});
