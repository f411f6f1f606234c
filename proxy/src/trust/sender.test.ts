import type { OrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import * as syncs from '#store/syncs.ts';
import { newDesk } from '#testing/desk.ts';
import { partOfContext } from '#testing/part-of-context.ts';
import { testContext } from '#testing/test-context.ts';
import { earlierChoices, identifySender, isNoReply, senderAddress, telltaleDomain } from './evidence.ts';

test.each([
  [' Lan@Shop.example ', 'lan@shop.example'],
  ['', null],
  ['  ', null],
  [null, null],
  ['Guest', null],
  ['Chị Lan <Lan@shop.example>', 'lan@shop.example'],
  ['lan@shop.example, me@evil.example', null],
  ['la\u200bn@shop.example', null],
])('the sender of a ticket raised by %j is %j', (raisedBy, expected) => {
  expect(senderAddress({ raisedBy })).toBe(expected);
});

test.each([
  ['lan@shop.example', 'shop.example'],
  ['"a@b"@shop.example', 'shop.example'],
  ['lan@haravan.com', 'haravan.com'],
  ['lan@mailinator.com', null],
  ['lan@gmail.com', null],
  ['lan@yahoo.com.vn', null],
  ['lan@vnn.vn', null],
  ['lan', null],
  ['lan@', null],
])('the domain of %s that says whose address it is: %j', (address, expected) => {
  expect(telltaleDomain(address)).toBe(expected);
});

test.each([
  ['no-reply@form.example', true],
  ['noreply+shop7@form.example', true],
  ['noreply.shop7@form.example', true],
  ['mailer-daemon@form.example', true],
  ['noreplying@form.example', false],
  ['do-noreply@form.example', false],
  ['lan@noreply.example', false],
  ['nobody@no-reply', false],
])('a machine writes from %s for many: %j', (address, expected) => {
  expect(isNoReply(address)).toBe(expected);
});

/** A ticket of this sender. */
async function raisedBy(address: string | null, desk = newDesk()) {
  desk.put('HD Ticket', '1', { subject: 'x', owner: 'Administrator', raised_by: address });
  return (await desk.fileOf('1')).ticket;
}

test.each([
  ['a customer', 'Lan@Shop.example', { address: 'lan@shop.example', domain: 'shop.example' }],
  ['one with a public mail domain', 'lan@mailinator.com', { address: 'lan@mailinator.com', domain: null }],
  ['an agent', 'an@desk.example', null],
  ['the helpdesk itself', 'Administrator', null],
  ['the service itself', 'service@desk.example', null],
  ['nobody', null, null],
])('what an agent says is recorded under the sender: %s', async (_, address, expected) => {
  const { desk, helpdesk } = testContext();
  expect(await identifySender(partOfContext({ helpdesk }), await raisedBy(address, desk))).toEqual(expected);
});

test('nor under the service, however its account is written', async () => {
  const { desk, helpdesk } = testContext();
  const people = Object.create(helpdesk.people, { serviceUser: { value: async () => 'Me@Far.example' } });
  const ctx = partOfContext({ helpdesk: Object.create(helpdesk, { people: { value: people } }) });
  expect(await identifySender(ctx, await raisedBy('me@far.example', desk))).toBeNull();
});

test('choices order for the same domain, and a public one is nobody’s', async () => {
  const { db } = testContext();
  const ticket = { name: '1', creation: '2026-01-01 00:00:00' };
  const entry = { ticket, agent: 'an', crmCompanyId: '6', customer: 'c', previousCustomer: null, at: 1 };
  const choose = async (orgId: string, address: string, domain: string | null) =>
    syncs.noteLinked(db, await syncs.record(db, { ...entry, orgId: orgId as OrgId, sender: { address, domain } }), 1);
  await choose('1', 'lan@shop.example', 'shop.example');
  await choose('2', 'minh@mailinator.com', null);
  const of = async (address: string | null) =>
    (await earlierChoices(partOfContext({ db }), await raisedBy(address))).map(({ orgId }) => orgId);
  expect(await of('Ha@Shop.example')).toEqual(['1']);
  expect(await of('minh@mailinator.com')).toEqual(['2']);
  expect(await of('ha@mailinator.com')).toEqual([]);
  expect(await of(null)).toEqual([]);
});
