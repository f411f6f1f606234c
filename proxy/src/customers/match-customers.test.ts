import { OrgId } from '@deskside/shared/orgid';
import { describe, expect, test } from 'vitest';
import type { SearchAnswer } from '#crm/search.ts';
import type { Reading } from '#intake/read-query.ts';
import { partOfContext } from '#testing/part-of-context.ts';
import { testContext } from '#testing/test-context.ts';
import { matchCustomers } from './match.ts';
import { companyHit } from './testing/company-hit.ts';

const never = new AbortController().signal;
const orgId = OrgId.parse('200000001');

const hit = (crmId: string, name: string) =>
  companyHit(crmId, name, { orgId: OrgId.parse(`20000000${crmId}`), marks: { emails: [`lan@c${crmId}.example`] } });

const names = Array.from({ length: 40 }, (_, n) => `Shop Number ${String(n).padStart(3, '0')}`);

/** A helpdesk with forty customers made by hand, and a CRM that knows the companies of the first nine. */
function world() {
  const w = {
    asked: [] as string[],
    lanes: new Set<string>(),
    fails: (_readings: readonly Reading[]) => false,
    isCut: (_readings: readonly Reading[]) => false,
    whileAsking: () => {},
    paused: [] as number[],
    said: [] as number[],
  };
  async function search(readings: readonly Reading[], lane = ''): Promise<SearchAnswer> {
    w.whileAsking();
    w.lanes.add(lane);
    w.asked.push(readings.map(({ value }) => value).join());
    if (w.fails(readings)) return { companies: [], isCut: false, failed: 'timeout' };
    const all = Array.from({ length: 9 }, (_, n) => hit(String(n + 1), `Shop Number 00${n + 1}`));
    const wanted = readings.map(({ value }) => value);
    return {
      companies: all.filter(({ marks }) => wanted.includes(marks.emails[0] ?? '')),
      isCut: w.isCut(readings),
      failed: null,
    };
  }
  const { crm, desk, ...others } = testContext({ pause: async (ms: number) => void w.paused.push(ms) });
  const ctx = partOfContext({ ...others, crm: { ...crm, search } });
  for (const [n, name] of names.entries()) {
    desk.customers.set(name);
    desk.addMember(name, `lan@c${n}.example`);
  }
  const run = (signal = never) => matchCustomers({ ...ctx, signal }, (done) => w.said.push(done));
  return Object.assign(w, { ctx, desk, run });
}

describe('looking for the companies of customers made by hand', () => {
  test('asks about every customer without org id, and writes nothing', async () => {
    const w = world();
    w.desk.customers.set('Has one', { platformOrgId: orgId });
    w.desk.writes.length = 0;
    const found = await w.run();
    expect([w.said, w.asked.length, w.desk.writes]).toEqual([[0, 12, 24, 36, 40], 80, []]);
    expect([...w.lanes]).toEqual(['bulk']);
    expect(found?.matches.map(({ verdict }) => verdict)).toEqual(
      names.map((_, n) => (n === 1 ? 'likely' : n > 0 && n < 10 ? 'certain' : 'none')),
    );
    // The company is another customer already.
    expect(found?.matches[1]).toMatchObject({ orgId, candidates: [{ customer: 'Has one' }] });
    expect(found?.people.get(names[3] ?? '')).toEqual(['lan@c3.example']);
    expect(found?.accepted).toEqual([]);
  });

  test('a customer about whom alone it does not answer is told apart from one of whom it knows nothing', async () => {
    const w = world();
    w.fails = (readings) => readings.some(({ value }) => value === 'lan@c3.example');
    const found = await w.run();
    expect(found?.matches.filter(({ isAnswered }) => !isAnswered)).toMatchObject([
      { customer: names[3], verdict: 'none', orgId: null },
    ]);
  });

  test('without an answer of the CRM about anybody, and without a CRM, nothing is judged', async () => {
    const w = world();
    w.fails = () => true;
    expect(await w.run()).toBeNull();
    expect(await matchCustomers({ ...w.ctx, crm: null }, () => {})).toBeNull();
  });

  test('none is certain where one of the CRM’s answers lists too few', async () => {
    const w = world();
    w.isCut = (readings) => readings.some(({ value }) => value === 'lan@c3.example');
    const found = await w.run();
    expect(found?.matches.slice(2, 5).map(({ verdict }) => verdict)).toEqual(['certain', 'likely', 'certain']);
  });

  test('twins are found among all, and not by a domain where anybody can have an address', async () => {
    const w = world();
    w.desk.customers.set('shop number 007 - 555000111', { platformOrgId: OrgId.parse('555000111') });
    const domains = { A: 'gmail.com', B: 'gmail.com', C: 'https://cd.example', D: 'https://cd.example' };
    const anybodys = { E: 'facebook.com', F: 'facebook.com', G: 'shopee.vn', H: 'shopee.vn' };
    for (const [name, domain] of Object.entries({ ...domains, ...anybodys })) {
      w.desk.customers.set(name);
      w.desk.put('HD Customer', name, { domain });
    }
    const found = await w.run();
    const twins = [...(found?.twins ?? [])].map(([{ name }, shared]) => [name, ...shared.map(({ what }) => what)]);
    expect(twins).toEqual([
      [names[7], 'name'],
      ['shop number 007 - 555000111', 'name'],
      ['C', 'domain'],
      ['D', 'domain'],
    ]);
  });
});
