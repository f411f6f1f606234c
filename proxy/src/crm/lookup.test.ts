import type { OrgId } from '@deskside/shared/orgid';
import { describe, expect, test } from 'vitest';
import { memoryStore } from '#store/testing/memory-store.ts';
import { fakeCrm, fakeLayers } from '#testing/fakes.ts';
import { fakeClock } from '#testing/quiet.ts';
import { company } from '#testing/sample-company.ts';
import { chooseContact, type LookupInput, lookupCompany } from './lookup.ts';
import { CrmFailure } from './rest.ts';

const a = '1000069001' as OrgId;
const b = '200000376001' as OrgId;
const minute = 60_000;

function setUp(companies = { [a]: company(a) }, ttlMinutes = 60) {
  const crm = fakeCrm(companies);
  const { profileCache: cache, rows } = memoryStore();
  const clock = fakeClock();
  const layers = fakeLayers({ crm, cache, clock, ttlMinutes });
  const look = (orgId: OrgId, how: Partial<LookupInput> = {}) =>
    lookupCompany(layers, { orgId, refresh: false, deadlineMs: 1_000, ...how });
  return { crm, cache, rows, clock, look };
}

describe('what it asks', () => {
  test('cold look-ups of one moment are one request, warm ones none', async () => {
    const { crm, look } = setUp();
    const both = () => Promise.all([look(b), look(a)]);
    expect(await both()).toMatchObject([
      { status: 'not_found', outcome: 'not_found', value: b },
      { status: 'matched', value: a },
    ]);
    expect(await both()).toMatchObject([{ status: 'cached' }, { status: 'cached', outcome: 'matched', value: a }]);
    expect(crm.requests).toEqual([{ orgIds: [b, a], user: null }]);
  });

  test('50 look-ups at once are one request', async () => {
    const { crm, look } = setUp();
    const all = await Promise.all(Array.from({ length: 50 }, () => look(a)));
    expect(new Set(all.map((l) => l.value))).toEqual(new Set([a]));
    expect(crm.requests).toHaveLength(1);
  });

  test('a refresh asks in spite of a fresh answer', async () => {
    const { crm, look } = setUp();
    await look(a);
    expect(await look(a, { refresh: true })).toMatchObject({ status: 'matched' });
    expect(crm.requests).toHaveLength(2);
  });

  test('the TTL ends on the millisecond; "no company" ends sooner', async () => {
    const { crm, clock, look } = setUp();
    await look(a);
    await look(b);
    clock.advance(5 * minute);
    expect((await look(b)).status).toBe('not_found');
    clock.advance(55 * minute - 1);
    expect((await look(a)).status).toBe('cached');
    clock.advance(1);
    expect((await look(a)).status).toBe('matched');
    expect(crm.requests).toHaveLength(4);
  });

  test('a TTL of 0 asks every time', async () => {
    const { crm, look } = setUp({ [a]: company(a) }, 0);
    await look(a);
    expect((await look(a)).status).toBe('matched');
    expect(crm.requests).toHaveLength(2);
  });
});

describe('when the CRM fails', () => {
  test('the last good company is given, marked stale, with the time it was checked', async () => {
    const { crm, clock, look } = setUp();
    await look(a);
    const checkedAt = clock();
    clock.advance(61 * minute);
    crm.answer = () => ({ kind: 'failed', code: 'overloaded' });
    expect(await look(a)).toMatchObject({
      status: 'error',
      error: 'overloaded',
      outcome: 'matched',
      stale: true,
      checkedAt,
      value: a,
    });
  });

  test('a hanging CRM costs no more than the deadline, and its late answer is kept', async () => {
    const { crm, look, rows } = setUp();
    const { promise, resolve } = Promise.withResolvers<void>();
    crm.hold = promise;
    expect(await look(a, { deadlineMs: 20 })).toMatchObject({ status: 'error', error: 'timeout', outcome: null });
    resolve();
    await expect.poll(() => rows.companies.has(a)).toBe(true);
    expect((await look(a)).status).toBe('cached');
  });

  test('a failure is not kept: the next one asks again', async () => {
    const { crm, look } = setUp();
    const good = crm.answer;
    crm.answer = () => ({ kind: 'failed', code: 'unreachable' });
    await look(a);
    crm.answer = good;
    expect((await look(a)).status).toBe('matched');
  });

  test('a cache that cannot be written costs nobody an answer', async () => {
    const { cache, look } = setUp();
    cache.putCompanies = () => Promise.reject(new Error('SQLITE_FULL'));
    expect((await look(a)).status).toBe('matched');
  });
});

describe('a company older than its lifetime', () => {
  /** A CRM that has answered once and hangs since. */
  async function hanging() {
    const world = setUp();
    await world.look(a);
    world.clock.advance(61 * minute);
    const { promise, resolve } = Promise.withResolvers<void>();
    world.crm.hold = promise;
    const atPanel = (orgId: OrgId, how: Partial<LookupInput> = {}) => world.look(orgId, { acceptsStale: true, ...how });
    return { ...world, atPanel, answer: resolve };
  }

  test('is shown as it was, marked old, where the news take more than a moment, and they are kept', async () => {
    const { rows, look, atPanel, clock, answer } = await hanging();
    // The deadline is far off: an answer within the test's own time was not waited for.
    expect(await atPanel(a, { deadlineMs: 600_000 })).toMatchObject({
      status: 'matched',
      stale: true,
      outcome: 'matched',
      error: null,
    });
    answer();
    await expect.poll(() => rows.companies.get(a)?.checkedAt).toBe(clock());
    expect(await look(a)).toMatchObject({ status: 'cached', stale: false });
  });

  test('but only at a panel: whoever writes or decides by it waits for the news', async () => {
    const { clock, look, answer } = await hanging();
    const looked = look(a, { deadlineMs: 600_000 });
    // The answer comes well after a panel would have been served.
    setTimeout(answer, 1_500);
    expect(await looked).toMatchObject({ status: 'matched', stale: false, checkedAt: clock() });
  });

  test.each<[string, number, Partial<LookupInput>]>([
    ['who waits until it fails at no panel', 0, { acceptsStale: false }],
    ['who asked for news, at a panel too', 0, { refresh: true }],
    ['nobody after a day', 24 * 60 * minute, {}],
  ])('is told as a failure to %s', async (_, later, how) => {
    const { atPanel, clock } = await hanging();
    clock.advance(later);
    expect(await atPanel(a, { deadlineMs: 50, ...how })).toMatchObject({
      status: 'error',
      error: 'timeout',
      stale: true,
    });
  });

  test('"there is no such company" is never said on old evidence', async () => {
    const { crm, clock, look } = setUp();
    await look(b);
    clock.advance(10 * minute);
    crm.hold = new Promise(() => {});
    expect(await look(b, { deadlineMs: 50 })).toMatchObject({ status: 'error', error: 'timeout' });
  });
});

test('the answers of one look-up are not those of another', async () => {
  const { crm, look } = setUp();
  await look(a);
  expect((await look(a, { by: 'platform_orgid_then_company_id' })).status).toBe('matched');
  expect((await look(a, { by: 'platform_orgid_then_company_id' })).status).toBe('cached');
  expect(crm.requests).toHaveLength(2);
});

const person = (id: string, emails: string[], phones: string[]) => ({
  id,
  name: id,
  post: null,
  emails,
  phones,
  url: null,
});
const owner = person('1', ['owner@x.example'], ['0900000001', '+84 911 000 001']);
const clerk = person('2', ['a@x.example', 'clerk@x.example'], ['0900000002']);

test.each([
  ['by e-mail, in any case', ['CLERK@x.example '], '2', 'email', 'clerk@x.example', '0900000002'],
  ['by a later address', ['nobody@x.example', 'owner@x.example'], '1', 'email', 'owner@x.example', '0900000001'],
  ['else the first', [], '1', 'first', 'owner@x.example', '0900000001'],
])('the contact is chosen %s', (_, emails, id, chosen_by, email, phone) => {
  expect(chooseContact([owner, clerk], emails)).toMatchObject({ id, chosen_by, email, phone });
});

test('an empty address matches nobody; without contacts there is none', () => {
  const silent = person('3', [''], ['']);
  expect(chooseContact([silent], [''])).toMatchObject({ chosen_by: 'first' });
  expect(chooseContact([], ['a@x.example'])).toBeNull();
});

const raise = (error: Error): never => {
  throw error;
};
const coded = company('1', {}, { customer_segment: '15092', customer_segment_code: '15092' });

function withSegments(read: () => Map<string, string> = () => new Map([['15092', 'Medium']])) {
  const clock = fakeClock();
  let readings = 0;
  const portal = Object.assign(fakeCrm(), {
    readSegmentNames: async () => {
      readings += 1;
      return read();
    },
  });
  const crm = fakeLayers({ crm: portal, clock });
  const nameOf = (one = coded) => crm.nameSegments([one])[0]?.fields.customer_segment;
  return { clock, crm, nameOf, readings: () => readings };
}

test('a segment that the configuration names, and a company without one, ask for nothing', async () => {
  const { nameOf, readings } = withSegments();
  expect(nameOf(company('1', {}, { customer_segment: 'Vừa', customer_segment_code: '15092' }))).toBe('Vừa');
  expect(nameOf(company('1'))).toBeNull();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(readings()).toBe(0);
});

test('an unknown code is given as it is, and by its name once that has been read; names are kept for hours, and read again when the CRM says that its fields changed', async () => {
  const { clock, crm, nameOf, readings } = withSegments();
  expect(nameOf()).toBe('15092');
  await expect.poll(() => nameOf()).toBe('Medium');
  clock.advance(6 * 60 * minute - 1);
  expect(nameOf()).toBe('Medium');
  expect(readings()).toBe(1);
  await crm.noteEvent({ kind: 'fields_changed', companyId: null });
  expect(nameOf()).toBe('Medium');
  await expect.poll(readings).toBe(2);
});

test.each<[string, () => Map<string, string>]>([
  ['a reading that fails', () => raise(new CrmFailure('insufficient_scope'))],
  ['a code that is not among the names', () => new Map()],
])('%s is not tried again for ten minutes', async (_, read) => {
  const { clock, nameOf, readings } = withSegments(read);
  nameOf();
  await expect.poll(readings).toBe(1);
  for (let i = 0; i < 20; i += 1) expect(nameOf()).toBe('15092');
  clock.advance(600_000);
  nameOf();
  await expect.poll(readings).toBe(2);
});
