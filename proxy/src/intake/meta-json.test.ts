import type { RequestListener } from 'node:http';
import { anyUrl } from '@deskside/testing/any-url';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { GuardedFailure } from '#net/guarded-fetch.ts';
import { intakeTicket } from '#routing/intake-ticket.ts';
import { Rules } from '#rules.ts';
import { memoryBy } from '#runtime/memory.ts';
import { fakeClock } from '#runtime/testing/quiet.ts';
import { newDesk } from '#testing/desk.ts';
import { testContext } from '#testing/test-context.ts';
import { type AskMeta, askMeta, createMetaReader, type MetaAnswer, parseMeta, slots } from './meta-json.ts';
import { json, shops } from './testing/shops.ts';

const parse = (value: unknown) => parseMeta(JSON.stringify(value));

describe('the org id', () => {
  it.each([
    [{ id: 1000069001 }, '1000069001'],
    [{ id: '1000069001' }, '1000069001'],
    [{ id: ' 200000376001 ' }, '200000376001'],
    [{ shop_id: 12345 }, '12345'],
    [{ orgid: '1900000001' }, '1900000001'],
    [{ org_id: 200000010001 }, '200000010001'],
    [{ org_id: 3, orgid: 2, shop_id: 1 }, '1'],
    [{ id: 'gid://shop/1', org_id: '7' }, '7'],
    [{ shop: { id: 1000069001 } }, '1000069001'],
    [{ shop: { id: 2 }, org_id: 1 }, '1'],
    [{ id: null, shop: { orgid: '5' } }, '5'],
    [{ id: 1e21 }, null],
    [{ id: 2 ** 53 }, null],
    [{ id: 1.5 }, null],
    [{ id: -1 }, null],
    [{ id: 0 }, null],
    [{ id: '1000069001.myplatform.example' }, null],
    [{ id: [1] }, null],
    [{ id: true }, null],
    [{ ID: 1 }, null],
    [{ shop: [{ id: 1 }] }, null],
    [{ shop: { shop: { id: 1 } } }, null],
    [{}, null],
  ])('of %j is %j', (value, expected) => expect(parse(value)?.orgId).toBe(expected));

  it('given twice is the last', () => expect(parseMeta('{"id":1,"id":2}')?.orgId).toBe('2'));
});

describe('the domains', () => {
  it.each([
    [{ domain: 'tiemhoamau.example' }, ['tiemhoamau.example']],
    [
      { url: 'https://a.example/', domain: 'b.example', myplatform_domain: 'c.myplatform.example' },
      ['c.myplatform.example', 'b.example', 'a.example'],
    ],
    [{ primary_domain: 'b.example', myplatform_domain: 'a.example' }, ['b.example', 'a.example']],
    [
      { domain: 'a.example', shop: { domain: 'b.example', x_domain: 'c.example' } },
      ['c.example', 'a.example', 'b.example'],
    ],
    [{ myplatform_domain: 'https://Tiem-Hoa-Mau.MyPlatform.example/admin?x#y' }, ['tiem-hoa-mau.myplatform.example']],
    [{ domain: '//a.example/x' }, ['a.example']],
    [{ domain: 'a.example/?to=https://b.example' }, ['a.example']],
    [{ domain: ' HTTP://WWW.A.Example:8080/x ' }, ['www.a.example']],
    [{ domain: 'a.example.', url: 'https://a.example' }, ['a.example']],
    [{ domain: 'tiệm-hoa.example' }, ['xn--tim-hoa-zv4c.example']],
    [{ domain: 'shop@a.example' }, []],
    [{ domain: 'https://u:p@a.example' }, []],
    [{ domain: '127.0.0.1', url: 'https://2130706433', a_domain: '[::1]', b_domain: 'localhost' }, []],
    [{ domain: 'ftp://a.example' }, []],
    [{ domain: '' }, []],
    [{ domain: ['a.example'], url: 1, x_domain: { a: 1 } }, []],
    [{ contact_email: 'shop@a.example', Domain: 'a.example' }, []],
  ])('of %j are %j', (value, expected) => expect(parse(value)?.domains).toEqual(expected));

  it('are at most ten', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}_domain`, `s${i}.example`]));
    expect(parse(many)?.domains).toHaveLength(10);
  });
});

describe('a document', () => {
  it.each(['', 'null', '[]', '[{"id":1}]', '1', '"{}"', '{', '<html>', "{'id':1}", '{"id":1}x', '{"id":01}'])(
    '%j is none',
    (text) => expect(parseMeta(text)).toBeNull(),
  );

  it('nested deeply is read', () => {
    const depth = 100_000;
    expect(parseMeta(`{"id":1,"a":${'['.repeat(depth)}${']'.repeat(depth)}}`)?.orgId).toBe('1');
  });

  it('of any shape is read without throwing, and yields nothing but digits and host names', () => {
    const key = fc.constantFrom(...'id shop_id org_id shop domain url x_domain name __proto__ a'.split(' '));
    const tree = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'xsmall' },
        fc.jsonValue({ maxDepth: 2 }),
        anyUrl,
        fc.domain(),
        fc.string(),
        tie('object'),
      ),
      object: fc.dictionary(key, tie('value'), { maxKeys: 8 }),
    }));
    fc.assert(
      fc.property(tree.object, (value) => {
        const meta = parse(value);
        expect(meta?.orgId ?? '1').toMatch(/^\d{1,20}$/);
        for (const domain of meta?.domains ?? []) expect(new URL(`https://${domain}`).hostname).toBe(domain);
      }),
    );
  });
});

const signal = new AbortController().signal;
const address = 'https://shop.example/meta.json';
const meta = {
  id: 1000069001,
  name: 'Tiệm Hoa Mẫu',
  domain: 'tiemhoamau.example',
  myplatform_domain: 'tiem-hoa-mau.myplatform.example',
};

/** What the reader makes of a shop, with one answer after another. */
async function reader() {
  let answers: RequestListener = () => {};
  const { fetch, seen } = await shops({ listener: (...asked) => answers(...asked) });
  return async (listener: RequestListener, host = 'shop.example') => {
    answers = listener;
    const answer = await askMeta(fetch, host, signal);
    expect(seen.caught).toBe(0);
    return answer;
  };
}
const readFrom = async (listener: RequestListener) => (await reader())(listener);

describe('a shop’s meta.json', () => {
  it('is found, with what it says and where: at the end of its redirects, without query and fragment', async () => {
    const told = {
      kind: 'found',
      orgId: '1000069001',
      domains: ['tiem-hoa-mau.myplatform.example', 'tiemhoamau.example'],
    };
    expect(await readFrom((_, response) => json(response, meta))).toEqual({ ...told, address });
    const redirected = await readFrom((request, response) => {
      if (request.url === '/m?a=1') json(response, meta);
      else response.writeHead(301, { location: 'https://www.shop.example/m?a=1#b' }).end();
    });
    expect(redirected).toEqual({ ...told, address: 'https://www.shop.example/m' });
  });

  it('is asked for without credentials, cookies or where we come from', async () => {
    let seen: [string | undefined, string | undefined, string[]] | undefined;
    await readFrom((request, response) => {
      seen = [request.method, request.url, request.rawHeaders.map((text) => text.toLowerCase())];
      response.setHeader('set-cookie', 'sid=1');
      json(response, meta);
    });
    expect(seen?.slice(0, 2)).toEqual(['GET', '/meta.json']);
    const names = seen?.[2].filter((_, index) => index % 2 === 0);
    expect(names?.sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
    expect(seen?.[2]).toContain('shop.example');
    expect(seen?.[2].join(' ')).toMatch(/deskside\/\d+\.\d+\.\d+/);
  });

  it('is read however the name of the host is written, and whatever type it comes as', async () => {
    const read = await reader();
    for (const [host, expected] of [
      ['SHOP.Example', address],
      ['shop.example.', address],
      ['www.shop.example', 'https://www.shop.example/meta.json'],
      ['tiệm-hoa.example', 'https://xn--tim-hoa-zv4c.example/meta.json'],
      ['ｓｈｏｐ．example', address],
    ])
      expect(await read((_, response) => json(response, meta), host)).toMatchObject({
        kind: 'found',
        address: expected,
      });
    const plain = ['application/json; charset=utf-8', 'application/vnd.shop+json', 'text/plain', 'text/javascript', ''];
    const types = [...plain, 'application/json; of="text/html"'];
    for (const type of types)
      expect(await read((_, response) => json(response, meta, type)), type).toMatchObject({ kind: 'found' });
  });

  it('is found by its domains alone', async () => {
    const answer = await readFrom((_, response) => json(response, { id: 'x', url: 'https://tiemhoamau.example/vi' }));
    expect(answer).toMatchObject({ kind: 'found', orgId: null, domains: ['tiemhoamau.example'] });
  });
});

describe('nothing is found', () => {
  const html = '<!doctype html><title>404</title>';
  const cases: [string, string, RequestListener][] = [
    ['no document', 'not_found', (_, response) => response.writeHead(404).end(JSON.stringify(meta))],
    ['one that is not for us', 'not_found', (_, response) => response.writeHead(403).end()],
    ['a redirect without a target', 'not_found', (_, response) => response.writeHead(302).end()],
    ['300', 'not_found', (_, response) => response.writeHead(300).end(JSON.stringify(meta))],
    ['304', 'not_found', (_, response) => response.writeHead(304).end()],
    ['204', 'not_json', (_, response) => response.writeHead(204).end()],
    ['an empty body', 'not_json', (_, response) => json(response, '')],
    ['a page', 'not_json', (_, response) => json(response, html, 'text/html; charset=utf-8')],
    ['a page that calls itself JSON', 'not_json', (_, response) => json(response, html)],
    ['JSON that calls itself a page', 'not_json', (_, response) => json(response, meta, 'Text/HTML')],
    ['UTF-16', 'not_json', (_, response) => response.end(Buffer.from('{"id":1}', 'utf16le'))],
    ['deflate', 'not_json', (_, response) => response.writeHead(200, { 'content-encoding': 'deflate' }).end('x')],
    ['damaged gzip', 'not_json', (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')],
    ['an object without org id or domains', 'no_org_id', (_, response) => json(response, { name: 'Tiệm Hoa Mẫu' })],
    ['a huge head', 'too_large', (_, response) => response.writeHead(200, { 'x-fill': 'x'.repeat(60_000) }).end('{}')],
  ];
  it('in what is no answer', async () => {
    const read = await reader();
    for (const [what, why, listener] of cases)
      expect(await read(listener), what).toEqual({ kind: 'none', address, why });
  });
});

describe('something may be found later', () => {
  it('after the statuses of a server in trouble', async () => {
    const read = await reader();
    for (const status of [429, 500, 502, 503, 504, 599]) {
      const answer = await read((_, response) => response.writeHead(status).end(JSON.stringify(meta)));
      expect([status, answer]).toEqual([status, { kind: 'failed', address, why: 'server_error' }]);
    }
  });

  it.each<[GuardedFailure['why'], 'none' | 'failed', string]>([
    ['blocked', 'none', 'blocked'],
    ['unreadable', 'none', 'not_json'],
    ['timeout', 'failed', 'timeout'],
    ['unreachable', 'failed', 'unreachable'],
    ['cut', 'failed', 'unreachable'],
    ['no_such_host', 'none', 'not_found'],
    ['redirected', 'none', 'redirected'],
    ['too_large', 'none', 'too_large'],
  ])('or not, after the guard’s %s: %s, %s', async (failure, kind, why) => {
    const fetch = async () => ({ kind: 'failed' as const, why: failure });
    expect(await askMeta(fetch, 'shop.example', signal)).toEqual({ kind, address, why });
  });
});

describe('what is refused', () => {
  it('is shown without user info, encoded and cut; and the signal rejects with its own reason all the same', async () => {
    const { fetch } = await shops({});
    for (const [host, expected] of [
      ['user:secret@127.0.0.1', 'https://127.0.0.1/meta.json'],
      ['shop.example/a?b', 'https://shop.example%2Fa%3Fb/meta.json'],
      ['', 'https:///meta.json'],
      [`@${'x'.repeat(300)}`, `https://${'x'.repeat(253)}/meta.json`],
    ] as const)
      expect((await askMeta(fetch, host, signal)).address).toBe(expected);
    const reason = new Error('the service stops');
    await expect(askMeta(fetch, '127.0.0.1', AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

const addressOf = (host: string) => `https://${host}/meta.json`;
const found = (host: string): MetaAnswer => ({
  kind: 'found',
  address: addressOf(host),
  orgId: '1000069001',
  domains: [],
});

/** Shops that answer when the test says so. */
function slowShops() {
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

/** `ask`: instead of slow shops. */
function setUp(ask?: AskMeta) {
  const world = slowShops();
  const clock = fakeClock();
  const arrived: string[] = [];
  const stop = new AbortController();
  const queue = createMetaReader({
    ask: ask ?? world.ask,
    memory: memoryBy(clock),
    stopped: stop.signal,
    onArrival: (ticket) => arrived.push(ticket),
  });
  const patient = new AbortController().signal;
  const readFor = (ticket: string, host: string, signal = patient) => queue.readFor(ticket, host, signal);
  return { ...world, clock, arrived, stop, queue, readFor, read: (host: string) => queue.read(host, patient) };
}

describe('the queue for meta.json', () => {
  test('a decision that waits gets the answer, and nothing is announced to it', async () => {
    const w = setUp();
    const reading = w.readFor('1', 'a.example');
    await w.answer('a.example');
    expect(await reading).toEqual(found('a.example'));
    expect(w.arrived).toEqual([]);
  });

  test('one that stops waiting is told when the answer comes, and the address is asked once for all tickets', async () => {
    const w = setUp();
    const patience = new AbortController();
    const reading = w.readFor('1', 'a.example', patience.signal);
    const other = w.readFor('2', 'a.example');
    patience.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    expect(w.arrived).toEqual([]);
    await w.answer('a.example');
    expect(await other).toEqual(found('a.example'));
    expect(w.arrived).toEqual(['1']);
    expect(await w.readFor('1', 'a.example')).toEqual(found('a.example'));
    expect(w.asked).toEqual(['a.example']);
  });

  test('while slow addresses hold every slot a decision does not wait, and is told later', async () => {
    const w = setUp();
    for (let n = 1; n <= slots.running; n += 1) void w.readFor(`slow${n}`, `slow${n}.example`);
    const notYet = { kind: 'failed', why: 'timeout', address: addressOf('a.example') };
    expect(await w.readFor('1', 'a.example')).toEqual(notYet);
    expect(w.asked).not.toContain('a.example');
    await w.answer('slow1.example');
    expect(w.asked).toContain('a.example');
    await w.answer('a.example');
    expect(w.arrived).toEqual(['1']);
  });

  test('no more wait for a slot than there are places', async () => {
    const w = setUp();
    const all = slots.running + slots.waiting;
    for (let n = 1; n <= all; n += 1) void w.readFor(`t${n}`, `h${n}.example`);
    expect(await w.readFor('late', 'late.example')).toMatchObject({ kind: 'failed' });
    for (let n = 1; n <= all; n += 1) await w.answer(`h${n}.example`);
    expect(w.asked).toHaveLength(all);
    expect(w.arrived).not.toContain('late');
  });

  test('whoever has answered makes place for others, and is asked again once its answer is old', async () => {
    const w = setUp();
    const all = slots.running + slots.waiting;
    for (let n = 1; n <= all; n += 1) void w.readFor(`t${n}`, `h${n}.example`);
    for (let n = 1; n <= all; n += 1) await w.answer(`h${n}.example`);
    void w.readFor('next', 'next.example');
    expect(w.asked).toContain('next.example');
    w.clock.advance(300_000);
    void w.readFor('t1', 'h1.example');
    expect(w.asked.filter((host) => host === 'h1.example')).toHaveLength(2);
  });

  test('a stop ends what is asked, and announces nothing', async () => {
    const w = setUp();
    for (let n = 1; n <= slots.running + 1; n += 1) void w.readFor(`${n}`, `h${n}.example`).catch(() => {});
    w.stop.abort(new Error('stopped'));
    for (let n = 1; n <= slots.running; n += 1) await w.answer(`h${n}.example`);
    expect(w.arrived).toEqual([]);
  });
});

test('a decision is made without a shop that does not answer in time, and again once it has', async () => {
  const w = setUp();
  const desk = newDesk();
  desk.insert('1', { custom_store_url: 'https://tiemhoamau.example' });
  const ticket = await desk.helpdesk.tickets.read('1', signal);
  const ctx = testContext({ desk, metaJson: w.queue, hosts: Rules.parse({}) });
  const intake = () => intakeTicket(ctx, ticket, { forDecision: true, withinMs: 1 }, signal);
  expect(await intake()).toMatchObject({ orgId: null, failed: true });
  expect(w.arrived).toEqual([]);
  await w.answer('tiemhoamau.example');
  expect(w.arrived).toEqual(['1']);
  expect(await intake()).toMatchObject({ orgId: '1000069001', failed: false });
});

test.each<[string, Partial<MetaAnswer>, number]>([
  ['found', { kind: 'found', orgId: '1', domains: [] }, 300_000],
  ['none', { kind: 'none', why: 'not_found' }, 300_000],
  ['failed', { kind: 'failed', why: 'timeout' }, 50_000],
])('an answer %s is remembered for a while, for its host alone', async (_, given, forMs) => {
  const asked: string[] = [];
  const ask: AskMeta = async (host) => {
    asked.push(host);
    return { address: addressOf(host), ...given } as MetaAnswer;
  };
  const { clock, read } = setUp(ask);
  const first = await read('a.example');
  clock.advance(forMs - 1);
  expect(await read('a.example')).toEqual(first);
  await read('b.example');
  expect(asked).toEqual(['a.example', 'b.example']);
  clock.advance(1);
  await read('a.example');
  expect(asked).toHaveLength(3);
});
