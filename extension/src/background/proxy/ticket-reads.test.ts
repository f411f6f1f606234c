import { expect, test } from 'vitest';
import type { ProxyCaller } from './proxy-caller.ts';
import { createTicketReads, type TicketReads } from './ticket-reads.ts';

function setUp() {
  const asked: {
    endpoint: string;
    input: unknown;
    signal: AbortSignal;
    user: string | null;
    answer: (result: unknown) => void;
  }[] = [];
  const call = ((endpoint, input, signal, user) => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    signal.addEventListener('abort', () => resolve({ ok: false, error: { code: 'aborted', requestId: null } }));
    asked.push({ endpoint, input, signal, user, answer: resolve });
    return promise as never;
  }) as ProxyCaller;
  return { routing: createTicketReads(call, 'routingDecisions'), asked };
}
const ask = { tabId: 7, user: 'an', ticket: '2', call: 'c' };
const aborted = { ok: false, error: { code: 'aborted' } };

test('each request asks the proxy once, without a cache', async () => {
  const { routing, asked } = setUp();
  const data = { ticket: '2', decisions: [] };
  for (const at of [0, 1]) {
    const result = routing.get(ask);
    asked[at]?.answer({ ok: true, data });
    expect(await result).toEqual({ ok: true, data });
  }
  expect(asked.map(({ endpoint, input, user }) => [endpoint, input, user])).toEqual([
    ['routingDecisions', { ticket: '2' }, 'an'],
    ['routingDecisions', { ticket: '2' }, 'an'],
  ]);
});

test('a failure is passed on', async () => {
  const { routing, asked } = setUp();
  const result = routing.get(ask);
  const failed = { ok: false, error: { code: 'ticket_not_readable', requestId: 'r1' } };
  asked[0]?.answer(failed);
  expect(await result).toEqual(failed);
});

test.each<[string, (routing: TicketReads<'routingDecisions'>) => void]>([
  ['the call is cancelled', (routing) => routing.cancel(7, 'c')],
  ['the tab goes to another ticket', (routing) => routing.leave(7, '3')],
  ['the tab is closed', (routing) => routing.leave(7, null)],
  ['the tab asks for another ticket', (routing) => void routing.get({ ...ask, ticket: '3', call: 'd' })],
  ['somebody else signs in', (routing) => routing.clear()],
])('a request is aborted when %s', async (_, event) => {
  const { routing, asked } = setUp();
  const result = routing.get(ask);
  event(routing);
  expect(await result).toMatchObject(aborted);
  expect(asked[0]?.signal.aborted).toBe(true);
});

test('other tabs and calls do not affect a request', () => {
  const { routing, asked } = setUp();
  void routing.get(ask);
  routing.cancel(8, 'c');
  routing.cancel(7, 'd');
  routing.leave(8, null);
  routing.leave(7, '2');
  void routing.get({ tabId: 8, user: 'an', ticket: '3', call: 'c' });
  expect(asked[0]?.signal.aborted).toBe(false);
});

test('an answer that arrives after an abort is dropped', async () => {
  const asked: ((result: unknown) => void)[] = [];
  const call = (() => new Promise((resolve) => asked.push(resolve))) as unknown as ProxyCaller;
  const routing = createTicketReads(call, 'routingDecisions');
  const result = routing.get(ask);
  routing.leave(7, '3');
  asked[0]?.({ ok: true, data: { ticket: '2', decisions: [] } });
  expect(await result).toMatchObject(aborted);
});
