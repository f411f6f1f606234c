import { OrgId } from '@deskside/shared/orgid';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import type { Store } from './database.ts';
import type { CrmUser } from './profile-cache.ts';
import { cachedCompany } from './testing/cached-company.ts';

const orgA = OrgId.parse('200000001');
const orgB = OrgId.parse('00123456789012345678');
const noon = Date.UTC(2026, 10, 20, 12);
const by = 'company_id_then_platform_orgid';
const byBoth = 'platform_orgid_then_company_id';

const user: CrmUser = { id: '7', active: true, email: 'an@crm.example', name: 'Trần Văn An', userType: 'employee' };

/** Tests of the profile cache's contract for any engine. `open` returns a cache; each test uses a portal of its own. */
export function describeProfileCache(open: () => Store['profileCache']): void {
  let cache: Store['profileCache'];
  let portal: string;
  let count = 0;
  beforeEach(() => {
    cache = open();
    count += 1;
    portal = `crm-${count}.example`;
  });

  const put = (orgId: OrgId, name: string, checkedAt: number) =>
    cache.putCompanies(portal, by, new Map([[orgId, { companies: [cachedCompany(name)], checkedAt }]]), checkedAt);
  const idOf = async (orgId: OrgId) =>
    (await cache.getCompanies(portal, by, [orgId])).get(orgId)?.companies[0]?.fields.bitrix_id;

  it.each([
    ['companies', [cachedCompany('1'), cachedCompany('2', 'Hai')]],
    ['an empty answer', []],
  ])('gives %s back exactly as put, with the time of the check', async (_, companies) => {
    const entry = { companies, checkedAt: noon };
    await cache.putCompanies(portal, by, new Map([[orgA, entry]]), noon);
    expect(await cache.getCompanies(portal, by, [orgA])).toEqual(new Map([[orgA, { ...entry, outdated: false }]]));
  });

  it('answers for those org ids that it knows, in the order asked for, each once', async () => {
    await put(orgA, '1', noon);
    await put(orgB, '2', noon);
    const unknown = OrgId.parse('999');
    expect([...(await cache.getCompanies(portal, by, [orgB, unknown, orgA, orgB])).keys()]).toEqual([orgB, orgA]);
    expect(await cache.getCompanies(portal, by, [])).toEqual(new Map());
  });

  it('keeps leading zeros of an org id apart', async () => {
    await put(OrgId.parse('007'), 'bond', noon);
    expect(await idOf(OrgId.parse('7'))).toBeUndefined();
    expect(await idOf(OrgId.parse('007'))).toBe('bond');
  });

  it("never shows one portal another portal's companies or users", async () => {
    await put(orgA, '1', noon);
    await cache.putUsers(portal, new Map([['7', { user, checkedAt: noon }]]));
    expect(await cache.getCompanies(`other.${portal}`, by, [orgA])).toEqual(new Map());
    expect(await cache.getUser(`other.${portal}`, '7')).toBeNull();
  });

  it('keeps the answers of one look-up apart from those of another', async () => {
    await put(orgA, 'by company id', noon);
    expect(await cache.getCompanies(portal, byBoth, [orgA])).toEqual(new Map());
    const other = new Map([[orgA, { companies: [cachedCompany('by both')], checkedAt: noon }]]);
    await cache.putCompanies(portal, byBoth, other, noon);
    expect(await idOf(orgA)).toBe('by company id');
  });

  it('marks every entry that a company stands in, and no other', async () => {
    await put(orgA, '63002', noon);
    await put(orgB, '63003', noon);
    const twin = { companies: [cachedCompany('1'), cachedCompany('63002')], checkedAt: noon };
    await cache.putCompanies(portal, byBoth, new Map([[orgB, twin]]), noon);
    const marked = await cache.markOutdated(portal, '63002', noon + 5);
    expect(marked.toSorted((a, b) => a.by.localeCompare(b.by))).toEqual([
      { by, orgId: orgA },
      { by: byBoth, orgId: orgB },
    ]);
    expect((await cache.getCompanies(portal, by, [orgA, orgB])).get(orgA)).toMatchObject({ outdated: true });
    expect((await cache.getCompanies(portal, by, [orgA, orgB])).get(orgB)).toMatchObject({ outdated: false });
    expect((await cache.getCompanies(portal, byBoth, [orgB])).get(orgB)).toMatchObject({ outdated: true });
  });

  it('may be told of a change twice, and of a company that it does not know', async () => {
    await put(orgA, '63002', noon);
    for (const _ of [1, 2]) expect(await cache.markOutdated(portal, '63002', noon + 5)).toHaveLength(1);
    expect(await cache.markOutdated(portal, '404', noon + 5)).toEqual([]);
    expect(await cache.markOutdated(`other.${portal}`, '63002', noon + 5)).toEqual([]);
  });

  it('takes the mark away with an answer that was asked for after the change, and leaves it with an older one', async () => {
    await put(orgA, '63002', noon);
    await cache.markOutdated(portal, '63002', noon + 5);
    const entry = (checkedAt: number) => new Map([[orgA, { companies: [cachedCompany('63002')], checkedAt }]]);
    await cache.putCompanies(portal, by, entry(noon + 9), noon + 4);
    expect((await cache.getCompanies(portal, by, [orgA])).get(orgA)).toMatchObject({
      outdated: true,
      checkedAt: noon + 9,
    });
    await cache.putCompanies(portal, by, entry(noon + 12), noon + 6);
    expect((await cache.getCompanies(portal, by, [orgA])).get(orgA)).toMatchObject({ outdated: false });
  });

  it('forgets every "no such company" of one portal, and nothing else', async () => {
    await put(orgA, '63002', noon);
    const entry = { companies: [], checkedAt: noon };
    const none = new Map([[orgB, entry]]);
    // More than one statement deletes.
    const many = Array.from({ length: 450 }, (_, i) => [OrgId.parse(String(700_000_000 + i)), entry] as const);
    await cache.putCompanies(portal, by, new Map([...none, ...many]), noon);
    await cache.putCompanies(portal, byBoth, none, noon);
    await cache.putCompanies(`other.${portal}`, by, none, noon);
    expect(await cache.deleteNegative(portal)).toBe(452);
    expect([...(await cache.getCompanies(portal, by, [orgA, orgB])).keys()]).toEqual([orgA]);
    expect((await cache.getCompanies(`other.${portal}`, by, [orgB])).size).toBe(1);
  });

  it('keeps the latest of many answers, in whatever order they arrive', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(60_000), { minLength: 2, maxLength: 12 }), async (offsets) => {
        count += 1;
        portal = `crm-${count}.example`;
        await Promise.all(offsets.map((offset) => put(orgA, String(offset), noon + offset)));
        expect(await idOf(orgA)).toBe(String(Math.max(...offsets)));
      }),
      { numRuns: 25 },
    );
  });

  it('decides for each entry of one call by itself', async () => {
    await put(orgA, 'late', noon + 5);
    const entry = (id: string) => ({ companies: [cachedCompany(id)], checkedAt: noon });
    await cache.putCompanies(
      portal,
      by,
      new Map([
        [orgB, entry('b')],
        [orgA, entry('a')],
      ]),
      noon,
    );
    expect([await idOf(orgA), await idOf(orgB)]).toEqual(['late', 'b']);
  });

  it('replaces an answer that a wrong clock dated far ahead', async () => {
    await put(orgA, 'from tomorrow', noon + 24 * 3_600_000);
    await put(orgA, 'now', noon);
    expect(await idOf(orgA)).toBe('now');
  });

  it('survives crossed writes of the same entries from several callers', async () => {
    const both = [orgA, orgB];
    await Promise.all(
      Array.from({ length: 30 }, (_, i) => {
        const order = i % 2 === 0 ? both : both.toReversed();
        const entry = { companies: [cachedCompany(String(i))], checkedAt: noon + i };
        return cache.putCompanies(portal, by, new Map(order.map((orgId) => [orgId, entry])), noon);
      }),
    );
    expect([await idOf(orgA), await idOf(orgB)]).toEqual(['29', '29']);
  });

  it('gives account owners back, and that there is none', async () => {
    await cache.putUsers(
      portal,
      new Map([
        ['7', { user, checkedAt: noon }],
        ['8', { user: null, checkedAt: noon }],
      ]),
    );
    expect(await cache.getUser(portal, '7')).toEqual({ user, checkedAt: noon });
    expect(await cache.getUser(portal, '8')).toEqual({ user: null, checkedAt: noon });
    expect(await cache.getUser(portal, '9')).toBeNull();
  });

  it('replaces an account owner by a later answer only', async () => {
    const put = (active: boolean, checkedAt: number) =>
      cache.putUsers(portal, new Map([['7', { user: { ...user, active }, checkedAt }]]));
    await put(true, noon);
    await put(false, noon + 1);
    await put(true, noon - 1);
    expect((await cache.getUser(portal, '7'))?.user?.active).toBe(false);
  });

  it('deletes what was last checked before a moment, and counts it', async () => {
    const longAgo = 1_000;
    await put(orgA, 'old', longAgo);
    await put(orgB, 'kept', longAgo + 1);
    await cache.putUsers(portal, new Map([['7', { user, checkedAt: longAgo }]]));
    expect(await cache.deleteCheckedBefore(longAgo + 1, 1)).toBe(1);
    expect(await cache.deleteCheckedBefore(longAgo + 1, 100)).toBe(1);
    expect(await cache.deleteCheckedBefore(longAgo + 1, 100)).toBe(0);
    expect([await idOf(orgA), await idOf(orgB)]).toEqual([undefined, 'kept']);
    expect(await cache.getUser(portal, '7')).toBeNull();
  });
}
