import type { OrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import { sender } from '#app/testing/desk-seed.ts';
import { enrichmentWorld, orgId, otherOrgId, ticket } from '#app/testing/enrichment-kit.ts';
import { decisionDraft } from '#app/testing/pipeline/decision-draft.ts';
import { sampleCompany } from '#app/testing/sample-companies.ts';
import type { CompanyHit } from '#domain/find/found-company.ts';
import { considerAdoption } from './consider-adoption.ts';
import { undoAdoption } from './undo-adoption.ts';

const { signal } = new AbortController();
const somebody = 'x@else.example';

type Known = Pick<CompanyHit, 'orgId' | 'crmId'>;

/** A company that has the sender's address. */
function hitOf(known: Known): CompanyHit {
  const marks = { orgIds: [], names: [], addresses: [], emails: [sender], phones: [], people: [] };
  const nothing = { name: null, url: null, plan: null, planExpiresAt: null, modifiedAt: null };
  return { ...known, ...nothing, isFirst: true, marks };
}

/** A ticket whose customer `Acme` somebody made by hand, with a sender whom the desk made a member. */
function world({ name = 'Acme', members = [sender, somebody] } = {}) {
  const w = enrichmentWorld({ made: { custom_orgid: orgId, customer: name } });
  for (const address of members) w.desk.addMember(name, address);
  const ctx = { ...w.ctx, crm: w.layers };
  const company = sampleCompany({ emails: [sender] }, { company_name: `ACME - ${orgId}` });
  const looked = {
    status: 'matched',
    outcome: 'matched',
    value: orgId,
    checkedAt: 1,
    stale: false,
    error: null,
  } as const;
  const consider = async (level: 'likely' | 'claimed' = 'likely') => {
    const file = await w.desk.fileOf(ticket);
    const trust = { level, evidence: [] };
    return considerAdoption(
      ctx,
      { file, candidate: { orgId }, looked: { ...looked, companies: [company] }, trust },
      signal,
    );
  };
  const decided = async (on: string, org: OrgId, level: 'likely' | 'claimed', customer = name) => {
    if (!w.desk.customers.has(customer)) w.desk.customers.set(customer);
    w.desk.insert(on, { custom_orgid: org, customer });
    const org_id = { value: org, source: 'ticket', field: 'custom_orgid', trust: { level, evidence: [] } };
    await w.decisions.add(decisionDraft(on, { org_id }), 0, null);
  };
  const orgIdOf = () => w.desk.customers.get(name)?.platformOrgId ?? null;
  return { ...w, ctx, consider, decided, orgIdOf };
}

/** What somebody does who manages the customer on the portal, and saves it. */
function managed({ desk }: ReturnType<typeof world>, user: string) {
  if (!desk.document('Contact', user)) desk.addMember('Acme', user);
  desk.put('Contact', user, { user });
  const members = desk.document('HD Customer', 'Acme')?.contacts as { contact_name: string }[];
  const contacts = members.map((row) => ({ ...row, is_manager: row.contact_name === user ? 1 : 0 }));
  desk.save('HD Customer', 'Acme', { contacts }, user);
}

test('a customer of the company’s name becomes the company, by nobody’s word and with the evidence', async () => {
  const w = world();
  const evidence = { for: [{ code: 'same_name', value: 'Acme' }], against: [] };
  expect(await w.consider()).toEqual({ customer: 'Acme', evidence, done: true });
  expect([w.orgIdOf(), [...w.desk.customers.keys()]]).toEqual([orgId, ['Acme']]);
  expect(w.adoptions.entries).toMatchObject([{ by: null, via: 'pipeline', ticket, evidence }]);
  // Once it is the company, the adoption's own record tells of it.
  expect(await w.consider()).toBeNull();
  expect([w.adoptions.entries.length, w.crm.searches]).toEqual([1, 0]);
});

test.each([
  ['a claim', (w: ReturnType<typeof world>) => w.consider('claimed')],
  ['a sender whom nobody of the desk put there', () => world({ members: [somebody] }).consider()],
  ['no more fact', () => world({ name: 'Khách quen' }).consider()],
])('%s is offered at most, and nothing is written', async (_, consider) => {
  const w = world();
  expect(await consider(w)).toMatchObject({ done: false });
  expect([w.desk.writes, w.adoptions.entries]).toEqual([[], []]);
});

test('an earlier ticket that was likely another company’s is against it; what a sender typed is not', async () => {
  const typed = world();
  await typed.decided('7', otherOrgId, 'claimed');
  expect(await typed.consider()).toMatchObject({ done: true });
  const likely = world();
  await likely.decided('7', otherOrgId, 'likely', 'Theirs');
  await likely.decided('8', otherOrgId, 'likely');
  const against = [
    { code: 'other_company', value: otherOrgId },
    { code: 'member_elsewhere', value: sender },
  ];
  expect(await likely.consider()).toMatchObject({ done: false, evidence: { against } });
  expect(likely.desk.writes).toEqual([]);
});

test('one that somebody of no such company manages on the portal is left to an agent', async () => {
  const w = world();
  managed(w, 'sly@else.example');
  const against = [{ code: 'written_by_other', value: 'sly@else.example' }];
  expect(await w.consider()).toMatchObject({ done: false, evidence: { against } });
  expect(w.desk.writes).toEqual([]);
});

test('one that a member of the company manages becomes it', async () => {
  const w = world();
  managed(w, sender);
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
  const w = world({ name: 'Khách quen', members: [sender] });
  w.crm.search =
    companies === null
      ? { companies: [], isCut: false, failed: 'timeout' }
      : { companies: companies.map(hitOf), isCut: false, failed: null };
  expect(await w.consider()).toMatchObject({ done });
  expect([w.crm.searches, w.orgIdOf()]).toEqual([1, done ? orgId : null]);
});

test('a customer of a company, and one whose company has another customer, are left to others', async () => {
  const named = world({ name: `Shop - ${otherOrgId}` });
  expect(await named.consider()).toBeNull();
  const twin = world();
  twin.desk.customers.set('Shop', { platformOrgId: orgId });
  expect(await twin.consider()).toBeNull();
  expect([named.desk.writes, twin.desk.writes]).toEqual([[], []]);
});
