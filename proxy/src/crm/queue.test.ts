import type { OrgId } from '@deskside/shared/orgid';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { silent, uncounted } from '#runtime/testing/quiet.ts';
import type { Store } from '#store/database.ts';
import { setEmptyAt } from '#store/notes.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { company } from '#store/testing/sample-company.ts';
import { type Budget, type Lane, openBudget, ourLimits } from './limits.ts';
import type { Urgency } from './queue.ts';
import { CrmFailure } from './rest.ts';
import { budgetOf, crmOn, orgIds, testPortal } from './testing/portal.ts';
import { resultOf, type TestAnswer } from './testing/test-answer.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.UTC(2026, 10, 20, 12) });
});
afterEach(() => {
  vi.useRealTimers();
});

const within = (ms: number, lane: Lane = 'click'): Urgency => ({ lane, deadline: Date.now() + ms });
const look = (orgId: string) => [orgId as OrgId, within(120_000, 'bulk')] as const;
const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** How a promise stands by now. */
async function settledBy<T>(promise: Promise<T>, ms: number): Promise<T | 'waiting'> {
  let value: T | 'waiting' = 'waiting';
  void promise.then((given) => {
    value = given;
  });
  await advance(ms);
  return value;
}

const found = { kind: 'answered' };
const refused = { kind: 'failed', code: 'rate_limited' };

function idle() {
  const portal = testPortal(company);
  return { portal, ...crmOn(portal) };
}

/** One whose bucket is full: what is asked waits for the next interval. */
async function full() {
  const portal = testPortal(company);
  const budget = budgetOf(portal);
  await budget.fill();
  return { portal, ...crmOn(portal, { budget }) };
}

describe('packing', () => {
  test('what is asked in one moment goes out in one request, at most twelve org ids each', async () => {
    const { portal, crm } = idle();
    const asked = Promise.all(orgIds(40).map((orgId) => crm.findCompany(orgId, within(4_500))));
    await advance(5_000);
    expect((await asked).every(({ kind }) => kind === 'answered')).toBe(true);
    expect(portal.requests.map(({ keys }) => keys.length)).toEqual([12, 12, 12, 4]);
  });

  test('with a full bucket, look-ups that wait are sent together once there is room', async () => {
    const { portal, crm } = await full();
    const asked = orgIds(10).map(async (orgId, i) => {
      await new Promise((resolve) => setTimeout(resolve, i * 50));
      return crm.findCompany(orgId, within(4_500));
    });
    await advance(2_000);
    await Promise.all(asked);
    expect(portal.requests.map(({ keys }) => keys.length)).toEqual([10]);
  });

  test('other kinds of question have requests of their own', async () => {
    const { portal, crm } = idle();
    const [orgId] = orgIds(1) as [OrgId];
    void crm.findCompany(orgId, within(4_500));
    void crm.findUser('1', within(4_500));
    void crm.findUser('2', within(4_500));
    await advance(1_000);
    expect(portal.requests.map(({ kind, keys }) => [kind, keys.length])).toEqual([
      ['companies', 1],
      ['users', 2],
    ]);
  });
});

describe('searches', () => {
  const named = (value: string) => [{ kind: 'name', value }] as const;

  test('those that wait are sent together, five each; the same one from many is asked once', async () => {
    const { portal, crm } = idle();
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const asked = [...names, ...names].map((name) => crm.search(named(name)));
    await advance(2_000);
    await Promise.all(asked);
    expect(portal.requests.map(({ kind, keys }) => [kind, keys])).toEqual([
      ['searches', ['a', 'b', 'c', 'd', 'e']],
      ['searches', ['f']],
    ]);
  });

  test('they leave the last fifth of the CRM’s execution time to look-ups', async () => {
    const { portal, crm } = idle();
    const search = (name: string) => settledBy(crm.search(named(name)), 1_000);
    expect(await search('a')).toMatchObject({ failed: null });
    portal.operating = { seconds: 384, resetAt: Date.now() + 600_000 };
    expect(await search('b')).toMatchObject({ failed: 'operation_limit' });
    const [orgId] = orgIds(1) as [OrgId];
    expect(await settledBy(crm.findCompany(orgId, within(4_500)), 1_000)).toMatchObject(found);
  });
});

describe('what is counted', () => {
  /** A crm, and what it counted. */
  function counting(portal: ReturnType<typeof testPortal>) {
    const counted: string[] = [];
    const { crm } = crmOn(portal, {
      metrics: {
        ...uncounted,
        companiesRead: (layer, result, count) => void counted.push(`${layer} ${result} ${count}`),
        crmAnswered({ kind, outcome, seconds }) {
          expect(seconds).toBeGreaterThanOrEqual(0);
          counted.push(`${kind}: ${outcome}`);
        },
      },
    });
    return { crm, counted };
  }

  test.each<[string, TestAnswer, string]>([
    ['found or not', { kind: 'empty' }, 'crm miss 1'],
    ['found, or failed: the request has not', { kind: 'failed', code: 'operation_limit' }, 'crm failed 1'],
  ])('a request counts once, and each org id by what was said of it: %s', async (_, answer, count) => {
    const portal = testPortal(company);
    const asked = orgIds(2);
    portal.findCompanies = async () => ({
      companies: new Map(
        asked.map((id, n) => [id, resultOf(n ? answer : { kind: 'found', companies: [company(id)] })]),
      ),
      users: new Map(),
    });
    const { crm, counted } = counting(portal);
    for (const orgId of asked) void crm.findCompany(orgId, within(4_500));
    await advance(1_000);
    expect(counted).toEqual(['crm hit 1', count, 'companies: ok']);
  });

  test('a request that fails as a whole says why, of whatever kind it is', async () => {
    const portal = testPortal(company);
    portal.failure = ({ kind }) => ({ kind: 'failed', code: kind === 'users' ? 'unauthorized' : 'timeout' });
    const { crm, counted } = counting(portal);
    void crm.findUser('338', within(4_500));
    void crm.search([{ kind: 'text', value: 'a' } as never]);
    await advance(2_000);
    expect(counted.toSorted()).toEqual(['searches: timeout', 'users: unauthorized']);
  });
});

describe('a portal that says when to come back', () => {
  /** A portal that refuses the first request of all for so long. */
  function busyFor(ms: number) {
    const portal = testPortal(company);
    const { findCompanies } = portal;
    portal.findCompanies = async (...asked) => {
      const found = await findCompanies(...asked);
      if (portal.requests.length === 1) throw new CrmFailure('rate_limited', { retryAfterMs: ms });
      return found;
    };
    return { portal, ...crmOn(portal) };
  }
  const [first, second] = orgIds(2) as [OrgId, OrgId];

  test('is not asked before, by nobody', async () => {
    const { portal, crm } = busyFor(7_000);
    const at = Date.now();
    const patient = crm.findCompany(first, within(60_000));
    await advance(1_000);
    const other = crm.findCompany(second, within(60_000, 'open'));
    await advance(20_000);
    expect([(await patient).kind, (await other).kind]).toEqual(['answered', 'answered']);
    expect((portal.requests[1]?.at ?? 0) - at).toBeGreaterThanOrEqual(7_000);
  });

  test('and who would wait longer than that is told at once', async () => {
    const { portal, crm } = busyFor(7_000);
    const impatient = crm.findCompany(first, within(4_500));
    expect(await settledBy(impatient, 500)).toMatchObject(refused);
    expect(await settledBy(crm.findCompany(second, within(4_500)), 10)).toMatchObject(refused);
    expect(portal.requests).toHaveLength(1);
    await advance(7_000);
    expect(await settledBy(crm.findCompany(second, within(4_500)), 2_000)).toMatchObject(found);
  });
});

describe('lanes and deadlines', () => {
  test('when requests are short, clicks go before opens and those before bulk work, whoever came first', async () => {
    const { portal, crm } = await full();
    const first = { bulk: 3_000_000_000, open: 2_000_000_000, click: 1_000_000_000 };
    for (const lane of ['bulk', 'open', 'click'] as const)
      for (const orgId of orgIds(12, first[lane])) void crm.findCompany(orgId, within(60_000, lane));
    await advance(30_000);
    expect(portal.requests.map(({ keys }) => Number(keys[0]))).toEqual([first.click, first.open, first.bulk]);
  });

  test('bulk work never uses up what a click needs', async () => {
    const { portal, crm } = idle();
    for (const orgId of orgIds(1_000)) void crm.findCompany(orgId, within(600_000, 'bulk'));
    await advance(20_000);
    const [click] = orgIds(1, 5_000_000_000) as [OrgId];
    const reply = await settledBy(crm.findCompany(click, within(4_500)), portal.latencyMs + 1);
    expect(reply).toMatchObject(found);
    expect(portal.limitErrors).toBe(0);
  });

  test('of many that wait, exactly those fail at once that could not go out in time', async () => {
    const { portal, crm } = await full();
    // In 4,500 ms eight requests of twelve go out.
    const asked = orgIds(200).map((orgId) => crm.findCompany(orgId, within(4_500)));
    const early: unknown[] = [];
    for (const reply of asked) void reply.then((given) => early.push(given));
    await advance(0);
    expect(early).toHaveLength(200 - 8 * 12);
    await advance(6_000);
    const found = (await Promise.all(asked)).filter(({ kind }) => kind === 'answered');
    expect(found).toHaveLength(8 * 12);
    expect(portal.limitErrors).toBe(0);
  });

  test('a request of one lane takes along what the others wait for', async () => {
    const { portal, crm } = await full();
    for (const lane of ['bulk', 'open', 'click'] as const)
      void crm.findUser(lane, { lane, deadline: Date.now() + 60_000 });
    await advance(30_000);
    expect(portal.requests.map(({ keys }) => keys)).toEqual([['click', 'open', 'bulk']]);
  });

  test('what bulk work waits for and somebody clicks for goes with the clicks, once, and answers both', async () => {
    const { portal, crm } = await full();
    const [orgId] = orgIds(1) as [OrgId];
    const bulk = crm.findCompany(orgId, within(600_000, 'bulk'));
    await advance(100);
    expect(portal.requests).toEqual([]);
    const click = crm.findCompany(orgId, within(4_500));
    expect(await settledBy(click, 1_500)).toMatchObject(found);
    expect(await settledBy(bulk, 0)).toMatchObject(found);
    await advance(600_000);
    expect(portal.requests).toHaveLength(1);
  });

  test('who is refused is judged by its own lane, even for a company that another lane gives up on', async () => {
    const { crm } = await full();
    const [orgId] = orgIds(1) as [OrgId];
    const open = crm.findCompany(orgId, within(15_000, 'open'));
    const click = crm.findCompany(orgId, within(100));
    expect(await settledBy(click, 0)).toMatchObject(refused);
    expect(await settledBy(open, 15_000)).toMatchObject(found);
  });

  test('who asks for the same in one lane waits as long as the most patient of them', async () => {
    const { portal, crm } = await full();
    const [orgId] = orgIds(1) as [OrgId];
    const asked = [100, 4_500].map((ms) => crm.findCompany(orgId, within(ms)));
    expect(await settledBy(Promise.all(asked), 2_000)).toMatchObject([found, found]);
    expect(portal.requests).toHaveLength(1);
  });

  test('who asks for what is under way, in whatever lane, gets its reply', async () => {
    const { portal, crm } = idle();
    const [orgId] = orgIds(1) as [OrgId];
    const first = crm.findCompany(orgId, within(4_500));
    await advance(1);
    expect(portal.requests).toHaveLength(1);
    const joined = [within(4_500), within(3_600_000, 'bulk')].map((how) => crm.findCompany(orgId, how));
    expect(await settledBy(Promise.all([first, ...joined]), portal.latencyMs)).toMatchObject([found, found, found]);
    expect(portal.requests).toHaveLength(1);
  });

  test('a caller who asks for thousands fills a queue of limited length; the others are not held up by it', async () => {
    const { crm } = idle();
    const early: unknown[] = [];
    for (const orgId of orgIds(2_500))
      void crm.findCompany(orgId, within(3_600_000, 'open')).then((reply) => early.push(reply));
    await advance(0);
    expect(early).toEqual(Array(500).fill(refused));
    const [other] = orgIds(1, 5_000_000_000) as [OrgId];
    const click = crm.findCompany(other, within(4_500));
    expect(await settledBy(click, 2_000)).toMatchObject(found);
  });
});

test('a loop of refreshes leaves tickets that came in, and bulk work, their share', async () => {
  const { portal, crm } = idle();
  let ended = false;
  let refreshed = 0;
  /** Asks again as soon as it is answered, as an impatient script does. */
  async function refresh(orgId: OrgId) {
    while (!ended) {
      const answer = await crm.findCompany(orgId, within(4_500));
      if (answer.kind === 'answered') refreshed += 1;
      // A refusal comes at once: a script takes a breath before it tries again.
      else await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  // More than a request's worth, so that there is always one waiting.
  const loops = orgIds(40, 7_000_000_000).map(refresh);
  await advance(30_000);
  const answered = { open: 0, bulk: 0 };
  const look = async (orgId: OrgId, lane: 'open' | 'bulk', ms: number) => {
    const answer = await crm.findCompany(orgId, within(ms, lane));
    if (answer.kind === 'answered') answered[lane] += 1;
  };
  const asked = orgIds(30).map(async (orgId, i) => {
    await new Promise((resolve) => setTimeout(resolve, i * 2_000));
    await look(orgId, i % 2 ? 'open' : 'bulk', 15_000);
  });
  await advance(80_000);
  await Promise.all(asked);
  ended = true;
  await advance(10_000);
  await Promise.all(loops);
  expect(answered).toEqual({ open: 15, bulk: 15 });
  expect(refreshed).toBeGreaterThan(500);
  expect(portal.limitErrors).toBe(0);
});

describe('once the store is closed', () => {
  /** One that tells how often its budget was asked, and what closes it. */
  function closing() {
    const portal = testPortal(company);
    const own = budgetOf(portal);
    const asked = { times: 0 };
    const take: Budget['take'] = (free) => {
      asked.times += 1;
      return own.take(free);
    };
    const close = new AbortController();
    const budget = { ...own, take };
    return { portal, budget, asked, close, ...crmOn(portal, { budget, closed: close.signal }) };
  }

  test('who waits for room is refused at once, and who asks from then on', async () => {
    const { crm, budget, portal, asked, close } = closing();
    await budget.fill();
    const waiting = crm.findCompany(...look('1'));
    await advance(1);
    const { times } = asked;
    close.abort();
    expect(await settledBy(waiting, 0)).toEqual({ kind: 'failed', code: 'unreachable' });
    expect(await settledBy(crm.findCompany(...look('2')), 0)).toEqual({ kind: 'failed', code: 'unreachable' });
    await advance(60_000);
    expect([asked.times, portal.requests]).toEqual([times, []]);
  });

  test('a request whose connection is cut by that is not repeated', async () => {
    const { crm, portal, asked, close } = closing();
    portal.failure = () => ({ kind: 'failed', code: 'unreachable' });
    const cut = crm.findCompany(...look('1'));
    await advance(1);
    close.abort();
    expect(await settledBy(cut, portal.latencyMs)).toMatchObject({ kind: 'failed', code: 'unreachable' });
    await advance(60_000);
    expect([asked.times, portal.requests.length]).toEqual([1, 1]);
  });

  test.each([
    ['a request', 0],
    ['a repetition', 1],
  ])('%s that gets room at that very moment is not sent', async (_, sent) => {
    const { crm, portal, budget, close } = closing();
    portal.failure = () => ({ kind: 'failed', code: 'unreachable' });
    const { take } = budget;
    budget.take = async (free) => {
      const room = await take(free);
      if (portal.requests.length === sent) close.abort();
      return room;
    };
    const asked = crm.findCompany(...look('1'));
    await advance(60_000);
    expect(await settledBy(asked, 0)).toMatchObject({ kind: 'failed', code: 'unreachable' });
    expect(portal.requests).toHaveLength(sent);
  });

  test('a repetition that waits for its moment is left out', async () => {
    const { crm, portal, asked, close } = closing();
    portal.failure = () => ({ kind: 'failed', code: 'unreachable' });
    const broken = crm.findCompany(...look('1'));
    await advance(portal.latencyMs + 1);
    close.abort();
    expect(await settledBy(broken, 0)).toMatchObject({ kind: 'failed', code: 'unreachable' });
    await advance(60_000);
    expect([asked.times, portal.requests.length]).toEqual([1, 1]);
  });
});

describe('the budget', () => {
  const { capacity, intervalMs } = ourLimits.standard;
  const clock = () => Date.now();
  const alone = () => openBudget({ db: null, limits: ourLimits.standard, portal: 'p', clock, logger: silent });
  /** How many requests may go out at once. */
  async function takeAll({ take }: Budget, free = 0): Promise<number> {
    for (let taken = 0; ; taken += 1) if ((await take(free)).inMs > 0) return taken;
  }

  test('holds so many requests, and then one more for each interval', async () => {
    const budget = alone();
    expect(await budget.left()).toEqual({ click: capacity, open: capacity, bulk: capacity / 2 });
    expect(await takeAll(budget)).toBe(capacity);
    expect(await budget.take()).toEqual({ inMs: intervalMs, everyMs: intervalMs });
    await advance(intervalMs - 1);
    expect((await budget.take()).inMs).toBe(1);
    await advance(1);
    expect(await budget.left()).toEqual({ click: 1, open: 1, bulk: 0 });
    expect(await takeAll(budget)).toBe(1);
  });

  test('bulk work that is alone leaves half of it free', async () => {
    const budget = alone();
    expect(await takeAll(budget, 0.5)).toBe(capacity / 2);
    expect(await budget.left()).toEqual({ click: capacity / 2, open: capacity / 2, bulk: 0 });
    expect(await takeAll(budget)).toBe(capacity / 2);
  });

  test('a level from before the clock was put back counts as full, and drains from there', async () => {
    const { db } = memoryStore();
    const budget = openBudget({ db, limits: ourLimits.standard, portal: 'p', clock, logger: silent });
    await setEmptyAt(db, 'p', Date.now() + 86_400_000);
    expect((await budget.take()).inMs).toBe(intervalMs);
    await advance(intervalMs);
    expect((await budget.take()).inMs).toBe(0);
  });

  test('while the shared level cannot be reached, a quarter of it stands in, and the operator hears of it once', async () => {
    const broken = new Proxy({} as Store['db'], {
      get() {
        throw new Error('SQLITE_IOERR');
      },
    });
    const faults: object[] = [];
    const logger = { ...silent, error: (fields: object) => void faults.push(fields) };
    const budget = openBudget({ db: broken, limits: ourLimits.standard, portal: 'p', clock, logger });
    expect(await takeAll(budget)).toBe(capacity / 4);
    expect(await budget.take()).toEqual({ inMs: 4 * intervalMs, everyMs: 4 * intervalMs });
    expect(faults).toEqual([{ fault: 'crm_budget_store', error: 'Error' }]);
  });
});
