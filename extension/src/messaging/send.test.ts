// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';

const runtime = vi.hoisted(() => {
  const runtime = { id: 'ext' as string | undefined, sendMessage: vi.fn() };
  Object.assign(globalThis, { browser: { runtime } });
  return runtime;
});
const { send, SendError } = await import('./send.ts');
const { trySend } = await import('./try-send.ts');

beforeEach(() => {
  runtime.id = 'ext';
  runtime.sendMessage.mockReset();
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
