import { expect, test, vi } from 'vitest';
import { createTellMissing } from '#background/page-anchors.ts';
import type { ProxyCaller } from '#background/proxy-caller.ts';

const user = 'an@help.example';

function setUp(stored: unknown = null) {
  const call = vi.fn<(endpoint: string, input: object) => Promise<unknown>>(async () => ({
    ok: false,
    error: { code: 'unreachable' },
  }));
  const store = {
    read: async () => stored,
    async write(value: unknown) {
      stored = value;
    },
  };
  return { call, tell: createTellMissing(call as unknown as ProxyCaller, store, '0.1.0') };
}

test('it is told once per browser session, whatever comes of it, with a name and a version and nothing else', async () => {
  const { call, tell } = setUp();
  await tell('ticket_header', user);
  await tell('ticket_header', user);
  expect(call.mock.calls.map(([endpoint, input]) => [endpoint, input])).toEqual([
    ['missingAnchor', { anchor: 'ticket_header', extension: '0.1.0' }],
  ]);
});

test('something else in the store counts as nothing told', async () => {
  const { call, tell } = setUp('text');
  await tell('ticket_header', user);
  expect(call).toHaveBeenCalledTimes(1);
});
