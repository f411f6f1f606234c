import { afterEach, expect, test, vi } from 'vitest';
import { SendError, send } from './send.ts';
import { sendCancellable } from './send-cancellable.ts';

vi.mock('./send.ts', async (original) => ({ ...(await original<object>()), send: vi.fn(async () => null) }));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.mocked(send).mockClear();
});

const input = { ticket: '12' as never, refresh: false, maxAgeMs: 0 };
const calls = () => vi.mocked(send).mock.calls.map(([verb, sent]) => [verb, (sent as { call: string }).call]);

test('a request is cancelled by its own id, also on a page without a secure context', async () => {
  // There `crypto` has no randomUUID.
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const abort = new AbortController();
  const first = sendCancellable('profile.get', input, abort.signal);
  const second = sendCancellable('profile.get', input, new AbortController().signal);
  abort.abort();
  await Promise.all([first, second]);
  const [one, two, cancelled, ...none] = calls();
  expect(cancelled).toEqual(['profile.cancel', one?.[1]]);
  expect(two?.[1]).not.toBe(one?.[1]);
  expect(none).toEqual([]);
});

test('a background that was ended before it answered is asked once more, by the same id', async () => {
  vi.mocked(send).mockRejectedValueOnce(new SendError('refused'));
  await sendCancellable('profile.get', input, new AbortController().signal);
  const [one, two, ...none] = calls();
  expect(two).toEqual(one);
  expect(none).toEqual([]);
});

test.each([
  ['that refuses again', new AbortController().signal, 'refused', 2],
  ['of an extension that was updated', new AbortController().signal, 'extension_updated', 1],
  ['that nobody waits for any more', AbortSignal.abort(), 'refused', 1],
] as const)('a background %s is not asked for ever', async (_, signal, code, times) => {
  vi.mocked(send).mockRejectedValueOnce(new SendError(code)).mockRejectedValueOnce(new SendError(code));
  await expect(sendCancellable('profile.get', input, signal)).rejects.toMatchObject({ code });
  expect(calls()).toHaveLength(times);
  vi.mocked(send).mockReset();
});
