import type { OrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import { ticketFile } from '#app/testing/fake-helpdesk.ts';
import { fakeSenderMemory, fakeSyncLog } from '#app/testing/fake-sender-memory.ts';
import { fakeTickets } from '#app/testing/fake-tickets.ts';
import { createIdentifySender } from './sender-memory.ts';

const raisedBy = (address: string | null) => {
  const { ticket } = ticketFile('1', null);
  return { ...ticket, origin: { ...ticket.origin, raisedBy: address } };
};
const { signal } = new AbortController();

test.each([
  ['a customer', 'Lan@Shop.example', { address: 'lan@shop.example', domain: 'shop.example' }],
  ['one with a public mail domain', 'lan@web.example', { address: 'lan@web.example', domain: null }],
  ['an agent', 'an@desk.example', null],
  ['the helpdesk itself', 'Administrator', null],
  ['nobody', null, null],
])('what an agent says is recorded under the sender: %s', async (_, address, expected) => {
  const helpdesk = fakeTickets(() => 0);
  helpdesk.addTeam('CS 60p', ['an@desk.example']);
  const identify = createIdentifySender({ helpdesk, isPublicMailDomain: (domain) => domain === 'web.example' });
  expect(await identify(raisedBy(address), signal)).toEqual(expected);
});

test('choices order for the same domain, and a public one is nobody’s', async () => {
  const syncLog = fakeSyncLog();
  const entry = { ticket: '1', agent: 'an', crmCompanyId: '6', customer: 'c', previousCustomer: null, at: 1 };
  const choose = (orgId: string, address: string, domain: string | null) =>
    syncLog.record({ ...entry, orgId: orgId as OrgId, sender: { address, domain } });
  await choose('1', 'lan@shop.example', 'shop.example');
  await choose('2', 'minh@web.example', null);
  const memory = fakeSenderMemory(syncLog);
  const of = async (address: string) => (await memory.choices(raisedBy(address))).map(({ orgId }) => orgId);
  expect(await of('Ha@Shop.example')).toEqual(['1']);
  expect(await of('minh@web.example')).toEqual(['2']);
  expect(await of('ha@web.example')).toEqual([]);
});
