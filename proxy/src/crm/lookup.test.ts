import type { OrgId } from '@deskside/shared/orgid';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBackground } from '#runtime/jobs.ts';
import { fakeClock, silent } from '#runtime/testing/quiet.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { owner as accountOwner, company } from '#store/testing/sample-company.ts';
import { patienceMs } from './cache.ts';
import { type CompanyEvent, readEvent } from './crm.ts';
import { chooseContact, findOwner, type LookupInput, lookupCompany } from './lookup.ts';
import { CrmFailure } from './rest.ts';
import { fakeCrm, fakeLayers } from './testing/fakes.ts';
import { bitrixForTest } from './testing/kit.ts';
import { matched, notFound } from './testing/sample-companies.ts';
import { companyIdFirst } from './testing/test-answer.ts';

const a = '1000069001' as OrgId;
const b = '200000376001' as OrgId;
const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** What has come after so many milliseconds. */
async function after<T>(ms: number, asked: Promise<T>): Promise<T> {
  await vi.advanceTimersByTimeAsync(ms);
  return asked;
}

function setUp(companies = { [a]: company(a) }, ttlMinutes = 60) {
  const crm = fakeCrm(companies);
  const { db, database, rows } = memoryStore();
  const clock = fakeClock();
  const layers = fakeLayers({ crm, db, clock, ttlMinutes });
  const look = (orgId: OrgId, how: Partial<LookupInput> = {}) =>
    lookupCompany(layers, { orgId, refresh: false, deadlineMs: 1_000, ...how });
  const ask = {
    company: () => look(a),
    nothing: () => look(b),
    owner: () =>
      findOwner(layers, {
        id: accountOwner.id,
        refresh: false,
        startedAt: Number.POSITIVE_INFINITY,
        deadlineMs: 1_000,
      }),
  };
  /** From now on the CRM answers nobody until this is called. */
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    crm.hold = promise;
    return resolve;
  };
  return { crm, layers, database, rows, clock, look, ask, hold };
}

describe('what it asks', () => {
  test('cold look-ups of one moment are one request, however many, and warm ones none', async () => {
    const { crm, look } = setUp();
    const all = () => Promise.all([look(b), ...Array.from({ length: 50 }, () => look(a))]);
    expect((await all()).slice(0, 2)).toMatchObject([
      { status: 'not_found', outcome: 'not_found', value: b },
      { status: 'matched', value: a },
    ]);
    const warm = await all();
    expect(warm[0]).toMatchObject({ status: 'cached' });
    expect(warm.at(-1)).toMatchObject({ status: 'cached', outcome: 'matched', value: a });
    expect(crm.requests).toEqual([{ orgIds: [b, a], user: null }]);
  });

  test('a refresh asks in spite of a fresh answer', async () => {
    const { crm, look } = setUp();
    await look(a);
    expect(await look(a, { refresh: true })).toMatchObject({ status: 'matched' });
    expect(crm.requests).toHaveLength(2);
  });

  test.each<[ttl: number, what: 'company' | 'nothing' | 'owner', minutes: number]>([
    [60, 'company', 60],
    [60, 'nothing', 5],
    [60, 'owner', 60],
    [2, 'nothing', 2],
    [2, 'owner', 2],
    [600, 'company', 600],
    [600, 'owner', 60],
  ])(
    'with a TTL of %i minutes %s counts for %i, to the millisecond, but not if found later than now',
    async (ttl, what, minutes) => {
      const { crm, clock, ask } = setUp(undefined, ttl);
      const asked = async () => {
        await ask[what]();
        return crm.requests.length;
      };
      expect(await asked()).toBe(1);
      clock.advance(minutes * minute - 1);
      expect(await asked()).toBe(1);
      clock.advance(1);
      expect(await asked()).toBe(2);
      clock.advance(-1);
      expect(await asked()).toBe(3);
    },
  );

  test.each(['company', 'nothing', 'owner'] as const)('with a TTL of 0 %s is asked for every time', async (what) => {
    const { crm, ask } = setUp(undefined, 0);
    for (const _ of [1, 2]) await ask[what]();
    expect(crm.requests).toHaveLength(2);
  });
});

test('with a TTL of 0 no panel is shown an older answer while the CRM is asked', async () => {
  const { look, hold } = setUp(undefined, 0);
  await look(a);
  hold();
  const deadlineMs = patienceMs + 1;
  const asked = look(a, { acceptsStale: true, deadlineMs });
  expect(await after(deadlineMs, asked)).toMatchObject({ status: 'error', error: 'timeout', stale: true });
});

describe('when the CRM fails', () => {
  test('the last good company is given, marked stale, with the time it was checked', async () => {
    const { crm, clock, look } = setUp();
    await look(a);
    const checkedAt = clock();
    clock.advance(61 * minute);
    crm.answer = () => ({ kind: 'failed', code: 'overloaded' });
    const old = { outcome: 'matched', stale: true, checkedAt, value: a };
    expect(await look(a)).toMatchObject({ status: 'error', error: 'overloaded', ...old });
  });

  test('a hanging CRM costs no more than the deadline, and its late answer is kept', async () => {
    const { look, rows, hold } = setUp();
    const answer = hold();
    const late = { status: 'error', error: 'timeout', outcome: null };
    expect(await after(20, look(a, { deadlineMs: 20 }))).toMatchObject(late);
    answer();
    await expect.poll(() => rows.companies.has(a)).toBe(true);
    expect((await look(a)).status).toBe('cached');
  });

  test('a failure is not kept: the next one asks again', async () => {
    const { crm, look } = setUp();
    const good = crm.answer;
    crm.answer = () => ({ kind: 'failed', code: 'timeout' });
    await look(a);
    crm.answer = good;
    expect((await look(a)).status).toBe('matched');
  });

  test('a cache that cannot be written costs nobody an answer', async () => {
    const { database, look } = setUp();
    database.exec("create trigger full before insert on crm_cache begin select raise(abort, 'full'); end");
    expect((await look(a)).status).toBe('matched');
  });
});

describe('a company older than its lifetime', () => {
  /** A CRM that has answered once and hangs since. */
  async function hanging() {
    const world = setUp();
    await world.look(a);
    world.clock.advance(61 * minute);
    const answer = world.hold();
    const atPanel = (how: Partial<LookupInput> = {}) => world.look(a, { acceptsStale: true, ...how });
    return { ...world, atPanel, answer };
  }

  test('is shown as it was, marked old, where the news take more than a moment, and they are kept', async () => {
    const { rows, look, atPanel, clock, answer } = await hanging();
    expect(await after(patienceMs, atPanel({ deadlineMs: 600_000 }))).toMatchObject({
      ...{ status: 'matched', stale: true },
      ...{ outcome: 'matched', error: null },
    });
    answer();
    await expect.poll(() => rows.companies.get(a)?.checkedAt).toBe(clock());
    expect(await look(a)).toMatchObject({ status: 'cached', stale: false });
  });

  test('but only at a panel: whoever writes or decides by it waits for the news', async () => {
    const { clock, look, answer } = await hanging();
    const looked = look(a, { deadlineMs: 600_000 });
    await vi.advanceTimersByTimeAsync(patienceMs);
    answer();
    expect(await looked).toMatchObject({ status: 'matched', stale: false, checkedAt: clock() });
  });

  test.each<[string, number, Partial<LookupInput>]>([
    ['who waits until it fails at no panel', 0, { acceptsStale: false }],
    ['who asked for news, at a panel too', 0, { refresh: true }],
    ['nobody after a day', 24 * 60 * minute, {}],
  ])('is told as a failure to %s', async (_, later, how) => {
    const { atPanel, clock } = await hanging();
    clock.advance(later);
    const failure = { status: 'error', error: 'timeout', stale: true };
    expect(await after(50, atPanel({ deadlineMs: 50, ...how }))).toMatchObject(failure);
  });

  test('"there is no such company" is never said on old evidence', async () => {
    const { clock, look, hold } = setUp();
    await look(b);
    clock.advance(10 * minute);
    hold();
    const failure = { status: 'error', error: 'timeout' };
    expect(await after(50, look(b, { deadlineMs: 50 }))).toMatchObject(failure);
  });
});

describe('one answer for whoever asks', () => {
  const [byCompanyId, byPlatform] = companyIdFirst;
  const named = (id: string, ...matchedFields: string[]) => company(a, { matchedFields }, { bitrix_id: id });
  /** The ids that each order leads to, as of the last answer. */
  async function shown(look: ReturnType<typeof setUp>['look']) {
    const orders = ['company_id', 'platform_org_id'] as const;
    const looked = await Promise.all(orders.map((first) => look(a, { first })));
    return looked.map(({ status, companies }) => [status, ...companies.map(({ fields }) => fields.bitrix_id)]);
  }

  test('is asked for once, and a refresh by one order is what the other sees', async () => {
    const { crm, look } = setUp();
    crm.answer = () => matched(named('1', byCompanyId), named('2', byPlatform));
    await look(a, { first: 'platform_org_id' });
    expect(await shown(look)).toEqual([
      ['cached', '1', '2'],
      ['cached', '2', '1'],
    ]);
    crm.answer = () => matched(named('3', byCompanyId, byPlatform));
    await look(a, { refresh: true });
    expect(await shown(look)).toEqual([
      ['cached', '3'],
      ['cached', '3'],
    ]);
    expect(crm.requests).toHaveLength(2);
  });

  /** From now on the CRM does not answer by these fields. */
  function failBy({ crm }: ReturnType<typeof setUp>, ...fields: string[]) {
    const { findCompanies } = crm;
    crm.findCompanies = async (...asked) => {
      const found = await findCompanies(...asked);
      for (const [orgId, result] of found.companies)
        found.companies.set(orgId, {
          ...result,
          companies: result.companies.filter(({ matchedFields }) => !matchedFields.some((one) => fields.includes(one))),
          failures: Object.fromEntries(fields.map((field) => [field, 'operation_limit'])),
        });
      return found;
    };
  }

  test('of which a field was not answered is a failure for whoever needs that field, with what it last said', async () => {
    const world = setUp();
    const { crm, clock, look } = world;
    crm.answer = () => matched(named('1', byCompanyId), named('2', byPlatform));
    await look(a);
    const before = clock();
    clock.advance(61 * minute);
    failBy(world, byPlatform);
    crm.answer = () => matched(named('3', byCompanyId), named('2', byPlatform));
    expect(await look(a, { first: 'platform_org_id' })).toMatchObject({
      ...{ status: 'error', error: 'operation_limit', stale: true, checkedAt: before },
      companies: [{ fields: { bitrix_id: '2' } }, { fields: { bitrix_id: '3' } }],
    });
    expect(await look(a)).toMatchObject({
      status: 'cached',
      checkedAt: clock(),
      companies: { 0: { fields: { bitrix_id: '3' } } },
    });
  });

  test('counts as old as the older of the fields on which it rests', async () => {
    const world = setUp();
    const { crm, clock, look } = world;
    crm.answer = () => matched(named('2', byPlatform));
    await look(a);
    const before = clock();
    clock.advance(minute);
    failBy(world, byPlatform);
    const known = { outcome: 'matched', checkedAt: before, companies: [{ fields: { bitrix_id: '2' } }] };
    expect(await look(a, { refresh: true })).toMatchObject({ status: 'error', stale: true, ...known });
    expect(await look(a)).toMatchObject({ status: 'cached', ...known });
    clock.advance(59 * minute);
    expect(await look(a)).toMatchObject({ status: 'error', ...known });
  });

  test('is no "no such company" as long as one of the fields was not answered', async () => {
    const world = setUp();
    world.crm.answer = () => notFound;
    failBy(world, byPlatform);
    for (const first of ['company_id', 'platform_org_id'] as const)
      expect(await world.look(a, { first })).toMatchObject({ status: 'error', outcome: null, companies: [] });
  });

  test('that was given for other fields than those configured by now is asked for again', async () => {
    const { crm, look } = setUp();
    await look(a);
    crm.fieldOrder = (first) => (first === 'company_id' ? ['UF_CRM_NEW', byPlatform] : [byPlatform, 'UF_CRM_NEW']);
    await look(a);
    expect(crm.requests).toHaveLength(2);
  });
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
  const background = createBackground(silent);
  let readings = 0;
  const portal = Object.assign(fakeCrm(), {
    readSegmentNames: async () => {
      readings += 1;
      return read();
    },
  });
  const crm = fakeLayers({ crm: portal, clock, background });
  const nameOf = (one = coded) => crm.nameSegments([one])[0]?.fields.customer_segment;
  /** How often names have been read, once nothing goes on any more. */
  const readingsSoFar = async () => {
    await background.idle();
    return readings;
  };
  return { clock, crm, nameOf, readingsSoFar };
}

test('a segment that the configuration names, and a company without one, ask for nothing', async () => {
  const { nameOf, readingsSoFar } = withSegments();
  expect(nameOf(company('1', {}, { customer_segment: 'Vừa', customer_segment_code: '15092' }))).toBe('Vừa');
  expect(nameOf(company('1'))).toBeNull();
  expect(await readingsSoFar()).toBe(0);
});

test('an unknown code is given as it is, and by its name once that has been read; names are kept for hours, and read again when the CRM says that its fields changed', async () => {
  const { clock, crm, nameOf, readingsSoFar } = withSegments();
  expect(nameOf()).toBe('15092');
  expect(await readingsSoFar()).toBe(1);
  clock.advance(6 * 60 * minute - 1);
  expect(nameOf()).toBe('Medium');
  expect(await readingsSoFar()).toBe(1);
  await crm.noteEvent({ kind: 'fields_changed', companyId: null });
  expect(nameOf()).toBe('Medium');
  expect(await readingsSoFar()).toBe(2);
});

test.each<[string, () => Map<string, string>]>([
  ['a reading that fails', () => raise(new CrmFailure('insufficient_scope'))],
  ['a code that is not among the names', () => new Map()],
])('%s is not tried again for ten minutes', async (_, read) => {
  const { clock, nameOf, readingsSoFar } = withSegments(read);
  for (let i = 0; i < 20; i += 1) {
    expect(nameOf()).toBe('15092');
    expect(await readingsSoFar()).toBe(1);
  }
  clock.advance(600_000);
  nameOf();
  expect(await readingsSoFar()).toBe(2);
});

describe('an event of the CRM', () => {
  test.each([
    ['ONCRMCOMPANYUPDATE', '63002', { kind: 'changed', companyId: '63002' }],
    ['oncrmcompanyupdate ', ' 63002 ', { kind: 'changed', companyId: '63002' }],
    ['ONCRMCOMPANYDELETE', '63002', { kind: 'changed', companyId: '63002' }],
    ['ONCRMCOMPANYADD', '70000', { kind: 'added', companyId: '70000' }],
    ['ONCRMCOMPANYUSERFIELDSETENUMVALUES', '7', { kind: 'fields_changed', companyId: '7' }],
    ['ONCRMCOMPANYUSERFIELDUPDATE', '', { kind: 'fields_changed', companyId: null }],
    ['ONCRMCONTACTUPDATE', '7003', null],
    ['ONTASKADD', '1', null],
    ['', '', null],
  ])('%s of %s is read as %j', (event, id, expected) => {
    expect(readEvent(new URLSearchParams({ event, 'data[FIELDS][ID]': id }))).toEqual(expected);
  });

  test.each<[CompanyEvent, OrgId[], OrgId[]]>([
    // Whatever org id the company had, it may have been given the other one.
    [{ kind: 'changed', companyId: '69001' }, [a], [a, b]],
    [{ kind: 'changed', companyId: '404' }, [], [b]],
    [{ kind: 'added', companyId: '70000' }, [], [b]],
    [{ kind: 'added', companyId: null }, [], [b]],
    [{ kind: 'changed', companyId: null }, [], []],
    [{ kind: 'fields_changed', companyId: '7' }, [], []],
  ])(
    '%j: changed are %j, and asked for again %j, where the second is one that was missing',
    async (event, changed, again) => {
      const { crm, layers, look } = setUp();
      const askedFor = async () => {
        crm.requests.length = 0;
        for (const orgId of [a, b]) await look(orgId);
        return crm.asked;
      };
      await askedFor();
      expect(await layers.noteEvent(event)).toEqual(changed);
      expect(await askedFor()).toEqual(again);
    },
  );
});

test('what the CRM did not have yet as it announced a new company is asked for again', async () => {
  const { crm, layers, look, hold, clock } = setUp();
  const answer = hold();
  const asked = look(b);
  await vi.waitFor(() => expect(crm.requests).toHaveLength(1));
  await layers.noteEvent({ kind: 'added', companyId: '70000' });
  answer();
  expect(await asked).toMatchObject({ status: 'not_found' });
  clock.advance(1);
  await look(b);
  expect(crm.requests).toHaveLength(2);
  expect(await look(b)).toMatchObject({ status: 'cached' });
});

/** A company with so many contacts, of whom each has an address; `shown` is the contact for a sender. */
async function withContacts(count: number) {
  const { crm, bitrix } = await bitrixForTest();
  for (let n = 1; n <= count; n += 1) {
    const EMAIL = [{ VALUE: `Person${n}@shop.example` }];
    crm.putContact({ ID: String(90_000 + n), NAME: `Person ${n}`, COMPANY_ID: '63002', EMAIL } as never);
  }
  const layers = fakeLayers({ crm: bitrix, clock: fakeClock() });
  const usual = { orgId: b, refresh: false, deadlineMs: 60_000 };
  const shown = async (sender: string, how: Partial<LookupInput> = {}) => {
    const looked = await lookupCompany(layers, { ...usual, senders: [sender], ...how });
    return chooseContact(looked.companies[0]?.contacts ?? [], [sender])?.name;
  };
  return { crm, shown };
}

test.each(['company_id', 'platform_org_id'] as const)(
  'of a company with more contacts than a page the sender is found, in the same request (%s)',
  async (first) => {
    const { crm, shown } = await withContacts(120);
    expect(await shown('person117@shop.example', { first })).toBe('Person 117');
    expect(crm.journal[0]?.commands?.length).toBeLessThanOrEqual(50);
    // Known now, without another request.
    expect(await shown('PERSON117@shop.example', { first })).toBe('Person 117');
    expect(crm.journal).toHaveLength(1);
  },
);

test('another sender of a company that is known is asked for, once, whether there or not', async () => {
  const { crm, shown } = await withContacts(60);
  await shown('person1@shop.example');
  expect(await shown('person59@shop.example')).toBe('Person 59');
  expect(crm.journal).toHaveLength(2);
  for (let n = 0; n < 3; n += 1)
    expect(await shown('stranger@elsewhere.example')).toBe(await shown('nobody@x.example'));
  expect(crm.journal).toHaveLength(4);
});

test('where all contacts fit on a page nobody is asked for anew', async () => {
  const { crm, shown } = await withContacts(10);
  expect(await shown('person7@shop.example')).toBe('Person 7');
  await shown('stranger@elsewhere.example');
  expect(crm.journal).toHaveLength(1);
});

test('a contact of another company with the same address is not taken for this one’s', async () => {
  const { crm, shown } = await withContacts(60);
  const EMAIL = [{ VALUE: 'lan@x.example' }];
  crm.putContact({ ID: '99999', NAME: 'Elsewhere', COMPANY_ID: '63003', EMAIL } as never);
  expect(await shown('lan@x.example')).not.toBe('Elsewhere');
});
