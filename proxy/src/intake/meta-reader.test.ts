import { describe, expect, test } from 'vitest';
import { Rules } from '#rules.ts';
import { memoryBy } from '#runtime/memory.ts';
import { newDesk } from '#testing/desk.ts';
import { fakeClock } from '#testing/quiet.ts';
import { testContext } from '#testing/test-context.ts';
import { intakeTicket } from './intake-ticket.ts';
import { type AskMeta, createMetaReader, type MetaAnswer, slots } from './meta-json.ts';

const addressOf = (host: string) => `https://${host}/meta.json`;
const found = (host: string): MetaAnswer => ({
  kind: 'found',
  address: addressOf(host),
  orgId: '1000069001',
  domains: [],
});

/** Shops that answer when the test says so. */
function shops() {
  const waiting = new Map<string, (answer: MetaAnswer) => void>();
  const asked: string[] = [];
  const ask: AskMeta = (host) => {
    asked.push(host);
    return new Promise((resolve) => waiting.set(host, resolve));
  };
  return {
    ask,
    asked,
    async answer(host: string, answer = found(host)) {
      waiting.get(host)?.(answer);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

function setUp() {
  const world = shops();
  const arrived: string[] = [];
  const stop = new AbortController();
  const queue = createMetaReader({
    ask: world.ask,
    memory: memoryBy(fakeClock()),
    stopped: stop.signal,
    onArrival: (ticket) => arrived.push(ticket),
  });
  const patient = new AbortController().signal;
  const read = (ticket: string, host: string, signal = patient) => queue.readFor(ticket, host, signal);
  return { ...world, arrived, stop, read };
}

describe('the queue for meta.json', () => {
  test('a decision that waits gets the answer, and nothing is announced to it', async () => {
    const w = setUp();
    const reading = w.read('1', 'a.example');
    await w.answer('a.example');
    expect(await reading).toEqual(found('a.example'));
    expect(w.arrived).toEqual([]);
  });

  test('one that stops waiting is told when the answer comes, and the address is asked once for all tickets', async () => {
    const w = setUp();
    const patience = new AbortController();
    const reading = w.read('1', 'a.example', patience.signal);
    const other = w.read('2', 'a.example');
    patience.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    expect(w.arrived).toEqual([]);
    await w.answer('a.example');
    expect(await other).toEqual(found('a.example'));
    expect(w.arrived).toEqual(['1']);
    expect(await w.read('1', 'a.example')).toEqual(found('a.example'));
    expect(w.asked).toEqual(['a.example']);
  });

  test('while slow addresses hold every slot a decision does not wait, and is told later', async () => {
    const w = setUp();
    for (let n = 1; n <= slots.running; n += 1) void w.read(`slow${n}`, `slow${n}.example`);
    expect(await w.read('1', 'a.example')).toMatchObject({ kind: 'failed', address: addressOf('a.example') });
    expect(w.asked).not.toContain('a.example');
    await w.answer('slow1.example');
    expect(w.asked).toContain('a.example');
    await w.answer('a.example');
    expect(w.arrived).toEqual(['1']);
  });

  test('no more wait for a slot than there are places', async () => {
    const w = setUp();
    const all = slots.running + slots.waiting;
    for (let n = 1; n <= all; n += 1) void w.read(`t${n}`, `h${n}.example`);
    expect(await w.read('late', 'late.example')).toMatchObject({ kind: 'failed' });
    for (let n = 1; n <= all; n += 1) await w.answer(`h${n}.example`);
    expect(w.asked).toHaveLength(all);
    expect(w.arrived).not.toContain('late');
  });

  test('a stop ends what is asked, and announces nothing', async () => {
    const w = setUp();
    for (let n = 1; n <= slots.running + 1; n += 1) void w.read(`${n}`, `h${n}.example`).catch(() => {});
    w.stop.abort(new Error('stopped'));
    for (let n = 1; n <= slots.running; n += 1) await w.answer(`h${n}.example`);
    expect(w.arrived).toEqual([]);
  });
});

test('a decision is made without a shop that does not answer in time, and again once it has', async () => {
  const w = shops();
  const desk = newDesk();
  desk.insert('1', { custom_store_url: 'https://tiemhoamau.example' });
  const again: string[] = [];
  const { signal } = new AbortController();
  const ticket = await desk.helpdesk.tickets.read('1', signal);
  const memory = memoryBy(fakeClock());
  const onArrival = (name: string) => void again.push(name);
  const metaJson = createMetaReader({ ask: w.ask, memory, stopped: signal, onArrival });
  const ctx = testContext({ desk, metaJson, hosts: Rules.parse({}) });
  const intake = () => intakeTicket(ctx, ticket, { forDecision: true, withinMs: 1 }, signal);
  expect(await intake()).toMatchObject({ orgId: null, failed: true });
  expect(again).toEqual([]);
  await w.answer('tiemhoamau.example');
  expect(again).toEqual(['1']);
  expect(await intake()).toMatchObject({ orgId: '1000069001', failed: false });
});

function remembering(answer: Partial<MetaAnswer>) {
  const clock = fakeClock();
  const asked: string[] = [];
  const ask: AskMeta = async (host) => {
    asked.push(host);
    return { address: `https://${host}/meta.json`, ...answer } as MetaAnswer;
  };
  const { signal: stopped } = new AbortController();
  const meta = createMetaReader({ ask, memory: memoryBy(clock), stopped, onArrival: () => {} });
  const read = (host: string) => meta.read(host, new AbortController().signal);
  return { clock, asked, read };
}

test.each([
  ['found', { kind: 'found', orgId: '1', domains: [] }, 300_000],
  ['none', { kind: 'none', why: 'not_found' }, 300_000],
  ['failed', { kind: 'failed', why: 'timeout' }, 50_000],
] as [string, Partial<MetaAnswer>, number][])(
  'an answer %s is remembered for a while, for its host alone',
  async (_, answer, forMs) => {
    const { clock, asked, read } = remembering(answer);
    const first = await read('a.example');
    clock.advance(forMs - 1);
    expect(await read('a.example')).toEqual(first);
    await read('b.example');
    expect(asked).toEqual(['a.example', 'b.example']);
    clock.advance(1);
    await read('a.example');
    expect(asked).toHaveLength(3);
  },
);
