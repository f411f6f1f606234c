import type { OrgId } from '@deskside/shared/orgid';
import type { CrmErrorCode } from '@deskside/shared/status';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { silent } from '#runtime/testing/quiet.ts';
import { company } from '#store/testing/sample-company.ts';
import { Breaker, type Lane } from './limits.ts';
import { crmOn, orgIds, type TestPortal, testPortal } from './testing/portal.ts';

const noon = Date.UTC(2026, 10, 20, 12);
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: noon });
});
afterEach(() => {
  vi.useRealTimers();
});

const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const ids = orgIds(100_000);

function setUp(failure: TestPortal['failure'] = () => null, requestTimeoutMs = 15_000) {
  const portal = Object.assign(testPortal(company), { failure, latencyMs: 10 });
  const { crm, lines } = crmOn(portal, { requestTimeoutMs });
  let next = 0;
  /** Looks up a company that nobody has asked for; gives what it came to, or `waiting` after the time. */
  async function look({
    ms = 4_500,
    lane = 'click' as Lane,
    forMs = 6_000,
  } = {}): Promise<CrmErrorCode | 'found' | 'waiting'> {
    const orgId = ids[next] as OrgId;
    next += 1;
    let came: CrmErrorCode | 'found' | 'waiting' = 'waiting';
    const asked = crm.findCompany(orgId, { lane, deadline: Date.now() + ms });
    void asked.then((answer) => {
      came = answer.kind === 'failed' ? answer.code : 'found';
    });
    await advance(forMs);
    return came;
  }
  const faults = () => lines.flatMap(({ fault }) => fault ?? []);
  return { portal, crm, lines, faults, look };
}

const failing = (code: CrmErrorCode) => () => ({ kind: 'failed', code }) as const;

describe('what is tried again', () => {
  test.each<[CrmErrorCode, number]>([
    ['rate_limited', 3],
    ['unreachable', 2],
    ['server_error', 2],
    ['timeout', 1],
    ['bad_answer', 1],
    ['operation_limit', 1],
    ['overloaded', 1],
    ['unauthorized', 1],
    ['insufficient_scope', 1],
    ['redirected', 1],
  ])('%s: %i requests in all, and the failure is told as it is', async (code, requests) => {
    const { portal, look } = setUp(failing(code));
    expect(await look()).toBe(code);
    expect(portal.requests).toHaveLength(requests);
  });

  test('a failure that passes is not noticed', async () => {
    const { portal, look } = setUp(() =>
      portal.requests.length === 1 ? { kind: 'failed', code: 'rate_limited' } : null,
    );
    expect(await look()).toBe('found');
    expect(portal.requests).toHaveLength(2);
  });

  test('"too many requests" slows everybody down: the bucket counts as full', async () => {
    const { portal, look } = setUp(() =>
      portal.requests.length === 1 ? { kind: 'failed', code: 'rate_limited' } : null,
    );
    const at = Date.now();
    void look({ forMs: 0 });
    await advance(20);
    void look({ forMs: 0 });
    await advance(3_000);
    expect(portal.requests[1]?.at).toBeGreaterThanOrEqual(at + 556);
  });

  test('nothing is tried again after the deadline', async () => {
    const { portal, look } = setUp(failing('rate_limited'));
    expect(await look({ ms: 5, forMs: 10_000 })).toBe('rate_limited');
    expect(portal.requests).toHaveLength(1);
  });
});

describe('when the CRM is left alone', () => {
  test('a trial that fails otherwise closes it at once, however many failures that takes elsewhere', async () => {
    const { portal, look } = setUp(failing('unauthorized'));
    await look();
    await advance(10_000);
    portal.failure = failing('timeout');
    expect(await look({ forMs: 100 })).toBe('timeout');
    const { length } = portal.requests;
    expect(await look({ forMs: 100 })).toBe('timeout');
    expect(portal.requests).toHaveLength(length);
  });

  test.each<CrmErrorCode>(['timeout', 'unreachable', 'server_error'])(
    '%s: after five failures nothing is sent for ten seconds, then one probe',
    async (code) => {
      const { portal, look, faults } = setUp(failing(code));
      for (let i = 0; i < 5; i += 1) await look({ forMs: 1_000 });
      const sent = portal.requests.length;
      expect(sent).toBeLessThanOrEqual(5);
      expect(await look({ forMs: 0 })).toBe(code);
      expect(portal.requests).toHaveLength(sent);
      expect(faults()).toEqual([`crm_${code}`]);
      await advance(10_000);
      await Promise.all([look({ forMs: 0 }), look({ forMs: 0 }), look({ forMs: 0 })]);
      await advance(1_000);
      // Those three went together; the next finds the breaker open again.
      expect(portal.requests).toHaveLength(sent + 1);
      expect(await look({ forMs: 0 })).toBe(code);
      expect(portal.requests).toHaveLength(sent + 1);
    },
  );

  test.each([
    ['fails', 'unauthorized'],
    ['succeeds', null],
  ] as const)(
    'a request under way at that moment that %s neither ends the pause nor makes it longer',
    async (_, code) => {
      let now = noon;
      const breaker = new Breaker({ kind: 'companies', operating: () => null, clock: () => now, logger: silent });
      const late = Promise.withResolvers<{ code: CrmErrorCode | null; isBlocked: boolean }>();
      const underWay = breaker.send(() => late.promise);
      await breaker.send(async () => ({ code: 'unauthorized', isBlocked: false }));
      now += 9_999;
      late.resolve({ code, isBlocked: false });
      await underWay;
      expect(breaker.refusal('click')).toBe('unauthorized');
      now += 1;
      expect(breaker.refusal('click')).toBeNull();
    },
  );

  test('answers that cannot be used never count, however many and in whatever order', async () => {
    const { portal, look, faults } = setUp(() => {
      const n = portal.requests.length;
      if (n % 5 === 0) return null;
      return { kind: 'failed', code: n % 7 === 0 ? 'timeout' : 'bad_answer' };
    });
    for (let i = 0; i < 60; i += 1) await look({ forMs: 1_000 });
    expect(portal.requests).toHaveLength(60);
    expect(faults()).toEqual([]);
  });

  test('a filter that was lost is named in the log, and nobody else fails for it', async () => {
    const lost = () => ({ kind: 'failed', code: 'bad_answer', lostFilter: 'UF_CRM_COMPANY_ID' }) as const;
    const { look, lines, faults } = setUp(lost);
    for (let i = 0; i < 20; i += 1) expect(await look({ forMs: 1_000 })).toBe('bad_answer');
    expect(lines.filter((line) => 'lost_filter' in line)).toHaveLength(20);
    expect(faults()).toEqual([]);
  });

  test("the pause is over by the service's clock, whatever the machine's says", async () => {
    vi.useRealTimers();
    let now = noon;
    const clock = () => now;
    let down = true;
    const failure = () => (down ? ({ kind: 'failed', code: 'timeout' } as const) : null);
    const portal = Object.assign(testPortal(company), { failure, latencyMs: 0 });
    const { crm } = crmOn(portal, { clock });
    const look = async (i: number) => {
      const urgency = { lane: 'click', deadline: clock() + 4_500 } as const;
      const answer = await crm.findCompany(ids[i] as OrgId, urgency);
      return answer.kind;
    };
    for (let i = 0; i < 6; i += 1) expect(await look(i)).toBe('failed');
    expect(portal.requests).toHaveLength(5);
    down = false;
    now += 9_999;
    expect(await look(6)).toBe('failed');
    now += 1;
    expect(await look(7)).toBe('answered');
  });

  test.each<[CrmErrorCode, number]>([
    ['unauthorized', 30],
    ['insufficient_scope', 30],
    ['redirected', 30],
    ['overloaded', 300],
  ])('%s: the first one is enough for %i seconds, and the operator hears of it once', async (code, seconds) => {
    const { portal, look, faults } = setUp(failing(code));
    for (let i = 0; i < 20; i += 1) expect(await look({ forMs: 100 })).toBe(code);
    expect(portal.requests).toHaveLength(1);
    expect(faults()).toEqual([`crm_${code}`]);
    await advance(seconds * 1_000);
    await look();
    expect(portal.requests).toHaveLength(2);
  });

  test('a webhook that may not read users keeps its companies', async () => {
    const { crm, look } = setUp(({ kind }) => (kind === 'users' ? { kind: 'failed', code: 'unauthorized' } : null));
    const user = crm.findUser('1', { lane: 'click', deadline: Date.now() + 4_500 });
    await advance(100);
    expect(await user).toEqual({ kind: 'failed', code: 'unauthorized' });
    expect(await look()).toBe('found');
  });

  test('a CRM that hangs is given up after its time, and while a probe hangs nobody else waits for it', async () => {
    vi.useRealTimers();
    const { portal, crm } = setUp(() => 'hang', 30);
    const look = async (i: number) => {
      const answer = await crm.findCompany(ids[i] as OrgId, {
        lane: 'click',
        // Whoever waited for it would wait longer than a test may take.
        deadline: Date.now() + 3_600_000,
      });
      return answer;
    };
    for (let i = 0; i < 20; i += 1) expect(await look(i)).toMatchObject({ kind: 'failed', code: 'timeout' });
    expect(portal.requests).toHaveLength(5);
  });
});

describe('execution time', () => {
  const used = (seconds: number, forMs: number) => ({ seconds, resetAt: Date.now() + forMs });

  test('a blocked method is left alone until the time that the last good answer named', async () => {
    const { portal, look, faults } = setUp(() =>
      portal.requests.length > 1 && Date.now() < noon + 120_000 ? { kind: 'failed', code: 'operation_limit' } : null,
    );
    portal.operating = used(479, 120_000);
    expect(await look({ forMs: 1_000 })).toBe('found');
    for (let i = 0; i < 10; i += 1) expect(await look({ forMs: 100 })).toBe('operation_limit');
    expect(portal.requests).toHaveLength(2);
    expect(faults()).toEqual(['crm_operation_limit']);
    await advance(noon + 120_000 - Date.now());
    expect(await look()).toBe('found');
  });

  test('for a minute where no answer has named one', async () => {
    const { portal, look } = setUp(failing('operation_limit'));
    await look({ forMs: 100 });
    await advance(59_000);
    expect(await look({ forMs: 100 })).toBe('operation_limit');
    expect(portal.requests).toHaveLength(1);
    await advance(1_000);
    await look();
    expect(portal.requests).toHaveLength(2);
  });

  test('half of it is worth a warning, once; from four fifths on only bulk work is refused', async () => {
    const { portal, look, lines } = setUp();
    portal.operating = used(240, 600_000);
    expect(await look({ forMs: 100 })).toBe('found');
    expect(await look({ forMs: 100, lane: 'bulk' })).toBe('found');
    expect(lines.filter(({ level }) => level === 'warn')).toMatchObject([{ kind: 'companies', seconds: 240 }]);
    portal.operating = used(384, 600_000);
    expect(await look({ forMs: 100, lane: 'bulk' })).toBe('operation_limit');
    expect(await look({ forMs: 100, lane: 'open' })).toBe('found');
    expect(await look({ forMs: 100 })).toBe('found');
    await advance(600_000);
    expect(await look({ forMs: 100, lane: 'bulk' })).toBe('found');
  });
});
