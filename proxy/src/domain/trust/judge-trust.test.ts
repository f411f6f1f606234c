import type { OrgId } from '@deskside/shared/orgid';
import { describe, expect, test } from 'vitest';
import { isDeskOwner, judgeTrust, type SenderCustomer, type TrustInput } from './judge-trust.ts';

const orgId = '1000069001' as OrgId;
const portal = { owner: 'Vy@Shop.example', raisedBy: 'vy@shop.example', viaCustomerPortal: true };
const mail = { owner: 'Administrator', raisedBy: 'vy@shop.example', viaCustomerPortal: false };
const base: TrustInput = {
  origin: portal,
  ownerIsDesk: null,
  candidate: { orgId, source: 'ticket', field: 'custom_orgid' },
  companyEmails: [],
  sender: { hasAccount: false, customers: [] },
};
const tie = { name: 'Shop - 1000069001', linkedBy: 'desk', idIsSure: true } as const;
const of = (...customers: SenderCustomer[]) => ({ sender: { hasAccount: false, customers } });
const account = { sender: { hasAccount: true, customers: [] } };

describe('decision 9', () => {
  test.each<[string, Partial<TrustInput>, string, string]>([
    ['portal user listed by the customer', of(tie), 'confirmed', 'signed_in_contact_of_customer'],
    [
      'portal user with an address of the company',
      { companyEmails: ['VY@shop.example'] },
      'confirmed',
      'signed_in_email_of_company',
    ],
    [
      'mail from a contact of the customer',
      { origin: mail, ownerIsDesk: true, ...of(tie) },
      'likely',
      'sender_contact_of_customer',
    ],
    [
      'mail from an address of the company',
      { origin: mail, ownerIsDesk: true, companyEmails: ['vy@shop.example'] },
      'likely',
      'sender_email_of_company',
    ],
    ['portal user with a platform account', account, 'confirmed', 'signed_in_account_of_company'],
    [
      'mail from somebody with a platform account',
      { origin: mail, ownerIsDesk: true, ...account },
      'likely',
      'sender_account_of_company',
    ],
    ['a link made by the sender', of({ ...tie, linkedBy: 'sender' }), 'claimed', 'link_made_by_sender'],
    [
      'a link made by another website user',
      of({ ...tie, linkedBy: 'website_user' }),
      'claimed',
      'link_made_by_website_user',
    ],
    [
      'a member of a customer whose org id anybody of it could have written',
      of({ ...tie, idIsSure: false }),
      'claimed',
      'customer_id_not_protected',
    ],
    ['a stranger', {}, 'claimed', 'sender_not_of_customer'],
    [
      'a portal user who put in another address afterwards',
      { origin: { ...portal, raisedBy: 'ceo@shop.example' }, ownerIsDesk: false, companyEmails: ['ceo@shop.example'] },
      'claimed',
      'value_on_ticket',
    ],
    [
      'mail whose owner the helpdesk set to the sender',
      { origin: { ...portal, viaCustomerPortal: false }, ...of(tie) },
      'likely',
      'sender_contact_of_customer',
    ],
    [
      'another address, while nobody has looked whose account it is',
      { origin: { ...portal, raisedBy: 'ceo@shop.example' }, companyEmails: ['ceo@shop.example'] },
      'claimed',
      'value_on_ticket',
    ],
    [
      'an agent who wrote it down for somebody of the company',
      { origin: { ...mail, owner: 'an@desk.example' }, ownerIsDesk: true, companyEmails: ['vy@shop.example'] },
      'likely',
      'sender_email_of_company',
    ],
    ['nobody looked yet', { sender: null }, 'claimed', 'value_on_ticket'],
    ['no sender at all', { origin: { ...portal, raisedBy: null }, ...of(tie) }, 'claimed', 'value_on_ticket'],
    [
      'created by an agent, who may have believed the sender',
      { origin: { owner: 'an@desk.example', raisedBy: 'x@y.example', viaCustomerPortal: false }, ownerIsDesk: true },
      'claimed',
      'sender_not_of_customer',
    ],
  ])('%s', (_, change, level, code) => {
    const trust = judgeTrust({ ...base, ...change });
    expect(trust.level).toBe(level);
    expect(trust.evidence.map((e) => e.code)).toContain(code);
  });

  test('a link that somebody else made outweighs one that the sender made', () => {
    expect(judgeTrust({ ...base, ...of({ ...tie, linkedBy: 'sender' }, tie) }).level).toBe('confirmed');
  });

  test.each([
    ['customer', 'custom_platform_orgid', 'value_on_customer'],
    ['customer_name', 'name', 'value_in_customer_name'],
  ] as const)('a value on the %s is claimed all the same: the sender may have linked it', (source, field, code) => {
    const trust = judgeTrust({ ...base, candidate: { orgId, source, field } });
    expect(trust).toMatchObject({ level: 'claimed', evidence: [{ code, field }, {}] });
  });
});

describe('an agent’s Sync', () => {
  test('confirms whatever the sender may be', () => {
    for (const origin of [portal, mail, { ...mail, raisedBy: null }]) {
      expect(judgeTrust({ ...base, origin, linkedBy: 'an@desk.example' })).toMatchObject({
        level: 'confirmed',
        evidence: [{ code: 'linked_by_agent', value: 'an@desk.example' }, { code: 'value_on_ticket' }],
      });
    }
  });

  test('counts no more than anything else once an agent has rejected the company', () => {
    const vouched = { ...base, companyEmails: ['vy@shop.example'], linkedBy: 'an@desk.example', enteredBy: 'b' };
    expect(judgeTrust({ ...vouched, isRejected: true })).toEqual({
      level: 'claimed',
      evidence: [{ code: 'value_on_ticket', field: 'custom_orgid', value: orgId }],
    });
  });

  test('that nobody made confirms nothing', () => {
    expect(judgeTrust({ ...base, linkedBy: null }).level).toBe('claimed');
  });
});

test.each([
  ['mail', 'Administrator', 'vy@shop.example', true, true],
  ['the sender', 'Vy@Shop.example ', 'vy@shop.example', false, false],
  ['somebody else, who may be an agent', 'an@desk.example', 'vy@shop.example', false, null],
  ['nobody named as sender', 'an@desk.example', null, false, null],
])('the account that created the ticket is the desk’s own: %s', (_, owner, raisedBy, isSystem, expected) => {
  expect(isDeskOwner({ owner, raisedBy }, isSystem)).toBe(expected);
});
