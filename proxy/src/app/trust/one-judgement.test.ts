import type { OrgId } from '@deskside/shared/orgid';
import type { LookupTrust } from '@deskside/shared/profile';
import { sized } from '@deskside/testing/size';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { enrichRecords } from '#app/customer/enrich-records.ts';
import { getTicketProfile } from '#app/profile/get-ticket-profile.ts';
import { gatherRoutingInputs } from '#app/routing/gather-routing-inputs.ts';
import { newDesk } from '#app/testing/desk.ts';
import { callerOf, sender } from '#app/testing/desk-seed.ts';
import { fakeCrm, fakeLayers } from '#app/testing/fakes.ts';
import { decisionDraft } from '#app/testing/pipeline/decision-draft.ts';
import { routingConfig } from '#app/testing/pipeline/pipeline-rules.ts';
import { medium as orgId } from '#app/testing/sample-companies.ts';
import { testContext } from '#app/testing/test-context.ts';
import { company } from '#ports/testing/sample-company.ts';
import { firstStateOf } from '#store/testing/decision-draft.ts';

const agent = 'an@desk.example';
const elsewhere = '200000376001' as OrgId;
const { signal } = new AbortController();

/** Everything that a judgement may rest on. */
const situation = fc.record({
  origin: fc.record({
    owner: fc.constantFrom(sender, agent, 'service@desk.example', 'Administrator', 'other@web.example'),
    raisedBy: fc.constantFrom(sender, 'Vy@Shop.example', 'someone@web.example', null),
    viaCustomerPortal: fc.boolean(),
  }),
  emails: fc.constantFrom([], [sender], ['boss@shop.example']),
  customers: fc.uniqueArray(
    fc.record({ name: fc.constantFrom('A', 'B'), linkedBy: fc.constantFrom('desk', 'sender', 'website_user') }),
    { selector: ({ name }) => name },
  ),
  protects: fc.record({ orgId: fc.boolean(), accountLinks: fc.boolean() }),
  bound: fc.constantFrom(null, 'A', 'B'),
  onClaim: fc.boolean(),
  account: fc.constantFrom(null, orgId, elsewhere),
  keepsAccounts: fc.boolean(),
  synced: fc.constantFrom(null, orgId, elsewhere),
  entered: fc.constantFrom(null, orgId, elsewhere),
  hasCustomer: fc.boolean(),
  rejected: fc.constantFrom(null, orgId, elsewhere),
  rejectedFor: fc.constantFrom(sender, 'nobody@web.example'),
});
type Situation = typeof situation extends fc.Arbitrary<infer S> ? S : never;

/** Whose contact ties a sender to a customer, before customers listed their members. */
const contactOwner = { desk: agent, sender, website_user: 'other@web.example' };

/** A helpdesk in which the situation is given, by the older generation where a contact's owner plays a part. */
function deskOf({ origin, customers, protects, account, keepsAccounts, hasCustomer }: Situation) {
  const generation = customers.every(({ linkedBy }) => linkedBy === 'desk') ? '1.28' : '1.24';
  const desk = newDesk({ generation, keepsAccounts });
  // A customer of nobody known: it names no company, and must not be replaced on a claim.
  desk.customers.set('Walk-ins');
  const { owner, raisedBy, viaCustomerPortal } = origin;
  desk.insert('61307', { owner, custom_orgid: orgId });
  desk.put('HD Ticket', '61307', {
    raised_by: raisedBy,
    via_customer_portal: viaCustomerPortal ? 1 : 0,
    customer: hasCustomer ? 'Walk-ins' : null,
  });
  const address = raisedBy?.toLowerCase() ?? sender;
  for (const { name, linkedBy } of customers) {
    desk.customers.set(name, { platformOrgId: orgId });
    const links = generation === '1.24' ? [{ link_doctype: 'HD Customer', link_name: name }] : [];
    const owner = linkedBy === 'sender' ? address : contactOwner[linkedBy];
    desk.put('Contact', `${name}'s`, { owner, email_id: address, email_ids: [{ email_id: address }], links });
    if (generation === '1.28') desk.put('HD Customer', name, { contacts: [{ contact_name: `${name}'s` }] });
  }
  if (!protects.orgId) desk.openToAll('HD Customer');
  if (!protects.accountLinks) desk.openToAll('Platform Account Link');
  if (account) desk.put('Platform Account Link', 'x', { email: address, platform_orgid: account });
  return desk;
}

/** What a verb works with in this situation. */
async function contextOf(given: Situation) {
  const desk = deskOf(given);
  const crm = fakeCrm({ [orgId]: company(orgId, { emails: [...given.emails] }) });
  const layers = fakeLayers({ crm, clock: desk.clock });
  const ctx = testContext({ desk, routing: { ...routingConfig, claims: 'hold' } });
  if (given.bound) await ctx.bindings.record(given.bound, orgId, 1, { onClaim: given.onClaim });
  if (given.synced) {
    const entry = { ticket: '61307', agent, crmCompanyId: '1', previousCustomer: null, at: 1 };
    await ctx.syncLog.record({ ...entry, orgId: given.synced, customer: 'Walk-ins' });
  }
  if (given.rejected) {
    await ctx.rejections.record({
      ticket: '7',
      sender: given.rejectedFor,
      orgId: given.rejected,
      crmCompanyId: null,
      companyName: null,
      agent,
      reason: { code: 'other', note: '' },
      at: 2,
    });
  }
  if (given.entered) {
    const evidence = [{ code: 'entered_by_agent' as const, value: agent }];
    const trust: LookupTrust = { level: 'confirmed', evidence };
    const org_id = { value: given.entered, source: 'ticket', field: 'custom_orgid', trust };
    await ctx.decisions.add(decisionDraft('61307', { org_id }), 0, null);
  }
  return { ...ctx, crm: layers };
}

/** The same situation, judged where the panel shows it, where a ticket is routed, and where it may be linked. */
async function judgeEverywhere(given: Situation) {
  const shown = await contextOf(given);
  const asked = { caller: callerOf('an'), ticket: '61307', refresh: false, requestId: 'r1' };
  await getTicketProfile(shown, asked, signal);
  await shown.background.idle();
  const { bitrix, pending } = await getTicketProfile(shown, asked, signal);

  const routed = await contextOf(given);
  const ticket = await routed.helpdesk.readPipelineTicket('61307', signal);
  const firstState = firstStateOf('61307', ticket.creation);
  const { inputs } = await gatherRoutingInputs(routed, ticket, firstState, signal);

  const linking = await contextOf(given);
  const { data } = await enrichRecords(linking, {
    orgId,
    force: false,
    lane: 'open',
    hdCustomer: null,
    requireBind: null,
    level: null,
    linksClaims: false,
    file: (await linking.helpdesk.readPipelineTicket('61307', signal)).file,
  });
  return {
    shown: bitrix.company?.company_id ?? null,
    routed: inputs.org_id?.value ?? null,
    panel: bitrix.lookup_trust,
    isPending: pending.includes('lookup_trust'),
    routing: inputs.org_id?.trust ?? null,
    linked: data.ticket?.linked,
  };
}

/** Nobody vouches; by one change each, the CRM knows the sender, and an agent has entered the org id, or rejected it. */
const claim: Situation = {
  origin: { owner: 'Administrator', raisedBy: sender, viaCustomerPortal: false },
  emails: [],
  customers: [],
  protects: { orgId: true, accountLinks: true },
  bound: null,
  onClaim: false,
  account: null,
  keepsAccounts: false,
  synced: null,
  entered: null,
  hasCustomer: false,
  rejected: null,
  rejectedFor: sender,
};
const known: Situation = { ...claim, emails: [sender] };
const examples = [claim, known, { ...known, entered: orgId }, { ...known, rejected: orgId }];

test('panel, routing and linking judge alike, whatever the situation', async () => {
  const levels = new Set<string | undefined>();
  await fc.assert(
    fc.asyncProperty(situation, async (given) => {
      const { shown, routed, panel, isPending, routing, linked } = await judgeEverywhere(given);
      levels.add(panel?.level);
      expect(isPending).toBe(false);
      expect(panel).toEqual(routing);
      // A customer without org id, made by hand, is replaced by an agent only.
      const isRejected =
        given.rejected === orgId && given.origin.raisedBy?.toLowerCase() === given.rejectedFor.toLowerCase();
      expect(linked).toBe(!isRejected && panel?.level !== 'claimed' && !given.hasCustomer);
      expect([shown, routed]).toEqual(isRejected ? [null, null] : [orgId, orgId]);
    }),
    {
      numRuns: examples.length + sized({ small: 60, full: 800 }),
      examples: examples.map((given): [Situation] => [given]),
    },
  );
  expect(levels).toEqual(new Set(['claimed', 'likely', 'confirmed', undefined]));
});
