import { describe, expect, test } from 'vitest';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { enrichmentWorld, newName, orgId, otherOrgId, ticket } from '#testing/enrichment-kit.ts';
import { matched, modifiedAt, sampleCompany } from '#testing/sample-companies.ts';

const minute = 60_000;
const own = { platformOrgId: orgId, crmCompanyId: '63001', companyModifiedAt: modifiedAt };

describe('traps', () => {
  test('T5: the other companies of the org id are told, and a customer that stood for one of them', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('Shop', { ...own, crmCompanyId: '63101' });
    w.crm.answer = () => matched(sampleCompany(), sampleCompany({}, { bitrix_id: '63101' }));
    expect(await w.enrich()).toMatchObject({
      company: { id: '63001' },
      alternatives: [{ bitrix_id: '63101' }],
      conflict: { code: 'other_company_matched', asked: '63101', found: '63001' },
    });
  });

  test('T9: a name that another org’s customer has is a conflict, not an overwriting', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set(newName, { platformOrgId: otherOrgId });
    await expect(w.enrich()).rejects.toMatchObject({
      code: 'identity_conflict',
      conflict: { asked: orgId, found: otherOrgId },
    });
    expect(w.desk.customers.get(newName)).toEqual({ platformOrgId: otherOrgId });
  });

  test('a save that fails is never reported as matched', async () => {
    const w = enrichmentWorld();
    w.desk.customers.set('Shop', { platformOrgId: orgId });
    w.desk.failNext('customers.update', new HelpdeskError('rejected', 'no such option'));
    await expect(w.enrich()).rejects.toMatchObject({ code: 'helpdesk_bad_answer' });
  });

  test('the raw CRM record is not in the answer', async () => {
    const w = enrichmentWorld();
    w.crm.answer = () => matched(sampleCompany({ payload: '{"SECRET":"canary-9d1"}' }));
    expect(JSON.stringify(await w.enrich({ ticket }))).not.toContain('canary-9d1');
  });

  test('a crash between customer and snapshot is made up for by the next enrichment', async () => {
    const w = enrichmentWorld();
    await w.enrich();
    w.desk.customers.clearSnapshots();
    w.desk.writes.length = 0;
    expect((await w.enrich()).snapshot).toBe('written');
    expect(w.desk.writes).toEqual(['snapshot 63001']);
  });

  test('unchanged data: no business write over 100 enrichments, no write at all within one second', async () => {
    const w = enrichmentWorld();
    await w.enrich({ ticket });
    w.desk.writes.length = 0;
    for (let i = 0; i < 10; i += 1) await w.enrich({ force: true, ticket });
    expect(w.desk.writes).toEqual([]);
    for (let i = 0; i < 90; i += 1) {
      w.clock.advance(minute);
      await w.enrich({ force: true, ticket });
    }
    expect(new Set(w.desk.writes)).toEqual(new Set([`update ${newName} lastCheckedAt`]));
  });
});
