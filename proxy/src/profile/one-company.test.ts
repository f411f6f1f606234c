import type { OrgId } from '@deskside/shared/orgid';
import { describe, expect, test } from 'vitest';
import { sender } from '#testing/desk-seed.ts';
import { fakeCrm } from '#testing/fakes.ts';
import { orgId, profileWorld } from '#testing/profile-kit.ts';
import { company } from '#testing/sample-company.ts';
import { rejectEarlier } from '#trust/testing/rejected.ts';

const theirs = '200000376001' as OrgId;
/**
 * A ticket on which its sender typed another org id than that of its customer. `emails`: the sender's address as the CRM has
 * it, by org id.
 */
function world(emails: Partial<Record<string, string[]>> = {}, found: string[] = [orgId, theirs]) {
  const companies = found.map((id) => [id, company(id as OrgId, { emails: emails[id] ?? [] })]);
  const crm = fakeCrm(Object.fromEntries(companies));
  const made = { custom_orgid: theirs, owner: sender, raised_by: sender };
  const w = profileWorld({ made, crm });
  w.desk.customers.set('Shop', { platformOrgId: orgId });
  w.desk.setsCustomer('61307', 'Shop');
  return w;
}

describe('where the ticket and its customer name different companies', () => {
  test('the better vouched for is shown, the other one is named with its trust', async () => {
    const w = world({ [orgId]: [sender] });
    const { bitrix, pending } = await w.get();
    expect(bitrix).toMatchObject({ lookup_value: orgId, company: { company_id: orgId } });
    expect(bitrix.lookup_trust?.level).toBe('confirmed');
    expect(bitrix.also_named).toMatchObject([
      { org_id: theirs, source: 'ticket', field: 'custom_orgid', company_name: expect.any(String) },
    ]);
    expect(bitrix.also_named[0]?.trust?.level).toBe('claimed');
    // With its whole file: it can be shown without another request.
    const other = bitrix.also_named[0]?.file;
    expect(other).toMatchObject({ status: 'matched', stale: false, company: { company_id: theirs }, alternatives: [] });
    expect(bitrix.responsible).not.toBeNull();
    expect(other?.responsible?.status).toBe(bitrix.responsible?.status);
    expect(w.crm.requests).toHaveLength(1);
    expect(bitrix.lookup_candidates).toEqual([theirs, orgId]);
    expect(pending).toEqual([]);
  });

  test('the answer waits for what the helpdesk says about the sender, so that the company never changes', async () => {
    const w = world({ [orgId]: [sender] });
    // The helpdesk is asked whose account that is.
    w.desk.put('Contact', 'Vy', { owner: 'an@desk.example', email_id: sender });
    w.desk.put('HD Ticket', '61307', { contact: 'Vy' });
    const { isWebsiteUser } = w.desk.helpdesk.people;
    w.desk.helpdesk.people.isWebsiteUser = async (...asked) => {
      await new Promise(setImmediate);
      return isWebsiteUser(...asked);
    };
    for (let times = 0; times < 2; times += 1) {
      const { bitrix, pending } = await w.get();
      expect(bitrix).toMatchObject({ lookup_value: orgId, lookup_trust: { level: 'confirmed' } });
      expect(pending).toEqual([]);
    }
    expect(w.desk.calls).toContain('people.isWebsiteUser');
  });

  test('what cannot be judged is not called a claim, and comes with the next answer', async () => {
    const w = world();
    w.desk.put('HD Ticket', '61307', { owner: 'an@desk.example' });
    const { isDesk } = w.desk.helpdesk.people;
    w.desk.helpdesk.people.isDesk = async () => Promise.reject(new Error('down'));
    const { bitrix, pending } = await w.get();
    expect([bitrix.lookup_value, bitrix.lookup_trust, pending]).toEqual([theirs, null, ['lookup_trust']]);
    expect(bitrix.also_named).toMatchObject([{ org_id: orgId, trust: null }]);
    await w.background.idle();
    expect(w.told()).toEqual([]);
    w.desk.helpdesk.people.isDesk = isDesk;
    expect(await w.get()).toMatchObject({ bitrix: { lookup_trust: { level: 'claimed' } }, pending: [] });
  });
});

describe('where an agent has rejected the company of one of them, by the CRM’s id', () => {
  const third = '1900000001' as OrgId;
  /** The CRM has it under the ticket's org id, where another one stood when it was rejected. */
  async function rejecting(other: 'not_found' | 'error') {
    const w = world({}, [theirs]);
    const { answer } = w.crm;
    if (other === 'error')
      w.crm.answer = (id) => (id === orgId ? { kind: 'failed', code: 'server_error' } : answer(id));
    const of = answer(theirs);
    const crmCompanyId = of.kind === 'found' ? of.companies[0].fields.bitrix_id : null;
    await rejectEarlier(w.db, { orgId: third, crmCompanyId });
    return w;
  }

  test.each(['not_found', 'error'] as const)('the status is that of the other one: %s', async (status) => {
    const { bitrix } = await (await rejecting(status)).get();
    expect(bitrix).toMatchObject({ configured: true, status, lookup_candidates: [orgId], lookup_value: orgId });
    expect(bitrix).toMatchObject({ company: null, lookup_trust: null });
  });
});
