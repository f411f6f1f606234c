import { OrgId } from '@deskside/shared/orgid';
import { describe, expect, test } from 'vitest';
import { decisionDraft } from '#app/testing/pipeline/decision-draft.ts';
import { testContext } from '#app/testing/test-context.ts';
import type { CompanyHit } from '#domain/find/found-company.ts';
import type { Reading } from '#domain/find/read-query.ts';
import type { SearchAnswer } from '#ports/crm/crm.ts';
import { listMatches } from './list-matches.ts';
import { beginMatching, matchCustomers } from './match-customers.ts';

const never = new AbortController().signal;
const orgId = OrgId.parse('200000001');

function hit(crmId: string, name: string): CompanyHit {
  const marks = {
    orgIds: [`20000000${crmId}`],
    names: [name],
    addresses: [],
    emails: [`lan@c${crmId}.example`],
    phones: [],
    people: [],
  };
  return {
    crmId,
    orgId: OrgId.parse(`20000000${crmId}`),
    isFirst: true,
    name,
    url: null,
    plan: null,
    planExpiresAt: null,
    modifiedAt: null,
    marks,
  };
}

const names = Array.from({ length: 40 }, (_, n) => `Shop Number ${String(n).padStart(3, '0')}`);

/** A helpdesk with forty customers made by hand, and a CRM that knows the companies of the first nine. */
function world() {
  const w = {
    asked: [] as string[],
    fails: (_readings: readonly Reading[]) => false,
    whileAsking: () => {},
    paused: [] as number[],
    said: [] as number[],
  };
  async function askInSpare(readings: readonly Reading[]): Promise<SearchAnswer> {
    w.whileAsking();
    w.asked.push(readings.map(({ value }) => value).join());
    if (w.fails(readings)) return { companies: [], isCut: false, failed: 'timeout' };
    const all = Array.from({ length: 9 }, (_, n) => hit(String(n + 1), `Shop Number 00${n + 1}`));
    const wanted = readings.map(({ value }) => value);
    return {
      companies: all.filter(({ marks }) => wanted.includes(marks.emails[0] ?? '')),
      isCut: false,
      failed: null,
    };
  }
  const { crm, desk, ...others } = testContext({ pause: async (ms: number) => void w.paused.push(ms) });
  const ctx = { ...others, crm: { ...crm, askInSpare } };
  for (const [n, name] of names.entries()) {
    desk.customers.set(name);
    desk.addMember(name, `lan@c${n}.example`);
  }
  const run = (signal = never, onlyLeft = false) =>
    matchCustomers(ctx, { onProgress: (done) => void w.said.push(done), onlyLeft }, signal);
  return Object.assign(w, { ctx, desk, run, list: () => listMatches(ctx) });
}

describe('looking for the companies of customers made by hand', () => {
  test('asks about every customer without org id, and keeps what it finds', async () => {
    const w = world();
    w.desk.customers.set('Has one', { platformOrgId: orgId });
    expect(await w.run()).toEqual({ ended: 'done', done: 40, total: 40, failed: 0, resumed: false });
    expect(w.said).toEqual([0, 16, 32, 40]);
    expect(w.asked).toHaveLength(80);
    const { run, matches } = await w.list();
    expect(run).toMatchObject({ is_done: true, done: 40, total: 40 });
    expect(matches.map(({ verdict }) => verdict)).toEqual(
      matches.map((_, n) => (n === 1 ? 'likely' : n > 0 && n < 10 ? 'certain' : 'none')),
    );
    // The company is another customer already.
    expect(matches[1]?.candidates[0]).toMatchObject({ org_id: orgId, customer: 'Has one' });
  });

  test('goes on where it was stopped; another process leaves it alone meanwhile', async () => {
    const w = world();
    const stop = new AbortController();
    w.whileAsking = () => {
      if (w.asked.length === 40) stop.abort();
    };
    expect(await w.run(stop.signal)).toMatchObject({ ended: 'stopped', done: 16 });
    await w.ctx.leases.take(['matching'], 'another process', 60_000);
    expect(await w.run()).toMatchObject({ ended: 'busy', done: 0 });
    await w.ctx.leases.release(['matching'], 'another process');
    w.asked.length = 0;
    w.whileAsking = () => {};
    expect(await w.run()).toMatchObject({ ended: 'done', done: 40, total: 40, resumed: true });
    expect(w.asked).toHaveLength(48);
    expect((await w.list()).matches).toHaveLength(40);
  });

  test('one that an operator begins is taken up once, and while it is under way no other is begun', async () => {
    const w = world();
    await beginMatching(w.ctx);
    const begun = await w.ctx.upkeep.lastMatching();
    w.ctx.clock.advance(5_000);
    await beginMatching(w.ctx);
    expect(await w.ctx.upkeep.lastMatching()).toEqual(begun);
    expect(await w.run()).toMatchObject({ ended: 'done', total: 40 });
    await beginMatching(w.ctx);
    expect(await w.ctx.upkeep.lastMatching()).not.toEqual(begun);
  });

  test('who goes on with what is left begins nothing anew that another process has just ended', async () => {
    const w = world();
    await w.run();
    w.asked.length = 0;
    expect(await w.run(never, true)).toMatchObject({ ended: 'busy', done: 0 });
    expect(w.asked).toEqual([]);
  });

  test('a CRM that fails is asked again after pauses, and then left; a customer it never answers about is left out', async () => {
    const w = world();
    w.fails = () => true;
    expect(await w.run()).toMatchObject({ ended: 'crm_failing', done: 0 });
    expect(w.paused).toEqual([2_000, 10_000, 30_000, 60_000]);
    w.fails = (readings) => readings.some(({ value }) => value === 'lan@c3.example');
    expect(await w.run()).toMatchObject({ ended: 'done', failed: 1 });
    const { run, matches } = await w.list();
    expect([run?.failed, matches.length]).toEqual([1, 39]);
  });

  test('customers that are gone, or have an org id by now, are forgotten by the next look', async () => {
    const w = world();
    await w.run();
    w.ctx.clock.advance(1_000);
    const [first = '', second = '', third = ''] = names;
    for (const name of [first, second]) w.desk.customers.delete(name);
    w.desk.customers.edit(third, { platformOrgId: orgId });
    await w.run();
    expect((await w.list()).matches.map(({ customer }) => customer)).not.toContain('Shop Number 002');
    expect((await w.list()).matches).toHaveLength(37);
  });

  test.each([
    ['linked_by_agent', 'certain'],
    ['entered_by_agent', 'certain'],
    ['sender_email_of_company', 'likely'],
  ] as const)('an org id on its tickets counts at an agent’s word: %s', async (code, verdict) => {
    const w = world();
    w.desk.customers.clear();
    w.desk.customers.set('Chị Lan');
    w.desk.addMember('Chị Lan', 'lan@c1.example');
    const trust = { level: 'confirmed' as const, evidence: [{ code, value: 'x' }] };
    const org_id = { value: orgId, source: 'ticket', field: 'custom_orgid', trust };
    const seen = { org_id: null, segment: null, shop_plan: null, checked_at: null, source: 'hd_customer' as const };
    const customer = { name: 'Chị Lan', ...seen };
    await w.ctx.decisions.add(decisionDraft('1', { org_id, customer }), 0, null);
    await w.run();
    expect((await w.list()).matches).toMatchObject([{ customer: 'Chị Lan', verdict }]);
  });
});
