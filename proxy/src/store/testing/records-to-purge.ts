import { OrgId } from '@deskside/shared/orgid';
import type { Store } from '#store/database.ts';
import * as decisions from '#store/decisions.ts';
import * as leases from '#store/leases.ts';
import * as profileCache from '#store/profile-cache.ts';
import * as syncs from '#store/syncs.ts';
import * as tickets from '#store/tickets.ts';
import { cachedCompany } from './cached-company.ts';
import { draftOf } from './decision-draft.ts';
import { insertedTicket, keepInsert } from './inserted.ts';

export const noon = Date.UTC(2026, 10, 20, 12);
export const creation = '2026-11-20 12:00:00.000001';
export const lan = 'lan.nguyen@shop.example';
export const agent = 'binh@desk.example';
export const orgId = OrgId.parse('200000376001');
export const other = OrgId.parse('2000003760012');
export const customer = 'Gốm Sứ Làng Mơ';
export const portal = 'crm.example';

/**
 * What is purged, and what must stay. Tickets t1, t2, t4, t5 and t8 are the company's (of t5 only the helpdesk knows), t6
 * and t9 are named by an address, t3 and t14 are another's.
 */
export async function putRecords(store: Store): Promise<void> {
  const decide = async (ticket: string, after: number, changes: (draft: ReturnType<typeof draftOf>) => object) => {
    const draft = draftOf(ticket);
    const base = { ...draft, inputs: { ...draft.inputs, ticket_creation: creation } };
    const turn = after === 0 ? { team: 'CS 60p', members: [agent], eligible: [agent] } : null;
    await decisions.add(store.db, { ...base, ...changes(base) }, after, ticket === 't1' ? turn : null);
  };
  const claimed = (value: string, evidence: object[]) => (draft: ReturnType<typeof draftOf>) => ({
    inputs: {
      ...draft.inputs,
      org_id: { value, source: 'ticket', field: 'custom_orgid', trust: { level: 'claimed', evidence } },
    },
    assignment: { state: 'none', agent, candidates: [{ user: agent, reason: 'next_in_turn' }] },
  });
  await decide('t1', 0, claimed(orgId, [{ code: 'sender_not_of_company', value: lan }]));
  await decide('t1', 1, claimed(orgId, [{ code: 'entered_by_agent', value: agent }]));
  await decide('t2', 0, (draft) => ({ link: { customer, previous: null, done: true }, inputs: draft.inputs }));
  await decide('t3', 0, claimed(other, [{ code: 'entered_by_agent', value: agent }]));
  await decide('t5', 0, (draft) => ({
    inputs: { ...draft.inputs, findings: [{ ...draft.inputs.findings[0], quote: 't5 quotes the company' }] },
  }));
  const sync = (name: string, changes: object) => {
    const entry = { agent, orgId: other, crmCompanyId: '7', customer: 'x', previousCustomer: null, at: noon };
    return syncs.record(store.db, { ...entry, ticket: { name, creation }, ...changes });
  };
  await sync('t4', { orgId });
  await sync('t6', { agent: 'an', customer: lan, previousCustomer: customer });
  await sync('t7', { agent: `an.${lan}`, previousCustomer: 'y' });
  await decisions.keepPreliminary(store.db, { key: 'k', team: 'CS 60p', reason: 'Auto-routed.', at: noon });
  const inserted = insertedTicket({ creation, owner: agent, raisedBy: null, contact: null });
  const withId = { orgIds: [orgId] };
  await keepInsert(store.db, 't1', { ...inserted, ...withId, raisedBy: lan }, noon);
  await keepInsert(store.db, 't3', inserted, noon);
  // Of these no webhook told: one has carried the org id, one is the person's, one another's.
  const carried = { creation, raisedBy: `an.${lan}`, orgIds: [] };
  await tickets.noteCarried(store.db, { ...carried, name: 't8', orgIds: [other, orgId] }, noon);
  await tickets.noteCarried(store.db, { ...carried, name: 't9', raisedBy: lan.toUpperCase(), orgIds: [other] }, noon);
  await tickets.noteCarried(store.db, { ...carried, name: 't14', orgIds: [other] }, noon);
  await leases.take(store, [`enrich ${orgId}`, `enrich ${other}`], 'dead', -noon);
  const answer = (id: OrgId, emails: string[]) => {
    const { fields, ...rest } = cachedCompany(`6${id.length}`);
    const named = { ...fields, company_id: id, title_full: `Shop - ${id}` };
    const companies = [{ ...rest, emails, contacts: [], fields: named }];
    return [id, { companies, answeredAt: { UF_CRM_COMPANY_ID: noon }, checkedAt: noon, payloads: {} }] as const;
  };
  const answers = new Map([answer(orgId, [lan]), answer(other, [`an.${lan}`, `${lan}.vn`])]);
  await profileCache.putCompanies(store.db, portal, answers, noon);
  const user = (id: string, email: string) =>
    [id, { user: { id: '7', active: true, email, name: 'Lan', userType: 'employee' }, checkedAt: noon }] as const;
  const users = new Map([user('7', lan.toUpperCase()), user('8', 'hà@crm.example')]);
  await profileCache.putUsers(store.db, portal, users);
}
