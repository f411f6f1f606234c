import type { OrgId } from '@deskside/shared/orgid';
import type { LookupTrust } from '@deskside/shared/profile';
import type { ClaimsMode } from '@deskside/shared/routing';
import { sized } from '@deskside/testing/size';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { enrichRecords } from '#customers/enrich.ts';
import { getProfile } from '#profile/get-profile.ts';
import { enrichAndLink } from '#routing/enrich-and-link.ts';
import { gatherFacts } from '#routing/facts.ts';
import { routingConfig } from '#routing/testing/pipeline-rules.ts';
import * as syncs from '#store/syncs.ts';
import { keepInsert } from '#store/testing/inserted.ts';
import * as tickets from '#store/tickets.ts';
import { newDesk } from '#testing/desk.ts';
import { sender } from '#testing/desk-seed.ts';
import { fakeCrm, fakeLayers } from '#testing/fakes.ts';
import { medium as orgId } from '#testing/sample-companies.ts';
import { company } from '#testing/sample-company.ts';
import { callBy, testContext } from '#testing/test-context.ts';
import { rejectEarlier } from './testing/rejected.ts';

const agent = 'an@desk.example';
const elsewhere = '200000376001' as OrgId;
const other = 'other@web.example';
/** What the ticket's contact may be called, and who made it. */
const contacts = [
  { name: 'Vy', owner: agent },
  { name: 'Vy', owner: sender },
  { name: 'Vy', owner: other },
  { name: other, owner: 'Administrator' },
];
const { signal } = new AbortController();

/** Everything that a judgement may rest on. */
const situation = fc.record({
  claims: fc.constantFrom<ClaimsMode>('accept', 'hold'),
  origin: fc.record({
    owner: fc.constantFrom(sender, agent, 'service@desk.example', 'Administrator', 'Guest', other),
    raisedBy: fc.constantFrom(sender, 'Vy@Shop.example', 'someone@web.example', null),
  }),
  /** What the webhook told of the insert, if one has come. */
  insert: fc.option(
    fc.record({ raisedBy: fc.constantFrom<'same' | 'another'>('same', 'another'), entered: fc.boolean() }),
  ),
  /** Whether a webhook told of the ticket that it was split from; null: it was not split. */
  split: fc.constantFrom(null, 'told', 'unknown'),
  contact: fc.constantFrom(null, ...contacts),
  emails: fc.constantFrom([], [sender], ['boss@shop.example']),
  synced: fc.constantFrom(null, orgId, elsewhere),
  /** The company of a Sync for this sender, of an earlier ticket. */
  syncedEarlier: fc.constantFrom(null, orgId, elsewhere),
  /** An earlier ticket of the sender carried the org id. */
  hasClaimed: fc.boolean(),
  hasCustomer: fc.boolean(),
  rejected: fc.constantFrom(null, orgId, elsewhere),
  rejectedFor: fc.constantFrom(sender, 'nobody@web.example'),
});
type Situation = typeof situation extends fc.Arbitrary<infer S> ? S : never;

/** A helpdesk in which the situation is given. */
function deskOf({ origin: { owner, raisedBy }, split, contact, hasCustomer }: Situation) {
  const desk = newDesk();
  // A customer of nobody known: it names no company, and must not be replaced on a claim.
  desk.customers.set('Walk-ins');
  desk.put('User', other, { user_type: 'Website User', enabled: 1, roles: [] });
  desk.insert('61307', { owner, custom_orgid: orgId });
  if (contact) desk.put('Contact', contact.name, { owner: contact.owner, email_id: raisedBy });
  desk.put('HD Ticket', '61307', {
    raised_by: raisedBy,
    contact: contact?.name ?? null,
    customer: hasCustomer ? 'Walk-ins' : null,
    ticket_split_from: split === null ? null : '7',
  });
  return desk;
}

/** What a verb works with in this situation. */
async function contextOf(given: Situation) {
  const desk = deskOf(given);
  const crm = fakeCrm({ [orgId]: company(orgId, { emails: [...given.emails] }) });
  const layers = fakeLayers({ crm, clock: desk.clock });
  const ctx = testContext({ desk, routing: { ...routingConfig, claims: given.claims } });
  const { raisedBy } = given.origin;
  const told = desk.insertOf('61307');
  if (told && given.insert) {
    const { entered } = given.insert;
    const insert = {
      ...told,
      raisedBy: given.insert.raisedBy === 'same' ? raisedBy : 'another@web.example',
      splitFrom: given.split === null ? null : '7',
      orgIdFields: entered ? told.orgIdFields : [],
    };
    await keepInsert(ctx.store.db, '61307', insert, 1);
  }
  if (told && given.split === 'told')
    await keepInsert(ctx.store.db, '7', { ...told, raisedBy, splitFrom: null, orgIdFields: [] }, 1);
  if (given.hasClaimed) {
    const claim = { name: '8', creation: '2026-01-01 00:00:00', raisedBy, orgIds: [orgId] };
    await tickets.noteCarried(ctx.db, claim, 1);
  }
  const entry = { agent, crmCompanyId: '1', previousCustomer: null, customer: 'Walk-ins' };
  if (given.synced) await syncs.record(ctx.db, { ...entry, ticket: desk.keyOf('61307'), orgId: given.synced, at: 1 });
  if (given.syncedEarlier) {
    const of = { address: sender, domain: null };
    const ids = { orgId: given.syncedEarlier, crmCompanyId: given.syncedEarlier === orgId ? '1' : '2' };
    await syncs.record(ctx.db, { ...entry, ...ids, ticket: { ...desk.keyOf('61307'), name: '9' }, sender: of, at: 1 });
  }
  if (given.rejected) await rejectEarlier(ctx.db, { sender: given.rejectedFor, orgId: given.rejected });
  return { ...ctx, crm: layers };
}

/** Whether a website account that is not the sender's reads the ticket. */
function isReadByOther({ origin: { owner, raisedBy }, contact }: Situation): boolean {
  const website = [sender, other];
  const readers = [owner, ...(contact ? [contact.name, contact.owner] : [])];
  return readers.some((account) => website.includes(account) && account !== raisedBy?.toLowerCase());
}

/** The same situation, judged where the panel shows it, where a ticket is routed, and where it may be linked. */
async function judgeEverywhere(given: Situation) {
  const shown = await contextOf(given);
  const look = () => getProfile(callBy(shown, 'an'), { ticket: '61307', refresh: false });
  await look();
  await shown.background.idle();
  const { bitrix, pending } = await look();

  const routed = await contextOf(given);
  const ticket = await routed.helpdesk.tickets.read('61307', signal);
  const work = { ...routed, signal };
  const { inputs, link } = await enrichAndLink(work, await gatherFacts(work, ticket), null);

  const linking = await contextOf(given);
  const { data } = await enrichRecords(linking, {
    orgId,
    how: { refresh: false, lane: 'open' },
    file: (await linking.helpdesk.tickets.read('61307', signal)).file,
  });
  return {
    shown: bitrix.company?.company_id ?? null,
    routed: inputs.org_id?.value ?? null,
    panel: bitrix.lookup_trust,
    isPending: pending.includes('lookup_trust'),
    routing: inputs.org_id?.trust ?? null,
    isLinkedByRouting: link?.done ?? false,
    linked: data.ticket?.linked,
  };
}

/**
 * Nobody vouches; by one change each, the CRM knows the sender, who is signed in, or an agent has synced an earlier ticket, has
 * entered the org id, or rejected it.
 */
const claim: Situation = {
  claims: 'hold',
  origin: { owner: 'Administrator', raisedBy: sender },
  insert: { raisedBy: 'same', entered: true },
  split: null,
  contact: null,
  emails: [],
  synced: null,
  syncedEarlier: null,
  hasClaimed: false,
  hasCustomer: false,
  rejected: null,
  rejectedFor: sender,
};
const known: Situation = { ...claim, emails: [sender] };
const examples: [Situation, LookupTrust['level'] | undefined][] = [
  [claim, 'claimed'],
  [{ ...claim, claims: 'accept' }, 'claimed'],
  [known, 'likely'],
  [{ ...known, origin: { owner: sender, raisedBy: 'Vy@Shop.example' } }, 'confirmed'],
  [{ ...known, split: 'told', origin: { owner: sender, raisedBy: sender } }, 'likely'],
  [{ ...known, split: 'unknown' }, 'claimed'],
  [{ ...known, insert: { raisedBy: 'another', entered: true } }, 'claimed'],
  [{ ...known, insert: null }, 'likely'],
  [{ ...known, origin: { owner: other, raisedBy: sender } }, 'claimed'],
  [{ ...claim, claims: 'accept', origin: { owner: 'Guest', raisedBy: sender } }, 'claimed'],
  [{ ...claim, claims: 'accept', origin: { owner: other, raisedBy: null } }, 'claimed'],
  ...contacts.map((contact): (typeof examples)[number] => {
    const isOthers = [contact.name, contact.owner].includes(other);
    return [{ ...known, claims: 'accept', contact }, isOthers ? 'claimed' : 'likely'];
  }),
  [{ ...claim, syncedEarlier: orgId }, 'likely'],
  [{ ...claim, syncedEarlier: orgId, insert: null }, 'claimed'],
  [{ ...claim, syncedEarlier: elsewhere }, 'claimed'],
  [{ ...claim, synced: orgId, hasCustomer: true }, 'confirmed'],
  [{ ...claim, synced: orgId }, 'claimed'],
  [{ ...claim, origin: { owner: agent, raisedBy: sender } }, 'likely'],
  [{ ...claim, origin: { owner: agent, raisedBy: sender }, hasClaimed: true }, 'claimed'],
  [{ ...claim, origin: { owner: agent, raisedBy: sender }, insert: { raisedBy: 'same', entered: false } }, 'claimed'],
  [{ ...known, rejected: orgId }, undefined],
  [{ ...known, rejected: orgId, rejectedFor: 'nobody@web.example' }, 'likely'],
];

test.each(examples)('panel, routing and linking judge alike, as they should: %j is %s', async (given, level) => {
  expect((await judgedAlike(given))?.level).toBe(level);
});

test('panel, routing and linking judge alike, whatever the situation', async () => {
  await fc.assert(
    fc.asyncProperty(situation, async (given) => void (await judgedAlike(given))),
    { numRuns: sized({ small: 30, full: 800 }) },
  );
});

/** Judged everywhere, and the same; undefined where the company is none of the ticket's. */
async function judgedAlike(given: Situation): Promise<LookupTrust | undefined> {
  const { shown, routed, panel, isPending, routing, isLinkedByRouting, linked } = await judgeEverywhere(given);
  expect(isPending).toBe(false);
  expect(panel).toEqual(routing);
  const isRejected =
    given.rejected === orgId && given.origin.raisedBy?.toLowerCase() === given.rejectedFor.toLowerCase();
  expect([shown, routed]).toEqual(isRejected ? [null, null] : [orgId, orgId]);
  // A ticket's customer is replaced by an agent only, and nothing links what somebody else reads.
  const links = panel?.level !== 'claimed' || (given.claims === 'accept' && !isReadByOther(given));
  expect(linked).toBe(!isRejected && links && !given.hasCustomer);
  expect(isLinkedByRouting).toBe(linked);
  return panel ?? undefined;
}
