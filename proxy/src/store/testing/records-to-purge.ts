import { OrgId } from '@deskside/shared/orgid';
import { turnIn } from '#routing/round-robin.ts';
import type { Store } from '#store/database.ts';
import * as decisions from '#store/decisions.ts';
import * as leases from '#store/leases.ts';
import * as syncs from '#store/syncs.ts';
import * as tickets from '#store/tickets.ts';
import { cachedCompany } from './cached-company.ts';
import { draftOf } from './decision-draft.ts';
import { keepInsert } from './inserted.ts';

export const noon = Date.UTC(2026, 10, 20, 12);
export const creation = '2026-11-20 12:00:00.000001';
export const lan = 'lan.nguyen@shop.example';
export const agent = 'binh@desk.example';
export const orgId = OrgId.parse('200000376001');
export const other = OrgId.parse('2000003760012');
export const customer = 'Gốm Sứ Làng Mơ';
export const portal = 'crm.example';
export const by = 'company_id_then_platform_orgid';

/**
 * What is purged, and what must stay. Tickets t1, t2, t4, t5 and t8 are the company's (of t5 only the helpdesk knows), t6
 * and t9 are named by an address, t3 and t14 are another's.
 */
export async function putRecords(store: Store): Promise<void> {
  const decide = async (ticket: string, after: number, changes: (draft: ReturnType<typeof draftOf>) => object) => {
    const draft = draftOf(ticket);
    const base = { ...draft, inputs: { ...draft.inputs, ticket_creation: creation } };
    const turn = after === 0 ? turnIn('CS 60p', [agent]) : null;
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
  const sync = { agent, crmCompanyId: '7', at: noon };
  await syncs.record(store.db, {
    ...sync,
    ticket: { name: 't4', creation },
    orgId,
    customer: 'x',
    previousCustomer: null,
  });
  await syncs.record(store.db, {
    ...sync,
    ticket: { name: 't6', creation },
    agent: 'an',
    orgId: other,
    customer: lan,
    previousCustomer: customer,
  });
  await syncs.record(store.db, {
    ...sync,
    ticket: { name: 't7', creation },
    agent: `an.${lan}`,
    orgId: other,
    customer: 'x',
    previousCustomer: 'y',
  });
  await decisions.keepPreliminary(store.db, { key: 'k', team: 'CS 60p', reason: 'Auto-routed.', at: noon });
  const inserted = {
    creation,
    owner: agent,
    raisedBy: null,
    contact: null,
    agentGroup: null,
    splitFrom: null,
    orgIdFields: [],
  };
  const withId = { orgIdFields: [{ field: 'custom_orgid', value: orgId }] };
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
    const companies = [
      { ...rest, emails, contacts: [], fields: { ...fields, company_id: id, title_full: `Shop - ${id}` } },
    ];
    return { companies, checkedAt: noon };
  };
  await store.profileCache.putCompanies(
    portal,
    by,
    new Map([
      [orgId, answer(orgId, [lan])],
      [other, answer(other, [`an.${lan}`, `${lan}.vn`])],
    ]),
    noon,
  );
  const both = 'platform_orgid_then_company_id';
  await store.profileCache.putCompanies(portal, both, new Map([[orgId, answer(orgId, [])]]), noon);
  const user = (email: string) => ({ id: '7', active: true, email, name: 'Lan', userType: 'employee' });
  await store.profileCache.putUsers(
    portal,
    new Map([
      ['7', { user: user(lan.toUpperCase()), checkedAt: noon }],
      ['8', { user: user('hà@crm.example'), checkedAt: noon }],
    ]),
  );
}
