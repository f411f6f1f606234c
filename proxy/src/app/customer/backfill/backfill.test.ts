import type { OrgId } from '@deskside/shared/orgid';
import { describe, expect, test } from 'vitest';
import { enrichmentWorld } from '#app/testing/enrichment-kit.ts';
import { failed } from '#app/testing/fakes.ts';
import { matched, modifiedAt, notFound, sampleCompany } from '#app/testing/sample-companies.ts';
import { backfillCustomers } from './backfill-customers.ts';
import { backfillNightly } from './backfill-nightly.ts';

const all = { staleAfterMs: null, isDry: false, onProgress: () => {} };
const never = new AbortController().signal;
const hour = 3_600_000;
const orgIdOf = (n: number) => String(1_000_000 + n) as OrgId;
const names = Array.from({ length: 40 }, (_, n) => `C${String(n).padStart(3, '0')}`);

/** A helpdesk with forty customers, and a CRM that knows their companies but for those that a test takes away. */
function world() {
  const { desk, asked, clock, layers, ...given } = enrichmentWorld();
  const w = {
    /** What the CRM does instead of finding the company. */
    crm: (_orgId: OrgId): 'not_found' | 'error' | null => null,
    /** What happens as an org id is looked up. */
    whileAsking: (_orgId: OrgId): void => {},
    /** When the CRM's companies were last changed. */
    modifiedAt,
    paused: [] as number[],
  };
  const known = { companyModifiedAt: modifiedAt, syncStatus: 'matched' } as const;
  for (const [n, name] of names.entries())
    desk.customers.set(name, { platformOrgId: orgIdOf(n), crmCompanyId: orgIdOf(n), ...known });
  given.crm.answer = (orgId) => {
    w.whileAsking(orgId);
    const status = w.crm(orgId);
    if (status === 'error') return failed;
    if (status === 'not_found') return notFound;
    return matched(sampleCompany({ modifiedAt: w.modifiedAt }, { bitrix_id: orgId, company_id: orgId }));
  };
  const pause = async (ms: number) => void w.paused.push(ms);
  const ctx = { ...given.ctx, crm: layers, pause };
  /** Customers that were written. */
  const written = () => desk.writes.flatMap((write) => /^update (\S+)/.exec(write)?.[1] ?? []);
  const backfill = (order: Parameters<typeof backfillCustomers>[1] = all, signal = never) =>
    backfillCustomers(ctx, order, signal);
  return Object.assign(w, { ctx, desk, asked, clock, upkeep: ctx.upkeep, written, backfill });
}

describe('a backfill', () => {
  test('asks about every customer with an org id, once, in the lowest lane, and says what came of it', async () => {
    const w = world();
    w.desk.customers.set('none');
    w.crm = (orgId) => (orgId === orgIdOf(7) ? 'not_found' : null);
    // It becomes another company's just then.
    w.whileAsking = (orgId) => {
      if (orgId === orgIdOf(3)) w.desk.customers.edit('C003', { platformOrgId: orgIdOf(99), crmCompanyId: '99' });
    };
    const said: [number, number][] = [];
    const report = await w.backfill({ ...all, onProgress: (done, total) => said.push([done, total]) });
    expect(report).toEqual({
      ended: 'done',
      total: 40,
      resumed: false,
      updated: 0,
      unchanged: 38,
      notFound: 1,
      withoutOrgId: 1,
      fresh: 0,
      failed: { identity_conflict: 1 },
    });
    expect(w.asked.map(({ orgId }) => orgId)).toEqual(Array.from({ length: 40 }, (_, n) => orgIdOf(n)));
    expect(new Set(w.asked.map(({ lane }) => lane))).toEqual(new Set(['backfill']));
    expect(w.written().toSorted()).toEqual(names.filter((name) => name !== 'C003'));
    expect(said).toEqual([0, 16, 32, 40].map((done) => [done, 40]));
    w.whileAsking = () => {};
    w.modifiedAt += hour;
    expect(await w.backfill()).toMatchObject({ updated: 39, resumed: false });
  });

  test('that was stopped goes on where it was, in another process too, and counts both', async () => {
    const w = world();
    const stop = new AbortController();
    w.whileAsking = (orgId) => void (orgId === orgIdOf(20) && stop.abort());
    expect(await w.backfill(all, stop.signal)).toMatchObject({ ended: 'stopped', unchanged: 16 });
    w.whileAsking = () => {};
    w.asked.length = 0;
    const again = new AbortController();
    const other = { ...all, staleAfterMs: 1, onProgress: () => again.abort() };
    expect(await w.backfill(other, again.signal)).toMatchObject({ ended: 'stopped', resumed: false });
    await w.upkeep.noteBackfill({
      begunAt: 1,
      staleAfterMs: null,
      after: { creation: String(w.desk.document('HD Customer', 'C015')?.creation), name: 'C015' },
      counts: { updated: 0, unchanged: 16, notFound: 0, withoutOrgId: 0, fresh: 0, failed: {} },
    });
    expect(await w.backfill()).toMatchObject({ ended: 'done', resumed: true, total: 24, unchanged: 40 });
    expect(w.asked[0]?.orgId).toBe(orgIdOf(16));
    expect(await w.upkeep.lastBackfill()).toMatchObject({ begunAt: 1, after: null });
  });

  test('leaves out those that were asked about lately', async () => {
    const w = world();
    const ago = (hours: number) => ({ lastCheckedAt: w.clock() - hours * hour });
    for (const name of names.slice(0, 30)) w.desk.customers.edit(name, ago(1));
    for (const name of names.slice(30, 35)) w.desk.customers.edit(name, ago(3));
    expect(await w.backfill({ ...all, staleAfterMs: 2 * hour })).toMatchObject({ fresh: 30, unchanged: 10 });
  });

  test('that is dry asks and writes nothing, and remembers nothing', async () => {
    const w = world();
    expect(await w.backfill({ ...all, isDry: true })).toMatchObject({ ended: 'done', total: 40, updated: 0 });
    expect([w.asked, w.written(), await w.upkeep.lastBackfill()]).toEqual([[], [], null]);
  });

  test('of two at once one does the work', async () => {
    const w = world();
    const reports = await Promise.all([w.backfill(), w.backfill()]);
    expect(reports.map(({ ended }) => ended).sort()).toEqual(['busy', 'done']);
    expect(w.written()).toHaveLength(40);
  });

  test('waits longer and longer for a CRM that fails, ends, and goes on there later; nothing says "error"', async () => {
    const w = world();
    w.crm = (orgId) => (orgId >= orgIdOf(16) ? 'error' : null);
    expect(await w.backfill()).toMatchObject({ ended: 'crm_failing', unchanged: 16, failed: {} });
    expect(w.paused).toEqual([2_000, 10_000, 30_000, 60_000]);
    expect(w.written()).toHaveLength(16);
    w.crm = () => null;
    expect(await w.backfill()).toMatchObject({ ended: 'done', resumed: true, unchanged: 40 });
  });

  test('is not held up by a single customer that fails', async () => {
    const w = world();
    w.crm = (orgId) => (orgId === orgIdOf(5) ? 'error' : null);
    expect(await w.backfill()).toMatchObject({ ended: 'done', unchanged: 39, failed: { timeout: 1 } });
    expect(w.paused).toEqual([2_000]);
  });
});

describe('every night', () => {
  const at = (day: number, hours: number) => new Date(2026, 10, day, hours, 30).getTime();

  test('it runs once in its hour, whichever process looks, and what was interrupted goes on at any hour', async () => {
    const w = world();
    const settings = { hour: 2, staleAfterMs: hour };
    let now = at(20, 1);
    const process = () => {
      const runs: number[] = [];
      const search = {
        customers(signal: AbortSignal) {
          runs.push(now);
          return w.ctx.search.customers(signal);
        },
      };
      return { runs, look: () => backfillNightly({ ...w.ctx, search }, settings, never) };
    };
    w.clock.advance(now - w.clock());
    const [first, second] = [process(), process()];
    const look = async (time: number) => {
      w.clock.advance(time - w.clock());
      now = time;
      await first.look();
      await second.look();
    };
    await look(at(20, 1));
    expect([first.runs, second.runs]).toEqual([[], []]);
    await look(at(20, 2));
    await look(at(20, 2) + 300_000);
    expect([first.runs, second.runs]).toEqual([[at(20, 2)], []]);
    w.crm = () => 'error';
    await look(at(21, 2));
    w.crm = () => null;
    await look(at(21, 9));
    expect(first.runs).toEqual([at(20, 2), at(21, 2), at(21, 9)]);
    expect((await w.upkeep.lastBackfill())?.after).toBeNull();
    await look(at(21, 10));
    expect(first.runs).toHaveLength(3);
  });

  test('it does not where no hour is set, or there is no CRM', async () => {
    const w = world();
    await backfillNightly(w.ctx, { hour: undefined, staleAfterMs: 1 }, never);
    await backfillNightly(null, { hour: new Date(w.clock()).getHours(), staleAfterMs: 1 }, never);
    expect(w.asked).toEqual([]);
  });
});
