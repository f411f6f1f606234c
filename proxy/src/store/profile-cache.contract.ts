import { OrgId } from '@deskside/shared/orgid';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import type { CrmUser } from './profile-cache.ts';
import * as cache from './profile-cache.ts';
import type { StateDb } from './schema.ts';
import { cachedCompany } from './testing/cached-company.ts';

const orgA = OrgId.parse('200000001');
const orgB = OrgId.parse('00123456789012345678');
const orgC = OrgId.parse('470000002');
const noon = Date.UTC(2026, 10, 20, 12);

const user: CrmUser = { id: '7', active: true, email: 'an@crm.example', name: 'Trần Văn An', userType: 'employee' };

/** Tests of the profile cache's contract for any engine. Each test uses a portal of its own. */
export function describeProfileCache(dbOf: () => StateDb): void {
  let portal: string;
  let count = 0;
  beforeEach(() => {
    count += 1;
    portal = `crm-${count}.example`;
  });

  const entry = (ids: string[], checkedAt = noon) => ({
    companies: ids.map((id) => cachedCompany(id)),
    answeredAt: { UF_CRM_COMPANY_ID: checkedAt },
    checkedAt,
    payloads: Object.fromEntries(ids.map((id) => [id, `{"ID":"${id}"}`])),
  });
  const put = (orgId: OrgId, id: string, checkedAt = noon, askedAt = checkedAt) =>
    cache.putCompanies(dbOf(), portal, new Map([[orgId, entry([id], checkedAt)]]), askedAt);
  const kept = async (orgId: OrgId) => (await cache.getCompanies(dbOf(), portal, [orgId])).get(orgId);
  const idOf = async (orgId: OrgId) => (await kept(orgId))?.companies[0]?.fields.bitrix_id;
  const putUser = (id: string, user: CrmUser | null, checkedAt = noon) =>
    cache.putUsers(dbOf(), portal, new Map([[id, { user, checkedAt }]]));

  it('gives companies back exactly as put, with the time of the check, in the order asked for, each once', async () => {
    const both = [cachedCompany('1'), cachedCompany('2', 'Hai')];
    const seven = OrgId.parse('7');
    const answeredAt = { UF_CRM_COMPANY_ID: noon, UF_CRM_PLATFORM_ORG_ID: noon - 1 };
    const answers = new Map([
      [orgA, { ...entry([]), companies: both, answeredAt }],
      [orgB, entry([], noon + 1)],
      [OrgId.parse('007'), entry(['1'])],
    ]);
    await cache.putCompanies(dbOf(), portal, answers, noon);
    const found = await cache.getCompanies(dbOf(), portal, [orgB, seven, orgA, orgB]);
    expect([...found]).toEqual([
      [orgB, { companies: [], answeredAt: { UF_CRM_COMPANY_ID: noon + 1 }, checkedAt: noon + 1, outdated: false }],
      [orgA, { companies: both, answeredAt, checkedAt: noon, outdated: false }],
    ]);
    expect(await cache.getCompanies(dbOf(), portal, [])).toEqual(new Map());
  });

  it('says which answer is kept, and whether a change was announced since', async () => {
    const version = (orgId: OrgId) => cache.getVersion(dbOf(), portal, orgId);
    expect(await version(orgA)).toBeUndefined();
    await put(orgA, '1', noon);
    expect(await version(orgA)).toEqual({ checkedAt: noon, outdated: false });
    await cache.markOutdated(dbOf(), portal, '1', noon + 1);
    expect(await version(orgA)).toEqual({ checkedAt: noon, outdated: true });
    expect(await cache.getVersion(dbOf(), `other.${portal}`, orgA)).toBeUndefined();
  });

  it('gives the record of each of its companies, as it was put last, and of no other', async () => {
    await cache.putCompanies(dbOf(), portal, new Map([[orgA, entry(['1', '2'])]]), noon);
    const payload = (id: string, orgId = orgA) => cache.getPayload(dbOf(), portal, orgId, id);
    expect([await payload('1'), await payload('2')]).toEqual(['{"ID":"1"}', '{"ID":"2"}']);
    expect([await payload('3'), await payload('1', orgB)]).toEqual([null, null]);
    await put(orgA, '3', noon + 1);
    expect([await payload('3'), await payload('1')]).toEqual(['{"ID":"3"}', null]);
  });

  it('keeps the answers of one portal apart from those of another', async () => {
    await put(orgA, '63002');
    await putUser('7', user);
    expect(await cache.getCompanies(dbOf(), `other.${portal}`, [orgA])).toEqual(new Map());
    expect(await cache.getPayload(dbOf(), `other.${portal}`, orgA, '63002')).toBeNull();
    expect(await cache.getUser(dbOf(), `other.${portal}`, '7')).toBeNull();
  });

  it('marks every entry that a company stands in, however often, and no other', async () => {
    await put(orgA, '63002');
    await put(orgC, '63003');
    const [second, third] = [OrgId.parse('8'), OrgId.parse('9')];
    const behind = new Map([orgB, second, third].map((orgId) => [orgId, entry(['1', '63002'])]));
    await cache.putCompanies(dbOf(), portal, behind, noon);
    for (const _ of [1, 2]) {
      const marked = await cache.markOutdated(dbOf(), portal, '63002', noon + 5);
      expect(marked.toSorted()).toEqual([orgB, orgA, second, third]);
    }
    const entries = [await kept(orgA), await kept(orgC), await kept(orgB)];
    expect(entries.map((one) => one?.outdated)).toEqual([true, false, true]);
    expect(await cache.markOutdated(dbOf(), portal, '404', noon + 5)).toEqual([]);
    expect(await cache.markOutdated(dbOf(), `other.${portal}`, '63002', noon + 5)).toEqual([]);
    // An answer that was asked for before the change leaves the mark, one asked for after it takes it away.
    await put(orgA, '63002', noon + 9, noon + 4);
    expect(await kept(orgA)).toMatchObject({ outdated: true, answeredAt: { UF_CRM_COMPANY_ID: noon + 9 } });
    await put(orgA, '63002', noon + 12, noon + 6);
    expect(await kept(orgA)).toMatchObject({ outdated: false });
  });

  it('marks an answer that was on its way when the CRM announced a change of its company', async () => {
    const put = (orgId: OrgId, ids: string[], askedAt: number) =>
      cache.putCompanies(dbOf(), portal, new Map([[orgId, entry(ids, noon + 9)]]), askedAt);
    expect(await cache.markOutdated(dbOf(), portal, '63002', noon + 5)).toEqual([]);
    // Of a request that failed as a whole.
    await cache.putCompanies(dbOf(), portal, new Map(), noon + 4);
    await put(orgA, ['1', '63002'], noon + 4);
    await put(orgB, ['63003'], noon + 4);
    await put(orgC, [], noon + 4);
    const entries = [await kept(orgA), await kept(orgB), await kept(orgC)];
    expect(entries.map((one) => one?.outdated)).toEqual([true, false, true]);
    await put(orgA, ['63002'], noon + 6);
    await put(orgC, [], noon + 6);
    // One that comes in late marks no other than its own.
    await put(orgB, ['63003'], noon + 4);
    expect([await kept(orgA), await kept(orgC)]).toMatchObject([{ outdated: false }, { outdated: false }]);
  });

  it('has a change announced in the very millisecond in which the CRM was asked count as a later one', async () => {
    await put(orgA, '63002');
    await cache.markOutdated(dbOf(), portal, '63002', noon + 5);
    await put(orgA, '63002', noon + 9, noon + 5);
    await cache.putCompanies(dbOf(), portal, new Map([[orgB, entry([], noon + 9)]]), noon + 5);
    expect([await kept(orgA), await kept(orgB)]).toMatchObject([{ outdated: true }, { outdated: true }]);
  });

  it('forgets an announced change once nobody waits for an older answer, and no answer along with it', async () => {
    await put(orgA, '63002');
    await cache.markOutdated(dbOf(), portal, '63003', noon);
    await cache.markOutdated(dbOf(), `other.${portal}`, '1', noon + 3_600_000);
    await cache.markOutdated(dbOf(), portal, '1', noon + 60_000);
    await put(orgB, '63003', noon + 9, noon - 1);
    expect(await kept(orgB)).toMatchObject({ outdated: true });
    await cache.markOutdated(dbOf(), portal, '1', noon + 3_600_000);
    await put(orgC, '63003', noon + 9, noon - 1);
    expect([await kept(orgA), await kept(orgC)]).toMatchObject([{ outdated: false }, { outdated: false }]);
  });

  it('keeps an org id, an account owner and a company that was announced apart, if all are one number', async () => {
    await cache.markOutdated(dbOf(), portal, orgA, noon);
    await putUser(orgA, user);
    expect(await kept(orgA)).toBeUndefined();
    expect(await cache.getVersion(dbOf(), portal, orgA)).toBeUndefined();
    expect(await cache.getPayload(dbOf(), portal, orgA, '1')).toBeNull();
    await put(orgA, '1');
    expect(await cache.getUser(dbOf(), portal, orgA)).toEqual({ user, checkedAt: noon });
    expect(await idOf(orgA)).toBe('1');
    expect(await cache.getUser(dbOf(), portal, orgB)).toBeNull();
  });

  it.each(['{', '{}', '"x"'])('takes what another version wrote, such as %s, for nothing', async (written) => {
    await put(orgA, '1');
    await put(orgB, '2');
    await putUser('7', user);
    const columns = { answer: written, payloads: written };
    await dbOf().updateTable('crm_cache').set(columns).where('portal', '=', portal).where('key', '<>', orgB).execute();
    expect([...(await cache.getCompanies(dbOf(), portal, [orgA, orgB])).keys()]).toEqual([orgB]);
    expect(await cache.getPayload(dbOf(), portal, orgA, '1')).toBeNull();
    expect(await cache.getUser(dbOf(), portal, '7')).toBeNull();
  });

  it('forgets every "no such company" of one portal, and nothing else', async () => {
    await put(orgA, '63002');
    const none = new Map([[orgB, entry([])]]);
    // More than one statement deletes.
    const many = Array.from({ length: 210 }, (_, i) => [OrgId.parse(String(700_000_000 + i)), entry([])] as const);
    await cache.putCompanies(dbOf(), portal, new Map([...none, ...many]), noon);
    await cache.putCompanies(dbOf(), `other.${portal}`, none, noon);
    expect(await cache.deleteNegative(dbOf(), portal)).toBe(211);
    expect([...(await cache.getCompanies(dbOf(), portal, [orgA, orgB])).keys()]).toEqual([orgA]);
    expect((await cache.getCompanies(dbOf(), `other.${portal}`, [orgB])).size).toBe(1);
  });

  it('keeps of each entry the latest of many answers, in whatever order several callers write them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(60_000), { minLength: 2, maxLength: 12 }), async (offsets) => {
        count += 1;
        portal = `crm-${count}.example`;
        const writes = offsets.map((offset, i) => {
          const order = i % 2 === 0 ? [orgA, orgB] : [orgB, orgA];
          const answer = entry([String(offset)], noon + offset);
          return cache.putCompanies(dbOf(), portal, new Map(order.map((orgId) => [orgId, answer])), noon);
        });
        await Promise.all(writes);
        const latest = String(Math.max(...offsets));
        expect([await idOf(orgA), await idOf(orgB)]).toEqual([latest, latest]);
      }),
      { numRuns: 20 },
    );
    const both = new Map([orgB, orgA].map((orgId) => [orgId, entry(['early'])]));
    portal = `of each ${portal}`;
    await put(orgA, 'late', noon + 5);
    await cache.putCompanies(dbOf(), portal, both, noon);
    expect([await idOf(orgA), await idOf(orgB)]).toEqual(['late', 'early']);
  });

  it('replaces an answer that a wrong clock dated far ahead', async () => {
    await put(orgA, 'from tomorrow', noon + 24 * 3_600_000);
    await put(orgA, 'now');
    expect(await idOf(orgA)).toBe('now');
    // Clocks of two processes may differ by minutes.
    await put(orgB, 'from the other', noon + 9 * 60_000);
    await put(orgB, 'now');
    expect(await idOf(orgB)).toBe('from the other');
  });

  it('gives account owners back, and that there is none; a later answer alone replaces one', async () => {
    await putUser('7', user);
    await putUser('8', null);
    expect(await cache.getUser(dbOf(), portal, '7')).toEqual({ user, checkedAt: noon });
    expect(await cache.getUser(dbOf(), portal, '8')).toEqual({ user: null, checkedAt: noon });
    expect(await cache.getUser(dbOf(), portal, '9')).toBeNull();
    await putUser('7', { ...user, active: false }, noon + 1);
    await putUser('7', user, noon - 1);
    expect((await cache.getUser(dbOf(), portal, '7'))?.user?.active).toBe(false);
  });

  it('deletes what was last checked before a moment, and counts it', async () => {
    const longAgo = 1_000;
    await put(orgA, 'old', longAgo);
    await put(orgB, 'kept', longAgo + 1);
    await putUser('7', user, longAgo);
    expect(await cache.deleteCheckedBefore(dbOf(), longAgo + 1, 1)).toBe(1);
    expect(await cache.deleteCheckedBefore(dbOf(), longAgo + 1, 100)).toBe(1);
    expect(await cache.deleteCheckedBefore(dbOf(), longAgo + 1, 100)).toBe(0);
    expect([await idOf(orgA), await idOf(orgB)]).toEqual([undefined, 'kept']);
    expect(await cache.getUser(dbOf(), portal, '7')).toBeNull();
  });
}
