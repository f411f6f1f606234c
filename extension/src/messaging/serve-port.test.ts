import { beforeEach, expect, test, vi } from 'vitest';

const getPlatformInfo = vi.hoisted(() => {
  const getPlatformInfo = vi.fn();
  Object.assign(globalThis, { browser: { runtime: { id: 'ext', getPlatformInfo } } });
  return getPlatformInfo;
});
const { servePort } = await import('./server.ts');

const sender = { id: 'ext', tab: { id: 7 } };
let valid: AbortController;
beforeEach(() => {
  valid = new AbortController();
});

function connect(answer: (signal: AbortSignal) => Promise<{ output: unknown } | undefined>) {
  const listeners: Record<string, (message?: unknown) => void> = {};
  const port = {
    sender,
    onMessage: { addListener: (listener: () => void) => Object.assign(listeners, { message: listener }) },
    onDisconnect: { addListener: (listener: () => void) => Object.assign(listeners, { close: listener }) },
    postMessage: vi.fn(),
    disconnect: vi.fn(),
  };
  const signals: AbortSignal[] = [];
  servePort(
    port as never,
    (message, from, signal) => {
      expect([message, from]).toEqual(['asked', sender]);
      signals.push(signal);
      return answer(signal);
    },
    valid.signal,
  );
  listeners.message?.('asked');
  return { port, signals, close: () => listeners.close?.() };
}
const settled = () => new Promise((done) => setTimeout(done));

test.each<[string, () => Promise<{ output: unknown } | undefined>, unknown]>([
  ['an answer', async () => ({ output: 1 }), { output: 1 }],
  ['a dropped message', async () => undefined, null],
  ['a handler that fails', () => Promise.reject(new Error('x')), null],
])('%s is passed on', async (_, answer, passed) => {
  const { port } = connect(answer);
  await settled();
  expect(port.postMessage.mock.calls).toEqual([[passed]]);
});

test('a page that closes its port cancels what it asked for and nothing else; a late answer is dropped', async () => {
  const { promise, resolve } = Promise.withResolvers<{ output: unknown }>();
  const left = connect(() => promise);
  const stays = connect(() => promise);
  left.close();
  expect([left, stays].map(({ signals }) => signals[0]?.aborted)).toEqual([true, false]);
  resolve({ output: 1 });
  await settled();
  expect(left.port.postMessage).not.toHaveBeenCalled();
  expect(stays.port.postMessage).toHaveBeenCalledWith({ output: 1 });
});

test('what may no longer be answered is cancelled, and its page told so, which asks again', async () => {
  const { promise, resolve } = Promise.withResolvers<{ output: unknown }>();
  const { port, signals } = connect(() => promise);
  valid.abort();
  expect(signals[0]?.aborted).toBe(true);
  resolve({ output: 'of somebody else' });
  await settled();
  expect(port.postMessage).not.toHaveBeenCalled();
  expect(port.disconnect).toHaveBeenCalledOnce();
});

test('the browser is kept from ending the background for as long as a request takes', async () => {
  vi.useFakeTimers();
  const { promise, resolve } = Promise.withResolvers<{ output: unknown }>();
  connect(() => promise);
  await vi.advanceTimersByTimeAsync(61_000);
  expect(getPlatformInfo).toHaveBeenCalledTimes(3);
  resolve({ output: 1 });
  await vi.advanceTimersByTimeAsync(61_000);
  expect(getPlatformInfo).toHaveBeenCalledTimes(3);
  vi.useRealTimers();
});
