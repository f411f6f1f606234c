import { expect, test } from 'vitest';
import { createFindService } from './find-service.ts';
import type { ProxyCaller } from './proxy-caller.ts';

function setUp() {
  const asked: { input: unknown; signal: AbortSignal; user: string | null; answer: (result: unknown) => void }[] = [];
  const call = ((_endpoint, input, signal, user) => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    signal.addEventListener('abort', () => resolve({ ok: false, error: { code: 'aborted', requestId: null } }));
    asked.push({ input, signal, user, answer: resolve });
    return promise as never;
  }) as ProxyCaller;
  return { finds: createFindService(call), asked };
}
const ask = { tabId: 7, user: 'an', ticket: '2', query: 'gốm', call: 'c' };

test('a search asks the proxy as the person on the page; its answer and its failure are passed on', async () => {
  const { finds, asked } = setUp();
  const found = finds.search(ask);
  asked[0]?.answer({ ok: true, data: { ticket: '2' } });
  expect(await found).toEqual({ ok: true, found: { ticket: '2' } });
  expect(asked[0]).toMatchObject({ input: { ticket: '2', query: 'gốm' }, user: 'an' });
  const failed = finds.search(ask);
  asked[1]?.answer({ ok: false, error: { code: 'rate_limited', requestId: 'r1' } });
  expect(await failed).toEqual({ ok: false, error: { code: 'rate_limited', requestId: 'r1' } });
});

test.each<[string, (finds: ReturnType<typeof createFindService>) => void]>([
  ['the call is cancelled', (finds) => finds.cancel(7, 'c')],
  ['the tab searches for something else', (finds) => void finds.search({ ...ask, query: 'hoa', call: 'd' })],
  ['the tab goes to another ticket', (finds) => finds.leave(7, '3')],
  ['the tab is closed', (finds) => finds.leave(7, null)],
  ['somebody else signs in', (finds) => finds.clear()],
])('a search is aborted when %s', async (_, event) => {
  const { finds, asked } = setUp();
  const found = finds.search(ask);
  event(finds);
  expect(await found).toMatchObject({ ok: false, error: { code: 'aborted' } });
  expect(asked[0]?.signal.aborted).toBe(true);
});

test('other tabs and calls do not affect a search', () => {
  const { finds, asked } = setUp();
  void finds.search(ask);
  finds.cancel(8, 'c');
  finds.cancel(7, 'd');
  finds.leave(7, '2');
  void finds.search({ ...ask, tabId: 8 });
  expect(asked[0]?.signal.aborted).toBe(false);
});
