import type { OrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import { ticketFile } from '#app/testing/fake-helpdesk.ts';
import { fakeTickets } from '#app/testing/fake-tickets.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { earlierChoices, identifySender } from './sender-memory.ts';

const raisedBy = (address: string | null) => {
  const { ticket } = ticketFile('1', null);
  return { ...ticket, origin: { ...ticket.origin, raisedBy: address } };
};
const { signal } = new AbortController();

test.each([
  ['a customer', 'Lan@Shop.example', { address: 'lan@shop.example', domain: 'shop.example' }],
  ['one with a public mail domain', 'lan@mailinator.com', { address: 'lan@mailinator.com', domain: null }],
  ['an agent', 'an@desk.example', null],
  ['the helpdesk itself', 'Administrator', null],
  ['nobody', null, null],
])('what an agent says is recorded under the sender: %s', async (_, address, expected) => {
  const helpdesk = fakeTickets(() => 0);
  helpdesk.addTeam('CS 60p', ['an@desk.example']);
  expect(await identifySender({ helpdesk }, raisedBy(address), signal)).toEqual(expected);
});

test('choices order for the same domain, and a public one is nobody’s', async () => {
  const { syncLog } = memoryStore();
  const entry = { ticket: '1', agent: 'an', crmCompanyId: '6', customer: 'c', previousCustomer: null, at: 1 };
  const choose = (orgId: string, address: string, domain: string | null) =>
    syncLog.record({ ...entry, orgId: orgId as OrgId, sender: { address, domain } });
  await choose('1', 'lan@shop.example', 'shop.example');
  await choose('2', 'minh@mailinator.com', null);
  const of = async (address: string) =>
    (await earlierChoices({ syncLog }, raisedBy(address))).map(({ orgId }) => orgId);
  expect(await of('Ha@Shop.example')).toEqual(['1']);
  expect(await of('minh@mailinator.com')).toEqual(['2']);
  expect(await of('ha@mailinator.com')).toEqual([]);
});
