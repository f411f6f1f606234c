// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { fakePort } from '#testing/fake-port.ts';

const runtime = vi.hoisted(() => {
  const runtime = { id: 'ext' as string | undefined, sendMessage: vi.fn(), connect: vi.fn() };
  Object.assign(globalThis, { browser: { runtime } });
  return runtime;
});
const { noAnswer, pageUser, send, sendOnce } = await import('./send.ts');

beforeEach(() => {
  runtime.id = 'ext';
  runtime.sendMessage.mockReset();
  runtime.connect.mockReset();
});

test('verb, input and whom the page shows are sent, the output is returned', async () => {
  vi.spyOn(document, 'cookie', 'get').mockReturnValue('user_id=an%40help.example');
  runtime.sendMessage.mockResolvedValue({ output: true });
  expect(await send('panel.inject', {})).toBe(true);
  expect(await sendOnce('panel.inject', {})).toBe(true);
  const message = { deskside: 'panel.inject', input: {}, user: 'an%40help.example' };
  expect(runtime.sendMessage.mock.calls).toEqual([[message], [message]]);
});

test.each<[string, () => void, string]>([
  ['a dropped message', () => runtime.sendMessage.mockResolvedValue(undefined), 'internal'],
  ['a background that is gone', () => runtime.sendMessage.mockRejectedValue(new Error('No receiver.')), 'internal'],
  [
    'an updated extension',
    () => {
      runtime.sendMessage.mockImplementation(() => {
        runtime.id = undefined;
        throw new Error('Extension context invalidated.');
      });
    },
    'extension_updated',
  ],
])('%s gives no answer, and why is known', async (_, arrange, code) => {
  arrange();
  expect(await send('panel.inject', {})).toBeUndefined();
  expect(noAnswer()).toBe(code);
});

test.each([
  [
    'ended before it answered',
    () => runtime.sendMessage.mockRejectedValueOnce(new Error('The message channel closed.')),
  ],
  ['ended as it answered', () => runtime.sendMessage.mockResolvedValueOnce(undefined)],
])('a background that was %s is asked once more, but not to change something', async (_, arrange) => {
  arrange();
  runtime.sendMessage.mockResolvedValue({ output: null });
  expect(await send('session.seen', {})).toBeNull();
  expect(runtime.sendMessage).toHaveBeenCalledTimes(2);
  arrange();
  expect(await sendOnce('session.signIn', {})).toBeUndefined();
  expect(runtime.sendMessage).toHaveBeenCalledTimes(3);
});

test('a script that an update left without its runtime says so', () => {
  const { browser } = globalThis as unknown as { browser: { runtime?: object } };
  browser.runtime = undefined;
  expect(noAnswer()).toBe('extension_updated');
  browser.runtime = runtime;
});

const input = { ticket: '12', refresh: false, maxAgeMs: 0 };

test('a request that can be given up has a port of its own, and closing that cancels it alone', async () => {
  const ports = [fakePort(), fakePort()];
  for (const port of ports) runtime.connect.mockReturnValueOnce(port);
  const abort = new AbortController();
  const first = send('profile.get', input, abort.signal);
  const second = send('profile.get', input, new AbortController().signal);
  abort.abort();
  expect(await first).toBeUndefined();
  expect(ports.map(({ disconnect }) => disconnect.mock.calls.length)).toEqual([1, 0]);
  ports[1]?.receive({ output: 'given' });
  expect(await second).toBe('given');
  expect(ports.map(({ postMessage }) => postMessage.mock.calls.length)).toEqual([1, 1]);
  expect(ports[1]?.disconnect).toHaveBeenCalledOnce();
  expect(runtime.sendMessage).not.toHaveBeenCalled();
});

test.each([
  ['is ended before it answers', (port: ReturnType<typeof fakePort>) => port.end()],
  ['answers with nothing', (port: ReturnType<typeof fakePort>) => port.receive(null)],
])('a background that %s is asked once more, and not for ever', async (_, happens) => {
  runtime.connect.mockImplementation(() => {
    const port = fakePort();
    setTimeout(() => happens(port));
    return port;
  });
  expect(await send('profile.get', input, new AbortController().signal)).toBeUndefined();
  expect(runtime.connect).toHaveBeenCalledTimes(2);
});

test('what nobody waits for is not asked', async () => {
  expect(await send('profile.get', input, AbortSignal.abort())).toBeUndefined();
  expect(runtime.connect).not.toHaveBeenCalled();
});

test.each([
  ['system_user=yes; full_name=An; user_id=an%40help.example; user_image=', 'an%40help.example'],
  ['user_id=Administrator', 'Administrator'],
  ['user_id=', ''],
  ['', undefined],
  ['x_user_id=an%40help.example; old-user_id=b', undefined],
])('of the cookies "%s" the page’s user is %s', (text, user) => {
  vi.spyOn(document, 'cookie', 'get').mockReturnValue(text);
  expect(pageUser()).toBe(user);
});
