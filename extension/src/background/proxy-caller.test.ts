import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { answerFetch, no, yes } from '#testing/fake-extension.ts';
import { proxy, whoami } from '#testing/sample-connection.ts';
import { createProxyCaller } from './proxy-caller.ts';
import type { Authorization } from './session.ts';

const refused = () => no('unauthenticated', 401);
const session = { authorization: vi.fn<() => Promise<Authorization>>(), renew: vi.fn<() => Promise<Authorization>>() };

beforeEach(() => {
  vi.stubGlobal('navigator', { onLine: true });
  session.authorization.mockResolvedValue({ ok: true, header: 'Bearer t1', proxy });
  session.renew.mockResolvedValue({ ok: true, header: 'Bearer t2', proxy: 'https://other.example' });
});

/** Calls with these answers of the proxy, one after another. */
async function run(answers: (() => Response | Promise<Response>)[], signal = new AbortController().signal) {
  const sent = answerFetch({ '/api/whoami': () => answers.shift()?.() ?? no('internal') });
  const result = await createProxyCaller(session)('whoami', {}, signal, 'an');
  return { result, sent: sent.map(({ url, authorization }) => [new URL(url).host, authorization]) };
}

test('the credential of the person is sent to its own proxy, and the data returned', async () => {
  const { result, sent } = await run([() => yes(whoami)]);
  expect(result).toEqual({ ok: true, data: whoami });
  expect(sent).toEqual([['proxy.example', 'Bearer t1']]);
  expect(session.authorization).toHaveBeenCalledWith('an');
});

test('a refused credential is renewed once and the call repeated; refused twice it means signed out', async () => {
  const { result, sent } = await run([refused, () => yes(whoami)]);
  expect(result.ok).toBe(true);
  expect(session.renew).toHaveBeenCalledWith('Bearer t1', 'an');
  expect(sent).toEqual([
    ['proxy.example', 'Bearer t1'],
    ['other.example', 'Bearer t2'],
  ]);
  expect((await run([refused, refused])).result).toEqual({ ok: false, error: { code: 'signed_out' } });
  const busy = () => no('helpdesk_timeout', 504);
  expect((await run([refused, busy])).result).toEqual({ ok: false, error: { code: 'helpdesk_timeout' } });
  session.renew.mockResolvedValue({ ok: false, code: 'other_user' });
  expect((await run([refused])).result).toMatchObject({ error: { code: 'other_user' } });
});

test('an error of the proxy stays what it is, and a conflict names both records', async () => {
  const conflict = { code: 'other_company_matched', asked: '63030', found: '63103' };
  const { result } = await run([() => no('identity_conflict', 409, { conflict })]);
  expect(result).toEqual({ ok: false, error: { code: 'identity_conflict', conflict } });
  // It has answered, whatever the browser believes of its network.
  vi.stubGlobal('navigator', { onLine: false });
  expect((await run([() => no('internal', 500)])).result).toEqual({ ok: false, error: { code: 'internal' } });
});

const down = () => Promise.reject(new TypeError('Failed to fetch'));
test.each<[string, boolean, string | null]>([
  ['unreachable', true, null],
  ['offline', false, null],
  ['signed_out', true, 'signed_out'],
  ['offline', false, 'signed_out'],
  ['not_configured', false, 'not_configured'],
])('%s: with a network (%s) and a session that says %s', async (code, onLine, why) => {
  vi.stubGlobal('navigator', { onLine });
  if (why) session.authorization.mockResolvedValue({ ok: false, code: why as never });
  const { result, sent } = await run([down]);
  expect(result).toMatchObject({ error: { code } });
  expect(sent).toHaveLength(why ? 0 : 1);
});

test('a call cancelled during the sign-in is not made', async () => {
  const { result, sent } = await run([], AbortSignal.abort());
  expect([result, sent]).toEqual([{ ok: false, error: { code: 'aborted' } }, []]);
});

test('a Sync is given longer than the proxy waits for the CRM, and nothing else is', async () => {
  const given = vi.spyOn(AbortSignal, 'timeout');
  onTestFinished(() => given.mockRestore());
  const call = createProxyCaller(session);
  answerFetch({});
  const { signal } = new AbortController();
  await call('syncTicketCustomer', { ticket: '1', action: 'preview' }, signal, 'an');
  await call('whoami', {}, signal, 'an');
  const [[sync = 0] = [], [other = 0] = []] = given.mock.calls;
  expect([sync > 55_000, other > 55_000]).toEqual([true, false]);
});
