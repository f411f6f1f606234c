import { OrgId } from '@deskside/shared/orgid';
import { describe, expect, test } from 'vitest';
import { failed } from '#crm/testing/fakes.ts';
import { matched, notFound, sampleCompany } from '#crm/testing/sample-companies.ts';
import { listedPeople, standingWords } from '#store/desk-list.ts';
import { enrichmentWorld, orgId, otherOrgId } from '#testing/enrichment-kit.ts';
import { acceptRows, undoRow } from './accept.ts';

const { signal: never } = new AbortController();
/** So many customers made by hand, each of a company of its own. */
function world(count = 6) {
  const names = Array.from({ length: count }, (_, n) => `C${String(n).padStart(2, '0')}`);
  const w = enrichmentWorld();
  w.crm.answer = (id) => {
    if (id === '404') return notFound;
    if (id === '500') return failed;
    return matched(sampleCompany({}, { bitrix_id: id }));
  };
  for (const name of names) w.desk.customers.set(name, { shopPlan: 'By hand' });
  const ctx = { ...w.ctx, crm: w.layers };
  const accept = async (rows: { customer: string; people?: string; 'org id': string }[], signal = never) => {
    const done = [];
    const table = rows.map(({ people = '', ...row }) => ({ ...row, people }));
    for await (const [row, one] of acceptRows({ ...ctx, signal }, table, 'truong'))
      done.push({ customer: row.customer, 'org id': row['org id'], ...one });
    return done;
  };
  const rows = names.map((customer, n) => ({ customer, people: '', 'org id': `${100_000 + n}` }));
  const acceptFirst = async () => (await accept(rows.slice(0, 1)))[0]?.id ?? '';
  const orgIdsOf = () => names.map((name) => w.desk.customers.get(name)?.platformOrgId ?? null);
  return { ...w, ctx, names, rows, accept, acceptFirst, orgIdsOf, undo: (id: string) => undoRow(ctx, id) };
}

describe('accepting', () => {
  test('makes each the company at the operator’s word, and keeps what was there', async () => {
    // More than are looked up at once.
    const w = world(20);
    const done = await w.accept(w.rows);
    expect(w.orgIdsOf()).toEqual(w.rows.map((row) => row['org id']));
    expect(done.map(({ said, isFailed }) => [said, isFailed])).toEqual(
      w.names.map(() => ['is the company now', false]),
    );
    expect(done.map(({ id }) => id)).toEqual(w.store.rows.adoptions.map(({ id }) => id));
    expect(w.store.rows.adoptions[3]).toMatchObject({ customer: 'C03', by: 'truong', via: 'match', ticket: null });
    expect(w.store.rows.adoptions[3]?.changes).toContainEqual({
      field: 'custom_platform_orgid',
      from: null,
      to: '100003',
    });
    expect(new Set(w.asked.map(({ lane }) => lane))).toEqual(new Set(['bulk']));
  });

  test.each([
    ['404', 'C03', 'the CRM has no company with this org id'],
    ['500', 'C03', 'the CRM did not answer'],
    ['100003', 'Nobody', 'there is no such customer'],
    [otherOrgId, 'C03', 'it stands for another company: 100003'],
    [orgId, 'C04', 'it is a twin: the company is the customer Shop already'],
    ['2.00E+11', 'C03', /^a spreadsheet has made the number 2\.00E\+11 of the org id/],
    ['2,0E+11', 'C03', /^a spreadsheet has made the number/],
    ['2000-01', 'C03', '2000-01 is no org id, which has 1 to 20 digits'],
    ['0', 'C03', /is no org id/],
  ])('org id %s for %s is refused, and the other rows are done: %s', async (id, customer, said) => {
    const w = world();
    w.desk.customers.set('Shop', { platformOrgId: orgId });
    w.desk.customers.set('C03', { platformOrgId: OrgId.parse('100003') });
    const other = { customer: 'C05', 'org id': '100005' };
    const done = await w.accept([{ customer, 'org id': id }, other]);
    expect(done).toEqual([
      {
        customer,
        'org id': id,
        id: '',
        isFailed: true,
        said: typeof said === 'string' ? said : expect.stringMatching(said),
      },
      { ...other, id: expect.any(String), isFailed: false, said: 'is the company now' },
    ]);
    expect(w.store.rows.adoptions.map((entry) => entry.customer)).toEqual(['C05']);
  });

  test('a customer that has the org id from somebody else is left as it is', async () => {
    const w = world();
    w.desk.customers.set('Shop', { platformOrgId: orgId });
    expect(await w.accept([{ customer: 'Shop', 'org id': orgId }])).toMatchObject([
      { said: 'was the company already', id: '', isFailed: false },
    ]);
    expect(w.store.rows.adoptions).toEqual([]);
  });

  test('killed half-way it is done by running it again, which tells the same of what was done before', async () => {
    const w = world(20);
    const first = [];
    for await (const [row, done] of acceptRows(w.ctx, w.rows, 'truong')) {
      first.push({ customer: row.customer, 'org id': row['org id'], ...done });
      if (first.length === 8) break;
      // Between what is recorded and what is written.
      if (first.length === 7)
        w.desk.before('update', () => {
          throw new Error('kill -9');
        });
    }
    expect(first[7]).toMatchObject({ said: 'helpdesk or store failed (Error)', isFailed: true });
    expect([w.store.rows.adoptions.length, w.orgIdsOf().filter((id) => id !== null).length]).toEqual([8, 7]);
    const again = await w.accept(w.rows);
    expect(again.slice(0, 7)).toEqual(first.slice(0, 7));
    expect(again.every(({ id, isFailed }) => id !== '' && !isFailed)).toBe(true);
    expect(w.orgIdsOf()).toEqual(w.rows.map((row) => row['org id']));
    expect(w.store.rows.adoptions).toHaveLength(20);
  });

  test('an operator who interrupts it ends it between two rows', async () => {
    const w = world();
    const stop = new AbortController();
    const seen = [];
    for await (const [row] of acceptRows({ ...w.ctx, signal: stop.signal }, w.rows, 'truong')) {
      seen.push(row);
      if (seen.length === 3) stop.abort();
    }
    expect([seen.length, w.orgIdsOf().filter((id) => id !== null).length]).toEqual([3, 3]);
  });

  test('a row in whose middle it is interrupted is not told as one that failed', async () => {
    const w = world();
    const stop = new AbortController();
    w.desk.before('update', () => {
      stop.abort();
      stop.signal.throwIfAborted();
    });
    const seen = [];
    for await (const row of acceptRows({ ...w.ctx, signal: stop.signal }, w.rows, 'truong')) seen.push(row);
    expect(seen).toEqual([]);
  });
});

describe('undoing', () => {
  test('leaves what a later refresh has written in the place of what adopting wrote, and no identity', async () => {
    const w = world();
    const id = await w.acceptFirst();
    const later = { customer_segment: 'SME', current_shopplan: 'Grow', bitrix_id: '100000' };
    w.crm.answer = () => matched(sampleCompany({ modifiedAt: Date.UTC(2026, 8, 1) }, later));
    await w.enrich({ orgid: OrgId.parse('100000'), hd_customer: 'C00' });
    await w.undo(id);
    const { shopPlan, segment, platformOrgId, crmCompanyId } = w.desk.customers.get('C00') ?? {};
    expect([shopPlan, segment, platformOrgId, crmCompanyId]).toEqual(['Grow', 'SME', undefined, undefined]);
  });

  test('gives back what was there, but for what somebody has changed since, once', async () => {
    const w = world();
    const id = await w.acceptFirst();
    w.desk.customers.edit('C00', { shopPlan: 'Theirs' });
    expect(await w.undo(id)).toEqual({
      said: expect.stringMatching(/^was given back what it was, but for what has changed since: .*custom_shopplan/),
      id,
      isFailed: false,
    });
    const { platformOrgId, crmCompanyId, shopPlan } = w.desk.customers.get('C00') ?? {};
    expect([platformOrgId, crmCompanyId, shopPlan]).toEqual([undefined, undefined, 'Theirs']);
    w.desk.writes.length = 0;
    expect(await w.undo(id)).toEqual({ said: 'was given back before', id, isFailed: false });
    expect(w.desk.writes).toEqual([]);
  });

  test('leaves a customer that is another company by now', async () => {
    const w = world();
    const id = await w.acceptFirst();
    w.desk.customers.edit('C00', { platformOrgId: otherOrgId });
    w.desk.writes.length = 0;
    expect(await w.undo(id)).toMatchObject({
      said: 'left as it is: it does not have this org id any more',
      isFailed: false,
    });
    expect(w.desk.writes).toEqual([]);
  });

  test('what is unknown, or fails, is said', async () => {
    const w = world();
    expect(await w.undo('unknown')).toEqual({ said: 'nothing was accepted under this id', id: '', isFailed: true });
    const id = await w.acceptFirst();
    w.desk.before('update', () => {
      throw new Error('away');
    });
    expect(await w.undo(id)).toEqual({ said: 'helpdesk or store failed (Error)', id: '', isFailed: true });
  });
});

describe('the desk’s list', () => {
  const addresses = async (w: ReturnType<typeof world>) =>
    (await listedPeople(w.ctx.db)).map(({ customer, address, orgId }) => [customer, address, orgId]).toSorted();

  test('has the addresses that an accepted row lists; accepted anew, what is no longer listed leaves, and undo takes all', async () => {
    const w = world();
    const row = { customer: 'C00', 'org id': '100000' };
    const [done] = await w.accept([{ ...row, people: 'Lan@C0.example; Hà <ha@c0.example>,\nlan@c0.example' }]);
    expect(done).toMatchObject({ said: 'is the company now', isFailed: false });
    expect(await addresses(w)).toEqual([
      ['C00', 'ha@c0.example', '100000'],
      ['C00', 'lan@c0.example', '100000'],
    ]);
    const acceptedAs = async (address: string) =>
      (await standingWords(w.ctx.db, { name: '', creation: '' }, address)).accepted;
    const [lan] = await acceptedAs('lan@c0.example');
    w.clock.advance(60_000);
    await w.accept([{ ...row, people: 'lan@c0.example, moi@c0.example' }]);
    expect((await addresses(w)).map(([, address]) => address)).toEqual(['lan@c0.example', 'moi@c0.example']);
    // Who stays was accepted when they were.
    expect(await acceptedAs('lan@c0.example')).toEqual([lan]);
    await w.undo(done?.id ?? '');
    expect(await addresses(w)).toEqual([]);
    await w.accept([{ ...row, people: 'lan@c0.example' }]);
    expect(await addresses(w)).toEqual([['C00', 'lan@c0.example', '100000']]);
  });

  test.each([
    ['lan@c0.example, chưa biết', 'column "people": chưa biết is no e-mail address'],
    ['an@desk.example', 'column "people": an@desk.example is an account of the desk'],
    ['LAN@c0.example', 'column "people": lan@c0.example is listed for two companies'],
    ['cu@c9.example', 'column "people": cu@c9.example is listed for two companies'],
  ])('a row with %j is not taken, and says why: %s', async (people, said) => {
    const w = world();
    await w.accept([{ customer: 'C05', 'org id': '100005', people: 'cu@c9.example' }]);
    const done = await w.accept([
      { customer: 'C00', 'org id': '100000', people },
      { customer: 'C01', 'org id': '100001', people: 'ha@c1.example' },
      { customer: 'C02', 'org id': '100002', people: 'lan@c0.example' },
    ]);
    expect(done[0]).toMatchObject({ said, isFailed: true });
    expect(done[1]).toMatchObject({ isFailed: false });
    expect(w.desk.customers.get('C00')?.platformOrgId).toBeUndefined();
    expect((await addresses(w)).map(([customer]) => customer)).not.toContain('C00');
  });
});
