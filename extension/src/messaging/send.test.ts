// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';

const runtime = vi.hoisted(() => {
  const runtime = { id: 'ext' as string | undefined, sendMessage: vi.fn(), connect: vi.fn() };
  Object.assign(globalThis, { browser: { runtime } });
  return runtime;
});
const { send, SendError } = await import('./send.ts');
const { trySend } = await import('./try-send.ts');

beforeEach(() => {
  runtime.id = 'ext';
  runtime.sendMessage.mockReset();
  runtime.connect.mockReset();
});

test('verb, input and whom the page shows are sent, the output is returned', async () => {
  vi.spyOn(document, 'cookie', 'get').mockReturnValue('user_id=an%40help.example');
  runtime.sendMessage.mockResolvedValue({ output: true });
  expect(await send('panel.inject', {})).toBe(true);
  expect(await trySend('panel.inject', {})).toBe(true);
  const message = { deskside: 'panel.inject', input: {}, user: 'an%40help.example' };
  expect(runtime.sendMessage.mock.calls).toEqual([[message], [message]]);
});

test.each<[string, () => void, string]>([
  ['a dropped message', () => runtime.sendMessage.mockResolvedValue(undefined), 'refused'],
  ['a background that is gone', () => runtime.sendMessage.mockRejectedValue(new Error('No receiver.')), 'refused'],
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
])('%s is a typed error for the panel, and nothing for the launcher', async (_, arrange, code) => {
  arrange();
  const error = await send('panel.inject', {}).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(SendError);
  expect(error).toMatchObject({ code });
  expect(await trySend('panel.inject', {})).toBeUndefined();
});

test.each([
  [
    'ended before it answered',
    () => runtime.sendMessage.mockRejectedValueOnce(new Error('The message channel closed.')),
  ],
  ['ended as it answered', () => runtime.sendMessage.mockResolvedValueOnce(undefined)],
])('a background that was %s is asked by the launcher once more', async (_, arrange) => {
  arrange();
  runtime.sendMessage.mockResolvedValue({ output: null });
  expect(await trySend('session.seen', {})).toBeNull();
  expect(runtime.sendMessage).toHaveBeenCalledTimes(2);
});

/** A port of the browser's. `answer`: the background's; `end`: it was ended. */
function open() {
  const listeners: Record<string, (message?: unknown) => void> = {};
  const port = {
    onMessage: { addListener: (listener: () => void) => Object.assign(listeners, { message: listener }) },
    onDisconnect: { addListener: (listener: () => void) => Object.assign(listeners, { end: listener }) },
    postMessage: vi.fn(),
    disconnect: vi.fn(),
  };
  return { ...port, answer: (answer: unknown) => listeners.message?.(answer), end: () => listeners.end?.() };
}
const input = { ticket: '12', refresh: false, maxAgeMs: 0 };

test('a request that can be given up has a port of its own, and closing that cancels it alone', async () => {
  const ports = [open(), open()];
  for (const port of ports) runtime.connect.mockReturnValueOnce(port);
  const abort = new AbortController();
  const first = send('profile.get', input, abort.signal);
  const second = send('profile.get', input, new AbortController().signal);
  abort.abort();
  await expect(first).rejects.toMatchObject({ code: 'refused' });
  expect(ports.map(({ disconnect }) => disconnect.mock.calls.length)).toEqual([1, 0]);
  ports[1]?.answer({ output: 'given' });
  expect(await second).toBe('given');
  expect(ports.map(({ postMessage }) => postMessage.mock.calls.length)).toEqual([1, 1]);
  expect(ports[1]?.disconnect).toHaveBeenCalledOnce();
  expect(runtime.sendMessage).not.toHaveBeenCalled();
});

test.each([
  ['is ended before it answers', (port: ReturnType<typeof open>) => port.end()],
  ['answers with nothing', (port: ReturnType<typeof open>) => port.answer(null)],
])('a background that %s is asked once more, and not for ever', async (_, happens) => {
  runtime.connect.mockImplementation(() => {
    const port = open();
    setTimeout(() => happens(port));
    return port;
  });
  await expect(send('profile.get', input, new AbortController().signal)).rejects.toMatchObject({ code: 'refused' });
  expect(runtime.connect).toHaveBeenCalledTimes(2);
  expect(await trySend('profile.peek', { ticket: '12' }, new AbortController().signal)).toBeUndefined();
  expect(runtime.connect).toHaveBeenCalledTimes(4);
});

test('nothing is asked of an updated extension twice, nor what nobody waits for', async () => {
  runtime.connect.mockImplementation(() => {
    runtime.id = undefined;
    throw new Error('Extension context invalidated.');
  });
  const { signal } = new AbortController();
  await expect(send('profile.get', input, signal)).rejects.toMatchObject({ code: 'extension_updated' });
  expect(runtime.connect).toHaveBeenCalledTimes(1);
  runtime.id = 'ext';
  await expect(send('profile.get', input, AbortSignal.abort())).rejects.toMatchObject({ code: 'refused' });
  expect(await trySend('profile.peek', { ticket: '12' }, AbortSignal.abort())).toBeUndefined();
  expect(runtime.connect).toHaveBeenCalledTimes(1);
});
