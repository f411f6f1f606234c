import { describe, expect, test } from 'vitest';
import {
  crmCompany,
  enrichmentWorld,
  failed,
  matched,
  notFound,
  orgId,
  otherOrgId,
  ticket,
} from '#app/testing/enrichment-kit.ts';
import { ticketFile } from '#app/testing/fake-helpdesk.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';

const sender = 'vy@shop.example';
const file = (customer: string | null = null) =>
  ticketFile(ticket, orgId, {
    customer,
    origin: { owner: sender, raisedBy: sender, viaCustomerPortal: true },
  });
/** The CRM knows the sender's address, so the match is no mere claim. */
const known = () => matched(crmCompany({ emails: [sender] }));
const storedIn = (w: ReturnType<typeof enrichmentWorld>) => w.tickets.tickets.get(ticket)?.stored;

test('enrichment for a ticket writes when the CRM was asked, and takes back that it had nothing', async () => {
  const w = enrichmentWorld({ file: file() });
  w.crm.answer = known;
  const checked = w.clock();
  await w.enrich({ ticket });
  expect(storedIn(w)).toMatchObject({ crmLastCheckedAt: checked, crmNotFoundAt: null });
  w.clock.advance(60_000);
  await w.enrich({ ticket });
  expect(w.tickets.writes).toEqual([`route ${ticket} crmLastCheckedAt`]);
});

test('that the CRM has no company is written too', async () => {
  const w = enrichmentWorld({ file: file('Shop') });
  const sync = { ticket, agent: 'an@desk.example', crmCompanyId: '9', previousCustomer: null, at: 1 };
  await w.syncLog.record({ ...sync, orgId, customer: 'Shop' });
  w.crm.answer = () => notFound;
  await w.enrich({ ticket });
  expect(storedIn(w)).toMatchObject({ crmLastCheckedAt: w.clock(), crmNotFoundAt: w.clock() });
});

describe.each(['route', 'propose'] as const)('claims: %s', (claims) => {
  test.each([
    ['of a mere claim', () => matched(crmCompany())],
    ['of a claim that the CRM does not know', () => notFound],
  ])('nothing is written for a check %s', async (_, answer) => {
    const w = enrichmentWorld({ file: file(), claims });
    w.crm.answer = answer;
    await w.enrich({ ticket });
    expect(w.tickets.writes).toEqual([]);
  });
});

test('where claims are accepted, a claim’s ticket has the times of its check too', async () => {
  const w = enrichmentWorld({ file: file(), claims: 'accept' });
  await w.enrich({ ticket });
  expect(storedIn(w)).toMatchObject({ crmLastCheckedAt: w.clock(), crmNotFoundAt: null });
  w.crm.answer = () => notFound;
  await w.enrich({ ticket });
  expect(storedIn(w)).toMatchObject({ crmNotFoundAt: w.clock() });
});

test.each(['route', 'accept'] as const)(
  'that the CRM failed is on the ticket until it answers (claims %s)',
  async (claims) => {
    const w = enrichmentWorld({ file: file(), claims });
    w.crm.answer = () => failed;
    await w.enrich({ ticket });
    expect(storedIn(w)).toMatchObject({ status: 'API Error', error: 'CRM error: timeout' });
    expect(storedIn(w)).not.toHaveProperty('crmLastCheckedAt');
    w.crm.answer = () => matched(crmCompany());
    await w.enrich({ ticket });
    expect(storedIn(w)).toMatchObject({ status: 'Complete', error: '' });
  },
);

test('another error on the ticket is not taken back by a check', async () => {
  const w = enrichmentWorld({ file: file() });
  const error = 'Routing: target team CS 60p does not exist.';
  const before = await w.tickets.readPipelineTicket(ticket, new AbortController().signal);
  await w.tickets.writeRouting(before, { status: 'API Error', error }, new AbortController().signal);
  await w.enrich({ ticket });
  expect(storedIn(w)).toMatchObject({ status: 'API Error', error });
});

test('nothing is written where the ticket keeps another company’s customer', async () => {
  const w = enrichmentWorld({ file: file('Khác') });
  const sync = { ticket, agent: 'an@desk.example', crmCompanyId: '9', previousCustomer: null, at: 1 };
  await w.syncLog.record({ ...sync, orgId: otherOrgId, customer: 'Khác' });
  w.records.customers.set('Khác', { platformOrgId: otherOrgId });
  w.crm.answer = known;
  expect((await w.enrich({ ticket })).ticket?.linked).toBe(false);
  expect(w.tickets.writes).toEqual([]);
});

test('a helpdesk that fails at this does not fail the enrichment, and another’s write is not lost', async () => {
  const w = enrichmentWorld({ file: file() });
  w.crm.answer = known;
  w.tickets.failNext('writeRouting', new HelpdeskError('unavailable', 'down'));
  expect((await w.enrich({ ticket })).status).toBe('matched');
  w.tickets.meanwhile.push(() => w.tickets.personSetsStatus(ticket, 'Replied'));
  await w.enrich({ ticket });
  expect(w.tickets.tickets.get(ticket)).toMatchObject({ status: 'Replied', stored: { crmLastCheckedAt: w.clock() } });
});
