import { describe, expect, test } from 'vitest';
import type { World } from '../../demo/world.ts';
import { call } from '../enrichment-kit.ts';
import { customersOf, putHandMade } from '../hand-made.ts';
import { profileOf } from '../kit.ts';
import { decisionsOf, routedWorld, settle, ticketOf } from '../pipeline-kit.ts';

const rulesOf = (claims: string) => new URL(`../rules/${claims}.json`, import.meta.url).pathname;
/** A company that the CRM knows and no customer stands for yet; its shop's owner. */
const orgId = '1000700232';
const owner = 'owner@phohoi.example';
/** The company's name as somebody typed it. */
const byHand = 'đèn lồng phố hội';
const colleague = 'ke.toan@dich-vu.example';

const mailFrom = async (w: World, from: string, id = orgId) => {
  const name = await w.helpdesk.receiveMail({ from, subject: 'Không in được đơn', text: `Xin chào,\nOrg ID: ${id}` });
  await settle(w);
  return name;
};

describe.each(['1.24', '1.28'] as const)('a customer made by hand, Helpdesk %s, claims accepted', (generation) => {
  const accepting = () => routedWorld({ generation, environment: { RULES_FILE: rulesOf('accept') } });

  test('becomes the company by a mail of its own address; a metajson call afterwards finds it', async () => {
    const w = await accepting();
    putHandMade(w, byHand, [owner, colleague]);
    const ticket = await mailFrom(w, owner);
    expect(await customersOf(w, orgId)).toEqual([byHand]);
    expect(ticketOf(w, ticket)).toMatchObject({ customer: byHand, orgId, status: 'Complete' });
    const [decision] = await decisionsOf(w, ticket);
    expect(decision?.inputs).toMatchObject({
      org_id: { value: orgId, trust: { level: 'likely' } },
      customer: { name: byHand, org_id: orgId },
      adoption: { customer: byHand, done: true },
    });
    const enriched = await call(w, 'enrichCompany', { orgid: orgId, ticket });
    expect(enriched).toMatchObject({ hd_customer: byHand, created: false, ticket: { linked: true } });
    expect(await customersOf(w, orgId)).toEqual([byHand]);
    // Whoever writes next is of the company, and nothing is offered or done again.
    const next = await mailFrom(w, owner);
    expect((await decisionsOf(w, next))[0]?.inputs.adoption).toBeUndefined();
    expect(ticketOf(w, next).customer).toBe(byHand);
  });

  test('that became the company is what it was after an undo, and is not taken again', async () => {
    const w = await accepting();
    putHandMade(w, byHand, [owner, colleague]);
    w.helpdesk.put('HD Customer', {
      ...w.helpdesk.document('HD Customer', byHand),
      name: byHand,
      custom_shopplan_name: 'typed',
    });
    const ticket = await mailFrom(w, owner);
    const later = await mailFrom(w, owner);
    const { adopted, adoption } = (await profileOf(w, later)).bitrix;
    expect(adopted).toMatchObject({ customer: byHand, by: null, via: 'pipeline' });
    expect(adoption).toBeUndefined();
    const undo = { ticket: later, action: 'undo', sync_id: adopted?.id } as const;
    const undone = await call(w, 'syncTicketCustomer', undo);
    expect(undone).toMatchObject({ customer: { name: byHand, adopted: true }, ticket: { customer: byHand } });
    expect(undone.changes).toContainEqual({ field: 'custom_shopplan_name', from: 'STANDARD', to: 'typed' });
    expect(await customersOf(w, orgId)).toEqual([]);
    expect((await profileOf(w, ticket)).bitrix.adopted).toBeUndefined();
    expect(await call(w, 'syncTicketCustomer', undo)).toMatchObject({ changes: [] });
    const next = await mailFrom(w, owner);
    expect((await profileOf(w, next)).bitrix.adoption).toEqual({ customer: byHand });
  });
});
