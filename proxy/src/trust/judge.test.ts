import type { OrgId } from '@deskside/shared/orgid';
import type { TrustLevel } from '@deskside/shared/status';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CompanyFacts,
  isOwnAddress,
  isRejectedSender,
  isSenderSure,
  judgeTrust,
  otherReader,
  type TicketFacts,
} from './judge.ts';

const orgId = '1000069001' as OrgId;
const sender = 'vy@shop.example';
const agent = 'an@desk.example';
const stranger = 'boss@shop.example';

/** A ticket that the signed-in sender made, and of which the webhook told. */
const portal: TicketFacts = {
  sender,
  owner: sender,
  ownerKind: 'website',
  maker: sender,
  makerKind: 'website',
  isSplit: false,
  isInsertKnown: true,
  insertedFor: sender,
  contactOfOther: null,
  contactAtInsertOfOther: null,
  sharedWith: null,
};
const madeBy = (owner: string, ownerKind: TicketFacts['ownerKind'], ticket = portal): TicketFacts => ({
  ...ticket,
  ...{ owner, ownerKind, maker: owner, makerKind: ownerKind },
});
const mail = madeBy('administrator', 'desk');
const byAgent = madeBy(agent, 'desk');
const split: TicketFacts = { ...portal, isSplit: true };
const senderless: TicketFacts = { ...byAgent, sender: null, insertedFor: null };
const byService = madeBy('deskside@desk.example', 'other');
const byGuest = madeBy('guest', 'guest');
/** One that the sweep found. */
const swept = { isInsertKnown: false, insertedFor: undefined };
const nobody: CompanyFacts = {
  candidate: { orgId, source: 'ticket', field: 'custom_orgid' },
  emails: [],
  syncedBy: null,
  knownTo: null,
  listedAt: null,
  enteredBy: null,
  isRejected: false,
};
const ownAddress = { emails: ['info@shop.example', 'VY@Shop.example'] };
const known = { knownTo: 'binh@desk.example' };
const listed = { listedAt: '2026-11-28T08:00:00.000Z' };
const entered = { enteredBy: agent };
const synced = { syncedBy: agent };
const everything = { ...ownAddress, ...known, ...entered };

/** What a reason's evidence quotes. */
function evidenceValue(code: string): string {
  if (code === 'value_on_ticket') return orgId;
  if (code === 'contact_of_other') return stranger;
  if (code.endsWith('_on_desk_list')) return listed.listedAt;
  if (code.endsWith('known_to_agent')) return known.knownTo;
  return code.endsWith('_by_agent') ? agent : sender;
}

describe('decision 7: who vouches for a company', () => {
  test.each<[string, TicketFacts, Partial<CompanyFacts>, TrustLevel, string]>([
    ['nobody', portal, {}, 'claimed', 'sender_not_of_company'],
    ['the desk’s list, signed in', portal, listed, 'confirmed', 'signed_in_on_desk_list'],
    ['the desk’s list, by mail', mail, listed, 'likely', 'sender_on_desk_list'],
    [
      'the desk’s list, of a ticket that the sweep found',
      { ...portal, ...swept },
      listed,
      'claimed',
      'sender_not_of_company',
    ],
    ['the desk’s list, where an agent said no', portal, { ...listed, isRejected: true }, 'claimed', 'value_on_ticket'],
    [
      'the desk’s list, where somebody else reads',
      { ...portal, contactOfOther: stranger },
      listed,
      'claimed',
      'contact_of_other',
    ],
    ['the company’s own address, signed in', portal, ownAddress, 'confirmed', 'signed_in_email_of_company'],
    [
      'one of several own addresses in a value',
      portal,
      { emails: ['info@shop.example / Vy <VY@shop.example>'] },
      'confirmed',
      'signed_in_email_of_company',
    ],
    ['the company’s own address, by mail', mail, ownAddress, 'likely', 'sender_email_of_company'],
    ['the company’s own address, on an agent’s ticket', byAgent, ownAddress, 'likely', 'sender_email_of_company'],
    ['the company’s own address, on a split ticket', split, ownAddress, 'likely', 'sender_email_of_company'],
    ['the same, found by the sweep', { ...portal, ...swept }, ownAddress, 'confirmed', 'signed_in_email_of_company'],
    ['the same by mail, found by the sweep', { ...mail, ...swept }, ownAddress, 'likely', 'sender_email_of_company'],
    ['an address of the same domain', portal, { emails: ['info@shop.example'] }, 'claimed', 'sender_not_of_company'],
    ['an earlier Sync, signed in', portal, known, 'confirmed', 'signed_in_known_to_agent'],
    ['an earlier Sync, by mail', mail, known, 'likely', 'sender_known_to_agent'],
    [
      'an earlier Sync, of a ticket that the sweep found',
      { ...mail, ...swept },
      known,
      'claimed',
      'sender_not_of_company',
    ],
    ['an earlier Sync, on a split ticket', split, known, 'likely', 'sender_known_to_agent'],
    ['an agent’s entry', byAgent, entered, 'likely', 'entered_by_agent'],
    ['an agent’s entry, found by the sweep', { ...byAgent, ...swept }, entered, 'claimed', 'sender_not_of_company'],
    ['an agent’s entry, split', { ...byAgent, isSplit: true }, entered, 'claimed', 'sender_not_of_company'],
    ['a Sync of the ticket', portal, synced, 'confirmed', 'linked_by_agent'],
    ['a Sync of the ticket, by mail', mail, synced, 'confirmed', 'linked_by_agent'],
    ['a Sync where nobody is the sender', senderless, synced, 'confirmed', 'linked_by_agent'],
    ['a Sync before the address', mail, { ...synced, ...everything }, 'confirmed', 'linked_by_agent'],
    ['the address before the earlier Sync', mail, everything, 'likely', 'sender_email_of_company'],
    ['the earlier Sync before the entry', byAgent, { ...known, ...entered }, 'likely', 'sender_known_to_agent'],
  ])('%s', (_, ticket, company, level, code) => {
    const { evidence, ...trust } = judgeTrust(ticket, { ...nobody, ...company });
    expect(trust.level).toBe(level);
    const value = evidenceValue(code);
    expect(evidence).toContainEqual({
      code,
      ...(value && { value }),
      ...(code === 'value_on_ticket' && { field: 'custom_orgid' }),
    });
  });

  test.each<[string, TicketFacts, string, string]>([
    ['the insert named another sender', { ...mail, insertedFor: stranger }, 'sender_changed', sender],
    ['the sender has put in another address', { ...mail, sender: stranger }, 'sender_changed', stranger],
    ['another website user made the ticket', madeBy(stranger, 'website'), 'made_by_other', stranger],
    ['every visitor reads the ticket', byGuest, 'guest_ticket', 'Guest'],
    ['it is shared with another website user', { ...portal, sharedWith: stranger }, 'shared_with_other', stranger],
    [
      'a guest made the first',
      { ...byAgent, isSplit: true, maker: 'guest', makerKind: 'guest' },
      'maker_unknown',
      'guest',
    ],
    [
      'another website user made the first',
      { ...byAgent, isSplit: true, maker: stranger, makerKind: 'website' },
      'maker_unknown',
      stranger,
    ],
    ['our own account made it, at somebody’s word', byService, 'maker_unknown', byService.owner],
    ['it was split from a ticket that nobody told of', { ...split, insertedFor: undefined }, 'split_unknown', ''],
    ['it was split from somebody else’s', { ...split, insertedFor: stranger }, 'sender_changed', sender],
    ['its contact is another website user’s', { ...portal, contactOfOther: stranger }, 'contact_of_other', stranger],
    ['it came with such a contact', { ...portal, contactAtInsertOfOther: stranger }, 'contact_of_other', stranger],
  ])('nothing but a Sync counts where %s', (_, ticket, code, value) => {
    const trust = judgeTrust(ticket, { ...nobody, ...everything });
    expect(trust).toEqual({
      level: 'claimed',
      evidence: [
        { code: 'value_on_ticket', field: 'custom_orgid', value: orgId },
        { code, ...(value && { value }) },
      ],
    });
    const level = otherReader(ticket) === null ? 'confirmed' : 'claimed';
    expect(judgeTrust(ticket, { ...nobody, ...synced }).level).toBe(level);
  });

  test('of a ticket without a sender, of which no webhook told, there is its org id and nothing else', () => {
    const where = { code: 'value_on_ticket', field: 'custom_orgid', value: orgId };
    expect(judgeTrust({ ...senderless, ...swept }, { ...nobody, ...everything })).toEqual({
      level: 'claimed',
      evidence: [where],
    });
  });

  test('nobody is named where the sender has been taken off the ticket', () => {
    const { evidence } = judgeTrust({ ...mail, sender: null }, { ...nobody, ...everything });
    expect(evidence.at(-1)).toEqual({ code: 'sender_changed', value: '' });
  });

  test.each([
    ['ticket', 'custom_orgid', 'value_on_ticket'],
    ['customer', 'custom_platform_orgid', 'value_on_customer'],
    ['customer_name', 'name', 'value_in_customer_name'],
  ] as const)('a value on the %s is named and proves nothing', (source, field, code) => {
    const company = { ...nobody, candidate: { orgId, source, field } };
    expect(judgeTrust(mail, company)).toEqual({
      level: 'claimed',
      evidence: [
        { code, field, value: orgId },
        { code: 'sender_not_of_company', value: sender },
      ],
    });
    expect(judgeTrust(mail, { ...company, ...ownAddress }).evidence).toContainEqual({ code, field, value: orgId });
  });
});

describe('whatever is known of ticket and company', () => {
  const addresses = fc.constantFrom(sender, stranger, agent);
  const perhaps = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });
  const tickets: fc.Arbitrary<TicketFacts> = fc.record({
    sender: perhaps(addresses),
    owner: addresses,
    ownerKind: fc.constantFrom('desk', 'website', 'guest', 'other'),
    maker: addresses,
    makerKind: fc.constantFrom('desk', 'website', 'guest', 'other'),
    isSplit: fc.boolean(),
    isInsertKnown: fc.boolean(),
    insertedFor: fc.option(perhaps(addresses), { nil: undefined }),
    contactOfOther: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: addresses }),
    contactAtInsertOfOther: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: addresses }),
    sharedWith: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: addresses }),
  });
  const companies: fc.Arbitrary<CompanyFacts> = fc.record({
    candidate: fc.constant(nobody.candidate),
    emails: fc.uniqueArray(fc.constantFrom(sender, sender.toUpperCase(), stranger, agent)),
    syncedBy: perhaps(fc.constant(agent)),
    knownTo: perhaps(fc.constant(agent)),
    listedAt: perhaps(fc.constant(listed.listedAt)),
    enteredBy: perhaps(fc.constant(agent)),
    isRejected: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  });
  /** Runs often enough that each of the rules meets tickets for which it holds. */
  const always = (holds: (ticket: TicketFacts, company: CompanyFacts) => void) =>
    fc.assert(fc.property(tickets, companies, holds), { numRuns: 2_000 });
  const levelOf = (ticket: TicketFacts, company: CompanyFacts) => judgeTrust(ticket, company).level;
  const ranks: TrustLevel[] = ['claimed', 'likely', 'confirmed'];
  const isOwn = (ticket: TicketFacts, { emails }: CompanyFacts) =>
    ticket.sender !== null && emails.some((email) => email.toLowerCase() === ticket.sender);

  test('somebody else who reads the ticket, or a rejection, leaves a claim; a Sync confirms everywhere else', () => {
    always((ticket, company) => {
      const level = levelOf(ticket, company);
      if (otherReader(ticket) !== null || company.isRejected) expect(level).toBe('claimed');
      else if (company.syncedBy !== null) expect(level).toBe('confirmed');
    });
  });

  test('without a Sync nothing is more than a claim for another sender than at the insert, or of another’s ticket', () => {
    always((ticket, company) => {
      const isOther = ticket.insertedFor !== undefined && ticket.insertedFor !== ticket.sender;
      const isUnknown = ticket.isSplit && ticket.insertedFor === undefined;
      const isMadeByOther = ticket.maker !== ticket.sender && ticket.makerKind !== 'desk';
      const cameWithOthers = ticket.contactAtInsertOfOther !== null;
      if (!isOther && !isUnknown && !isMadeByOther && !cameWithOthers && ticket.sender !== null) return;
      expect(levelOf(ticket, { ...company, syncedBy: null })).toBe('claimed');
    });
  });

  test('without a Sync, confirmed is a signed-in sender on a ticket that was not split, of the company’s address or known', () => {
    always((ticket, company) => {
      const unsynced = { ...company, syncedBy: null };
      if (levelOf(ticket, unsynced) !== 'confirmed') return;
      expect(ticket).toMatchObject({ owner: ticket.sender, isSplit: false });
      expect(isOwn(ticket, company) || (ticket.isInsertKnown && (company.knownTo ?? company.listedAt) !== null)).toBe(
        true,
      );
    });
  });

  test('the company’s own address counts wherever nothing speaks against the sender', () => {
    always((ticket, company) => {
      const isSure = isSenderSure({ ...ticket, isInsertKnown: true });
      if (!isSure || company.isRejected || !isOwn(ticket, company)) return;
      expect(levelOf(ticket, company)).not.toBe('claimed');
    });
  });

  test('our own records count only where a webhook told of the insert', () => {
    always((ticket, company) => {
      if (ticket.isInsertKnown) return;
      expect(judgeTrust(ticket, company)).toEqual(judgeTrust(ticket, { ...company, knownTo: null, enteredBy: null }));
    });
  });

  test('nothing that vouches lowers what another vouches for', () => {
    always((ticket, company) => {
      const rank = ranks.indexOf(levelOf(ticket, company));
      for (const less of [{ emails: [] }, { syncedBy: null }, { knownTo: null }, { enteredBy: null }])
        expect(ranks.indexOf(levelOf(ticket, { ...company, ...less }))).toBeLessThanOrEqual(rank);
    });
  });

  test('the evidence names where the org id stands, and a claim names no one who vouches', () => {
    always((ticket, company) => {
      const { level, evidence } = judgeTrust(ticket, company);
      expect(evidence).toContainEqual({ code: 'value_on_ticket', field: 'custom_orgid', value: orgId });
      const vouches = /^(signed_in_|sender_(email|known|on_desk)|linked_by|entered_by)/;
      expect(evidence.some(({ code }) => vouches.test(code))).toBe(level !== 'claimed');
    });
  });
});

describe('what else is asked of the same facts', () => {
  test.each<[string, TicketFacts, boolean]>([
    ['signed in', portal, true],
    ['by mail', mail, true],
    ['on an agent’s ticket', byAgent, true],
    ['on a split ticket whose first is known', split, true],
    ['on a split ticket whose first is not', { ...split, insertedFor: undefined }, false],
    ['found by the sweep', { ...portal, ...swept }, false],
    ['nobody', senderless, false],
    ['another than at the insert', { ...mail, insertedFor: stranger }, false],
    ['on another’s ticket', madeBy(stranger, 'website'), false],
    ['on a guest’s', byGuest, false],
    ['on a shared one', { ...portal, sharedWith: stranger }, false],
    ['with another’s contact', { ...portal, contactOfOther: stranger }, false],
    ['that came with one', { ...portal, contactAtInsertOfOther: stranger }, false],
  ])('a Sync is remembered of the sender: %s', (_, ticket, isSure) => {
    expect(isSenderSure(ticket)).toBe(isSure);
  });

  test.each<[string, TicketFacts, boolean]>([
    ['by mail', mail, true],
    ['signed in, found by the sweep', { ...portal, ...swept }, true],
    ['by mail, found by the sweep', { ...mail, ...swept }, false],
    ['on a split ticket that the sweep found, of a first that is known', { ...split, isInsertKnown: false }, false],
    ['nobody', senderless, false],
    ['on a shared ticket', { ...portal, sharedWith: stranger }, false],
    ['that came with another’s contact', { ...portal, contactAtInsertOfOther: stranger }, false],
  ])('a rejection counts for the sender’s other tickets: %s', (_, ticket, isRejected) => {
    expect(isRejectedSender(ticket)).toBe(isRejected);
  });

  test.each<[string, TicketFacts, string | null]>([
    ['the sender alone', portal, null],
    ['the desk', byAgent, null],
    ['our own account', byService, null],
    ['the website user who made it', madeBy(stranger, 'website'), stranger],
    ['every visitor', byGuest, 'Guest'],
    ['whom it is shared with', { ...byAgent, sharedWith: 'everyone' }, 'everyone'],
    ['whose contact it is', { ...mail, contactOfOther: stranger }, stranger],
    ['a website user, where nobody is the sender', { ...portal, sender: null }, sender],
  ])('who else reads the ticket: %s', (_, ticket, account) => {
    expect(otherReader(ticket)).toBe(account);
  });

  test('a customer made by hand becomes the company by the company’s own address alone', () => {
    const is = (ticket: TicketFacts, company: Partial<CompanyFacts>) =>
      isOwnAddress(judgeTrust(ticket, { ...nobody, ...company }));
    expect([is(portal, ownAddress), is(mail, ownAddress)]).toEqual([true, true]);
    for (const company of [known, entered, synced, {}]) expect(is(byAgent, company)).toBe(false);
    expect(is({ ...portal, contactOfOther: stranger }, ownAddress)).toBe(false);
  });
});
