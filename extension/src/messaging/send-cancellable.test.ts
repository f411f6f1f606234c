import { afterEach, expect, test, vi } from 'vitest';
import { send } from './send.ts';
import { sendCancellable } from './send-cancellable.ts';

vi.mock('./send.ts', () => ({ send: vi.fn(async () => null) }));
afterEach(() => vi.unstubAllGlobals());

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
