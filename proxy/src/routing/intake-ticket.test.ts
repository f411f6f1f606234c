import { Finding, MetaFailure } from '@deskside/shared/routing';
import { describe, expect, test } from 'vitest';
import { intakeFields } from '#helpdesk/fields.ts';
import type { AskMeta, MetaAnswer, MetaReader } from '#intake/meta-json.ts';
import { Rules } from '#rules.ts';
import { newDesk } from '#testing/desk.ts';
import { sender } from '#testing/desk-seed.ts';
import { testContext } from '#testing/test-context.ts';
import { intakeTicket } from './intake-ticket.ts';

const shop = 'tiem-hoa-mau.myplatform.example';
const { signal } = new AbortController();

type MetaFields = Partial<Extract<MetaAnswer, { kind: 'found' }>>;
type Answers = Record<string, MetaFields | MetaFailure['why']>;

/** Hosts that answer as told; the rest have no meta.json. Those that fail may work later, the rest will not. */
function fakeMeta(answers: Answers): MetaReader & { asked: string[] } {
  const asked: string[] = [];
  const read: AskMeta = async (host, caller) => {
    caller.throwIfAborted();
    asked.push(host);
    const answer = answers[host] ?? 'not_found';
    const address = `https://${host}/meta.json`;
    if (typeof answer === 'object') return { kind: 'found', address, orgId: null, domains: [], ...answer };
    return { kind: answer === 'timeout' || answer === 'server_error' ? 'failed' : 'none', address, why: answer };
  };
  return { asked, read, readFor: (_, host, caller) => read(host, caller) };
}

function setUp(ticket: Record<string, unknown>, answers: Answers = {}, rules: Partial<Rules> = {}) {
  const desk = newDesk();
  desk.addFields('HD Ticket', ...olderSites);
  desk.put('HD Ticket', '61307', { subject: 'Không in được đơn', raised_by: sender, ...ticket });
  const meta = fakeMeta(answers);
  const hosts = Rules.parse({ platform_hosts: ['myplatform.example'], ...rules });
  const ctx = testContext({ desk, metaJson: meta, hosts });
  const run = async (options: Parameters<typeof intakeTicket>[2] = {}, until = signal) =>
    intakeTicket(ctx, await desk.helpdesk.tickets.read('61307', signal), options, until);
  return { desk, meta, run };
}

/** What the fields say, the most important one first. */
const store = (...values: string[]) => Object.fromEntries(values.map((value, n) => [intakeFields[n], value]));
/** Fields of intake that only some sites have. */
const olderSites = intakeFields.slice(3);

test('where only the store fields are wanted, nothing is fetched and no text is read', async () => {
  const ticket = { ...store(`https://${shop}/`), description: 'Mã shop: 1000069001' };
  const { run, meta, desk } = setUp(ticket, { [shop]: { orgId: '7' } });
  const found = await run({ storesOnly: true });
  expect(found).toMatchObject({ orgId: null, platformDomain: shop, metaFailures: [], failed: false });
  expect([meta.asked, desk.calls]).toEqual([[], ['tickets.read']]);
});

describe('what the fields say themselves', () => {
  test('an org id needs nobody', async () => {
    const { run, meta, desk } = setUp(store('1000069001'));
    const found = await run();
    expect(found).toMatchObject({ orgId: '1000069001', failed: false, metaFailures: [] });
    const field = 'custom_store_url';
    expect(found.findings[0]).toMatchObject({ kind: 'org_id', source: 'bare_org_id', field, address: null });
    expect([meta.asked, desk.calls]).toEqual([[], ['tickets.read']]);
  });

  test('the kind of value counts for more than the order of the fields, and all are listed', async () => {
    const values = store('https://1.myplatform.example/admin', '2', '3.myplatform.example', '2');
    const { orgId, platformDomain, findings } = await setUp(values).run();
    expect([orgId, platformDomain]).toEqual(['3', '3.myplatform.example']);
    expect(findings.map(({ field, value }) => `${field} ${value}`)).toEqual([
      'custom_myplatform_domain 3',
      'custom_myplatform_domain 3.myplatform.example',
      'custom_orgid 2',
      'custom_store_url 1',
      'custom_store_url 1.myplatform.example',
    ]);
  });

  test('of several org ids in a store’s field all are listed, and none of a field that is for one', async () => {
    const two = '1.myplatform.example/admin 2.myplatform.example/admin';
    const idsIn = async (ticket: Record<string, unknown>) =>
      (await setUp(ticket).run()).findings.flatMap(({ kind, value }) => (kind === 'org_id' ? [value] : []));
    expect([await idsIn(store(two)), await idsIn({ custom_orgid: two })]).toEqual([['1', '2'], []]);
  });

  test('an address that is given is read in place of the fields', async () => {
    const { orgId, findings } = await setUp(store('1')).run({ storeUrl: '12345' });
    expect([orgId, findings.map(({ field }) => field)]).toEqual(['12345', ['store_url']]);
  });
});

describe('meta.json', () => {
  test('tells the org id and the domain of a shop, with the address as evidence', async () => {
    const answer = { orgId: '1000069001', domains: ['tiemhoamau.example', shop] };
    const { run } = setUp(store('Web: tiemhoamau.example/vn'), { 'tiemhoamau.example': answer });
    const told = { source: 'meta_json', field: 'custom_store_url', quote: 'tiemhoamau.example/vn' };
    const address = 'https://tiemhoamau.example/meta.json';
    expect(await run()).toEqual({
      orgId: '1000069001',
      platformDomain: shop,
      findings: [
        { kind: 'org_id', value: '1000069001', ...told, address },
        { kind: 'platform_domain', value: shop, ...told, address },
      ],
      metaFailures: [],
      failed: false,
    });
  });

  test('shops of the platform are asked first, then the fields’ hosts, then the text’s; at most three', async () => {
    const ticket = {
      subject: 'web c.vn',
      description: `b.vn, https://${shop}/admin, d.vn, e.vn`,
      ...store('a.vn, b.vn'),
    };
    const { run, meta } = setUp(ticket);
    expect((await run()).orgId).toBeNull();
    expect(meta.asked).toEqual(['a.vn', 'b.vn', shop]);

    const fields = setUp(store('a.vn', `${shop}/admin`));
    await fields.run();
    expect(fields.meta.asked).toEqual([shop, 'a.vn']);

    const twice = setUp({ description: 'a.vn', ...store('a.vn') });
    await twice.run();
    expect(twice.meta.asked).toEqual(['a.vn']);
  });

  test('nobody is asked any more once an org id is known', async () => {
    const ticket = { description: 'Mã shop: 12345, xem c.vn', ...store('a.vn b.vn') };
    const first = setUp(ticket, { 'a.vn': { orgId: '7' } });
    expect((await first.run()).orgId).toBe('7');
    expect(first.meta.asked).toEqual(['a.vn']);

    const text = setUp(ticket);
    expect((await text.run()).orgId).toBe('12345');
    expect(text.meta.asked).toEqual(['a.vn', 'b.vn']);
  });

  test('a domain of digits in it is an org id, too', async () => {
    const domains = ['1000069001.myplatform.example'];
    const found = await setUp(store('a.vn'), { 'a.vn': { domains } }).run();
    expect(found).toMatchObject({ orgId: '1000069001', platformDomain: domains[0], metaFailures: [] });
  });

  test('one that fails is noted, and the next is asked', async () => {
    const ticket = store('a.vn b.vn c.vn');
    const { run } = setUp(ticket, { 'a.vn': 'timeout', 'b.vn': { domains: [shop] }, 'c.vn': 'blocked' });
    expect(await run()).toMatchObject({
      orgId: null,
      platformDomain: shop,
      failed: true,
      metaFailures: [
        { address: 'https://a.vn/meta.json', outcome: 'failed', why: 'timeout' },
        { address: 'https://b.vn/meta.json', outcome: 'none', why: 'no_org_id' },
        { address: 'https://c.vn/meta.json', outcome: 'none', why: 'blocked' },
      ],
    });
    expect(await setUp(ticket, { 'a.vn': 'timeout', 'b.vn': { orgId: '7' } }).run()).toMatchObject({
      orgId: '7',
      failed: true,
    });
    expect(await setUp(ticket).run()).toMatchObject({ orgId: null, failed: false });
  });

  test('one that takes longer than there is time has failed, and what else goes wrong is thrown', async () => {
    const { run, meta } = setUp(store('a.vn'));
    meta.read = (_, caller) =>
      new Promise((__, reject) => caller.addEventListener('abort', () => reject(new Error('late'))));
    const failure = { address: 'https://a.vn/meta.json', outcome: 'failed', why: 'timeout' };
    expect(await run({ withinMs: 1 })).toMatchObject({ failed: true, metaFailures: [failure] });
    meta.read = () => Promise.reject(new Error('ours'));
    await expect(run()).rejects.toThrow('ours');
  });

  test.each<[string, MetaFields]>([
    ['answered by a guarded domain', { address: 'https://www.shopify.com/meta.json' }],
    ['of a shop that is at home on a guarded domain', { domains: ['hoa.myshopify.com'] }],
  ])('an id is not taken where it is %s', async (_, answer) => {
    const found = await setUp(store('a.vn'), { 'a.vn': { orgId: '548380009', ...answer } }).run();
    expect(found).toMatchObject({
      orgId: null,
      findings: [],
      metaFailures: [{ outcome: 'none', why: 'guarded_domain' }],
    });
  });

  test('guarded domains are not asked; of those in a store field it is said, once', async () => {
    const ticket = { description: 'https://facebook.com/x', ...store('google.com/x', 'google.com tiki.vn') };
    const { run, meta } = setUp(ticket, {}, { guarded_domains: ['google.com', 'facebook.com', 'tiki.vn'] });
    expect((await run()).metaFailures).toEqual([
      { address: 'https://google.com/meta.json', outcome: 'none', why: 'guarded_domain' },
      { address: 'https://tiki.vn/meta.json', outcome: 'none', why: 'guarded_domain' },
    ]);
    expect(meta.asked).toEqual([]);
  });
});

describe('texts', () => {
  test.each(['subject', 'description'])('%s is read', async (field) => {
    const { findings, orgId } = await setUp({ [field]: 'Mã cửa hàng 12345' }).run();
    expect(orgId).toBe('12345');
    expect(findings).toEqual([
      { kind: 'org_id', value: '12345', source: 'text', field, quote: 'Mã cửa hàng 12345', address: null },
    ]);
  });

  test.each<[string, string, string | null]>([
    ['the sender’s own beside a quotation', '> Mã shop: 200000376001\nMã shop của em là 12345', '12345'],
    [
      'the sender’s own above a quotation',
      'Mã shop: 12345\nOn 1 Jan, X <x@y.vn> wrote:\n> shop id: 200000376001',
      '12345',
    ],
    ['the only one of a quotation', 'Nhờ hỗ trợ\n> Mã shop: 12345\n> mã shop 12345', '12345'],
    ['none of a quotation with two', 'Nhờ hỗ trợ\n> Mã shop: 12345\n> Mã shop: 12346', null],
    [
      'none of a quotation with two, though it has one shop',
      'Chào\n> Mã shop: 12345\n> Mã shop: 12346\n> hoa.vn',
      null,
    ],
    ['the only one of a quotation with its domain', 'Chào\n> 12345.myplatform.example/admin', '12345'],
    ['that of a shop linked to, before a quoted one', 'Web hoa.vn\n> Mã shop: 12345', '7'],
    ['that of the only quoted shop', 'Nhờ hỗ trợ\n> Web hoa.vn', '7'],
    ['an agency’s signature', 'Chào\n--\nAgency\nMã shop: 12345', '12345'],
  ])('of a mail counts %s', async (_, description, orgId) => {
    const found = await setUp({ description }, { 'hoa.vn': { orgId: '7' } }).run();
    expect(found.orgId).toBe(orgId);
    const ids = found.findings.filter(({ kind }) => kind === 'org_id').map(({ value }) => value);
    expect([...new Set(ids)]).toEqual(orgId === null ? [] : [orgId]);
  });

  test('the first message is read where there is no description', async () => {
    const { run, desk, meta } = setUp({ description: ' \n' }, { 'hoa.vn': { orgId: '7' } });
    desk.addMessage('61307', 'Web hoa.vn');
    expect(await run()).toMatchObject({ orgId: '7', findings: [{ field: 'first_message', quote: 'hoa.vn' }] });
    expect(meta.asked).toEqual(['hoa.vn']);

    const described = setUp({ description: 'Chào shop' });
    described.desk.addMessage('61307', 'Mã shop: 12345');
    expect((await described.run()).orgId).toBeNull();
  });
});

test('a caller who leaves is passed on', async () => {
  const left = AbortSignal.abort(new Error('left'));
  await expect(setUp(store('a.vn')).run({}, left)).rejects.toThrow('left');
});

test('what is found fits the decision record, whatever stands on the ticket', async () => {
  const hostile = ['\ud800', '\0', 'shop id:\0 12345', `https://a.vn/${'\ud83d'.repeat(300)}`, '__proto__', '..'];
  for (const values of [hostile, hostile.map((text) => text.repeat(1_000))]) {
    const { run } = setUp({ ...store(...values), description: hostile.join(' ') }, { 'a.vn': 'timeout' });
    const { findings, metaFailures } = await run();
    expect(findings.every((finding) => Finding.safeParse(finding).success)).toBe(true);
    expect(metaFailures.every((failure) => MetaFailure.safeParse(failure).success)).toBe(true);
    expect(findings.every(({ quote }) => quote.isWellFormed() && !/\p{Cc}/u.test(quote))).toBe(true);
  }
});
