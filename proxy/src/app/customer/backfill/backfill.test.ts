import type { OrgId } from '@deskside/shared/orgid';
import { describe, expect, test } from 'vitest';
import { crmCompany, enrichmentWorld, failed, matched, modifiedAt, notFound } from '#app/testing/enrichment-kit.ts';
import { oneHelpdesk } from '#app/testing/fake-helpdesk.ts';
import type { ListedCustomer } from '#ports/helpdesk/helpdesk-search.ts';
import { type BackfillNeeds, backfillCustomers } from './backfill-customers.ts';
import { backfillNightly } from './backfill-nightly.ts';

const all = { staleAfterMs: null, isDry: false, onProgress: () => {} };
const never = new AbortController().signal;
const hour = 3_600_000;
const orgIdOf = (n: number) => String(1_000_000 + n) as OrgId;

/** A helpdesk with forty customers, and a CRM that knows their companies but for those that a test takes away. */
function world() {
  const desk = enrichmentWorld();
  const { records } = desk;
  const { upkeep } = desk.store;
  const w = {
    customers: Array.from({ length: 40 }, (_, n): ListedCustomer => {
      const stamp = String(n).padStart(3, '0');
      return { name: `C${stamp}`, domain: '', orgId: orgIdOf(n), crmId: '', creation: stamp, checkedAt: '' };
    }),
    /** What the CRM does instead of finding the company. */
    crm: (_orgId: OrgId): 'not_found' | 'error' | null => null,
    /** What happens as an org id is looked up. */
    whileAsking: (_orgId: OrgId): void => {},
    /** When the CRM's companies were last changed. */
    modifiedAt,
    paused: [] as number[],
  };
  const known = { companyModifiedAt: modifiedAt, syncStatus: 'matched' } as const;
  for (const [n, { name }] of w.customers.entries())
    records.customers.set(name, { platformOrgId: orgIdOf(n), crmCompanyId: orgIdOf(n), ...known });
  desk.crm.answer = (orgId) => {
    w.whileAsking(orgId);
    const status = w.crm(orgId);
    if (status === 'error') return failed;
    if (status === 'not_found') return notFound;
    return matched(crmCompany({ modifiedAt: w.modifiedAt }, { bitrix_id: orgId, company_id: orgId }));
  };
  const ctx: BackfillNeeds = {
    ...desk.ctx,
    crm: desk.layers,
    upkeep,
    leases: desk.leases,
    search: {
      async *customers() {
        yield* w.customers;
      },
    },
    helpdesk: oneHelpdesk({ stampOf: async (instant: number) => String(instant) }, desk.ctx.helpdesk, {}),
    pause: async (ms) => void w.paused.push(ms),
  };
  /** Customers that were written. */
  const written = () => records.writes.flatMap((write) => /^update (\S+)/.exec(write)?.[1] ?? []);
  const { asked, clock } = desk;
  const backfill = (order: Parameters<typeof backfillCustomers>[1] = all, signal = never) =>
    backfillCustomers(ctx, order, signal);
  return Object.assign(w, { ctx, records, asked, clock, upkeep, written, backfill });
}

describe('a backfill', () => {
  test('asks about every customer with an org id, once, in the lowest lane, and says what came of it', async () => {
    const w = world();
    w.customers.push({ ...w.customers[0], name: 'none', orgId: '' } as ListedCustomer);
    w.crm = (orgId) => (orgId === orgIdOf(7) ? 'not_found' : null);
    w.records.customers.set('C003', { platformOrgId: orgIdOf(99) });
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
    expect(w.written().toSorted()).toEqual(
      w.customers.map(({ name }) => name).filter((n) => n !== 'C003' && n !== 'none'),
    );
    expect(said).toEqual([0, 16, 32, 40].map((done) => [done, 40]));
    w.modifiedAt += hour;
    expect(await w.backfill()).toMatchObject({ updated: 38, resumed: false });
  });

  test('that was stopped goes on where it was, in another process too, and counts both', async () => {
    const w = world();
    const stop = new AbortController();
    w.whileAsking = (orgId) => void (orgId === orgIdOf(20) && stop.abort());
    expect(await w.backfill(all, stop.signal)).toMatchObject({ ended: 'stopped', unchanged: 16 });
    w.whileAsking = () => {};
    w.asked.length = 0;
    expect(await w.backfill({ ...all, staleAfterMs: 1 }, AbortSignal.abort())).toMatchObject({ resumed: false });
    await w.upkeep.noteBackfill({
      begunAt: 1,
      staleAfterMs: null,
      after: { creation: '015', name: 'C015' },
      counts: { updated: 0, unchanged: 16, notFound: 0, withoutOrgId: 0, fresh: 0, failed: {} },
    });
    expect(await w.backfill()).toMatchObject({ ended: 'done', resumed: true, total: 24, unchanged: 40 });
    expect(w.asked[0]?.orgId).toBe(orgIdOf(16));
    expect(await w.upkeep.lastBackfill()).toMatchObject({ begunAt: 1, after: null });
  });

  test('leaves out those that were asked about lately', async () => {
    const w = world();
    for (const customer of w.customers.slice(0, 30)) customer.checkedAt = String(w.clock() - hour);
    for (const customer of w.customers.slice(30, 35)) customer.checkedAt = String(w.clock() - 3 * hour);
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
        async *customers() {
          runs.push(now);
          yield* w.customers;
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
