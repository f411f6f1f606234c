import { expect, test } from 'vitest';
import { HelpdeskError } from '#helpdesk/errors.ts';
import * as syncs from '#store/syncs.ts';
import { sender } from '#testing/desk-seed.ts';
import { enrichmentWorld, orgId, otherOrgId, ticket } from '#testing/enrichment-kit.ts';
import { failed } from '#testing/fakes.ts';
import { matched, notFound, sampleCompany } from '#testing/sample-companies.ts';

const onPortal = (customer: string | null = null) => ({
  made: { custom_orgid: orgId, owner: sender, raised_by: sender, via_customer_portal: 1, customer },
});
/** The CRM knows the sender's address, so the match is no mere claim. */
const known = () => matched(sampleCompany({ emails: [sender] }));
const storedIn = (w: ReturnType<typeof enrichmentWorld>) => w.desk.routingOf(ticket);
/** What was written to the ticket, but for its link. */
const routes = (w: ReturnType<typeof enrichmentWorld>) => w.desk.writes.filter((write) => write.startsWith('route'));

/** An agent's Sync of the ticket. */
const recordSync = (w: ReturnType<typeof enrichmentWorld>, of: { orgId: typeof orgId; customer: string }) => {
  const sync = { agent: 'an@desk.example', crmCompanyId: '9', previousCustomer: null, at: 1 };
  return syncs.record(w.db, { ticket: w.desk.keyOf(ticket), ...sync, ...of });
};

test('enrichment for a ticket writes when the CRM was asked, and takes back that it had nothing', async () => {
  const w = enrichmentWorld(onPortal());
  w.crm.answer = known;
  const checked = w.clock();
  await w.enrich({ ticket });
  expect(storedIn(w)).toMatchObject({ crmLastCheckedAt: checked, crmNotFoundAt: null });
  w.clock.advance(60_000);
  await w.enrich({ ticket });
  expect(routes(w)).toEqual([`route ${ticket} crmLastCheckedAt`]);
});

test.each([
  ['of a mere claim', () => matched(sampleCompany())],
  ['of a claim that the CRM does not know', () => notFound],
])('where claims are held, nothing is written for a check %s', async (_, answer) => {
  const w = enrichmentWorld({ ...onPortal(), claims: 'hold' });
  w.crm.answer = answer;
  await w.enrich({ ticket });
  expect(routes(w)).toEqual([]);
});

test.each(['hold', 'accept'] as const)(
  'that the CRM failed is on the ticket until it answers (claims %s)',
  async (claims) => {
    const w = enrichmentWorld({ ...onPortal(), claims });
    w.crm.answer = () => failed;
    await w.enrich({ ticket });
    expect(storedIn(w)).toMatchObject({ status: 'API Error', error: 'CRM error: timeout' });
    expect(storedIn(w).crmLastCheckedAt).toBeNull();
    w.crm.answer = () => matched(sampleCompany());
    await w.enrich({ ticket });
    expect(storedIn(w)).toMatchObject({ status: 'Complete', error: null });
  },
);

test.each(['hold', 'accept'] as const)(
  'a stranger whom the helpdesk makes its contact on our own write reads nothing of it (claims %s)',
  async (claims) => {
    const w = enrichmentWorld({ ...onPortal('Shop'), claims });
    w.desk.customers.edit('Shop', { platformOrgId: orgId });
    w.crm.answer = known;
    const stranger = 'ke@hopthu.example';
    w.desk.put('User', stranger, { user_type: 'Website User', enabled: 1, roles: [] });
    w.desk.put('Contact', stranger, { owner: stranger, email_id: sender });
    w.desk.before('route', () => w.desk.put('HD Ticket', ticket, { contact: stranger }));
    await w.enrich({ ticket });
    expect(storedIn(w)).toMatchObject({ crmLastCheckedAt: null, crmNotFoundAt: null });
    await w.enrich({ ticket });
    expect(storedIn(w)).toMatchObject({ crmLastCheckedAt: null, crmNotFoundAt: null });
  },
);

test('another error on the ticket is not taken back by a check', async () => {
  const w = enrichmentWorld(onPortal());
  const error = 'Routing: target team CS 60p does not exist.';
  w.desk.put('HD Ticket', ticket, {
    custom_platform_profile_status: 'API Error',
    custom_platform_profile_error: error,
  });
  await w.enrich({ ticket });
  expect(storedIn(w)).toMatchObject({ status: 'API Error', error });
});

test('nothing is written where the ticket keeps another company’s customer', async () => {
  const w = enrichmentWorld(onPortal('Khác'));
  await recordSync(w, { orgId: otherOrgId, customer: 'Khác' });
  w.desk.customers.set('Khác', { platformOrgId: otherOrgId });
  w.crm.answer = known;
  expect((await w.enrich({ ticket })).ticket?.linked).toBe(false);
  expect(routes(w)).toEqual([]);
});

test('a helpdesk that fails at this does not fail the enrichment, and another’s write is not lost', async () => {
  const w = enrichmentWorld(onPortal());
  w.crm.answer = known;
  w.desk.failNext('tickets.write', new HelpdeskError('unavailable', 'down'));
  expect((await w.enrich({ ticket })).status).toBe('matched');
  w.desk.before('route', () => w.desk.personSetsStatus(ticket, 'Replied'));
  await w.enrich({ ticket });
  expect(w.desk.ticket(ticket).status).toBe('Replied');
  expect(storedIn(w).crmLastCheckedAt).toBe(w.clock());
});
