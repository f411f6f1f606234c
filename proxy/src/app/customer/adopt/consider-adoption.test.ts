import type { OrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import { crmCompany, enrichmentWorld, orgId, otherOrgId, ticket } from '#app/testing/enrichment-kit.ts';
import { hdCustomer, oneHelpdesk, ticketFile } from '#app/testing/fake-helpdesk.ts';
import { decisionDraft } from '#app/testing/pipeline/decision-draft.ts';
import type { CustomerMember } from '#domain/customer/judge-adoption.ts';
import type { CompanyHit } from '#domain/find/found-company.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { type ConsiderNeeds, considerAdoption } from './consider-adoption.ts';
import { undoAdoption } from './undo-adoption.ts';

const sender = 'vy@shop.example';
const { signal } = new AbortController();
const vy: CustomerMember = { emails: [sender], phones: [], isPutThere: true, isDesks: true };
const somebody: CustomerMember = { ...vy, emails: ['x@else.example'] };

type Known = Pick<CompanyHit, 'orgId' | 'crmId'>;

/** A company that has the sender's address. */
function hitOf(known: Known): CompanyHit {
  const marks = { orgIds: [], names: [], addresses: [], emails: [sender], phones: [], people: [] };
  const nothing = { name: null, url: null, plan: null, planExpiresAt: null, modifiedAt: null };
  return { ...known, ...nothing, isFirst: true, marks };
}

/** A ticket whose customer `Acme` somebody made by hand, with a sender whom the desk made a member. */
function world({ name = 'Acme', members = [vy, somebody] } = {}) {
  const w = enrichmentWorld({ file: ticketFile(ticket, orgId, { customer: name }) });
  w.records.customers.set(name, {});
  const { decisions } = memoryStore();
  const around: Awaited<ReturnType<ConsiderNeeds['helpdesk']['readTicketsAround']>> = [];
  const known = { companies: [] as Known[] | null, asked: 0 };
  const people: Pick<ConsiderNeeds['helpdesk'], 'readCustomerPeople' | 'readTicketsAround'> = {
    async readCustomerPeople(customer, within) {
      const found = await w.helpdesk.readCustomerPeople(customer, within);
      return found && { ...found, domain: null, members };
    },
    readTicketsAround: async () => around,
  };
  const ctx: ConsiderNeeds = {
    ...w.ctx,
    decisions,
    helpdesk: oneHelpdesk(people, w.records, {}),
    crm: {
      async searchCompanies() {
        known.asked += 1;
        if (known.companies === null) return { companies: [], isCut: false, failed: 'timeout' };
        return { companies: known.companies.map(hitOf), isCut: false, failed: null };
      },
    },
  };
  const company = crmCompany({ emails: [sender] }, { company_name: `ACME - ${orgId}` });
  const looked = {
    status: 'matched',
    outcome: 'matched',
    value: orgId,
    checkedAt: 1,
    stale: false,
    error: null,
  } as const;
  const consider = (level: 'likely' | 'claimed' = 'likely') => {
    const facts = w.records.customers.get(name);
    const file = ticketFile(ticket, orgId, { customer: name });
    file.customer = hdCustomer(name, { custom_platform_orgid: facts?.platformOrgId ?? null });
    const trust = { level, evidence: [] };
    return considerAdoption(
      ctx,
      { file, candidate: { orgId }, looked: { ...looked, companies: [company] }, trust },
      signal,
    );
  };
  const decided = async (on: string, org: OrgId, level: 'likely' | 'claimed', customer: string | null = name) => {
    around.push({ name: on, customer, raisedBy: sender });
    const org_id = { value: org, source: 'ticket', field: 'custom_orgid', trust: { level, evidence: [] } };
    await decisions.add(decisionDraft(on, { org_id }), 0, null);
  };
  const orgIdOf = () => w.records.customers.get(name)?.platformOrgId ?? null;
  return { ...w, ctx, known, consider, decided, orgIdOf };
}

test('a customer of the company’s name becomes the company, by nobody’s word and with the evidence', async () => {
  const w = world();
  const evidence = { for: [{ code: 'same_name', value: 'Acme' }], against: [] };
  expect(await w.consider()).toEqual({ customer: 'Acme', evidence, done: true });
  expect([w.orgIdOf(), [...w.records.customers.keys()]]).toEqual([orgId, ['Acme']]);
  expect(w.adoptions.entries).toMatchObject([{ by: null, via: 'pipeline', ticket, evidence }]);
  // The same run again, after a crash before its decision was recorded.
  expect(await w.consider()).toEqual({ customer: 'Acme', evidence, done: true });
  expect([w.adoptions.entries.length, w.known.asked]).toEqual([1, 0]);
});

test.each([
  ['a claim', (w: ReturnType<typeof world>) => w.consider('claimed')],
  ['a sender whom nobody of the desk put there', () => world({ members: [somebody] }).consider()],
  ['no more fact', () => world({ name: 'Khách quen' }).consider()],
])('%s is offered at most, and nothing is written', async (_, consider) => {
  const w = world();
  expect(await consider(w)).toMatchObject({ done: false });
  expect([w.records.writes, w.adoptions.entries]).toEqual([[], []]);
});

test('an earlier ticket that was likely another company’s is against it; what a sender typed is not', async () => {
  const typed = world();
  await typed.decided('7', otherOrgId, 'claimed');
  expect(await typed.consider()).toMatchObject({ done: true });
  const likely = world();
  await likely.decided('7', otherOrgId, 'likely');
  await likely.decided('8', otherOrgId, 'likely', 'Theirs');
  const against = [
    { code: 'other_company', value: otherOrgId },
    { code: 'member_elsewhere', value: sender },
  ];
  expect(await likely.consider()).toMatchObject({ done: false, evidence: { against } });
  expect(likely.records.writes).toEqual([]);
});

test('one that somebody of no such company manages on the portal is left to an agent', async () => {
  const w = world();
  w.helpdesk.desk.save('Contact', 'Sly', { first_name: 'Sly', user: 'sly@else.example', email_ids: [], links: [] });
  w.helpdesk.desk.save('HD Customer', 'Acme', { contacts: [{ contact_name: 'Sly', is_manager: 1 }] });
  const against = [{ code: 'written_by_other', value: 'sly@else.example' }];
  expect(await w.consider()).toMatchObject({ done: false, evidence: { against } });
  expect(w.records.writes).toEqual([]);
});

test('one that a member of the company manages becomes it', async () => {
  const w = world();
  w.helpdesk.desk.save('Contact', 'Vy', { first_name: 'Vy', user: sender, email_ids: [], links: [] });
  w.helpdesk.desk.save('HD Customer', 'Acme', { contacts: [{ contact_name: 'Vy', is_manager: 1 }] }, sender);
  expect(await w.consider()).toMatchObject({ done: true });
});

test('one that was given back is not taken again', async () => {
  const w = world();
  await w.consider();
  await undoAdoption(w.ctx, w.adoptions.entries[0]?.id ?? '', signal);
  expect(w.orgIdOf()).toBeNull();
  expect(await w.consider()).toMatchObject({ done: false, evidence: { against: [{ code: 'taken_back' }] } });
});

test.each<[string, Known[] | null, boolean]>([
  ['of this company alone', [{ orgId, crmId: '63001' }], true],
  [
    'of two, a bookkeeper',
    [
      { orgId, crmId: '63001' },
      { orgId: otherOrgId, crmId: '7' },
    ],
    false,
  ],
  ['of nobody knows whom, as the CRM failed', null, false],
])('where its only member is all there is, it must be %s', async (_, companies, done) => {
  const w = world({ name: 'Khách quen', members: [vy] });
  w.known.companies = companies;
  expect(await w.consider()).toMatchObject({ done });
  expect([w.known.asked, w.orgIdOf()]).toEqual([1, done ? orgId : null]);
});

test('a customer of a company, and one whose company has another customer, are left to others', async () => {
  const named = world({ name: `Shop - ${otherOrgId}` });
  expect(await named.consider()).toBeNull();
  const twin = world();
  twin.records.customers.set('Shop', { platformOrgId: orgId });
  expect(await twin.consider()).toBeNull();
  expect([named.records.writes, twin.records.writes]).toEqual([[], []]);
});
