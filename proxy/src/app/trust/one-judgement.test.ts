import type { OrgId } from '@deskside/shared/orgid';
import type { LookupTrust } from '@deskside/shared/profile';
import { sized } from '@deskside/testing/size';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { enrichRecords } from '#app/customer/enrich-records.ts';
import { gatherRoutingInputs } from '#app/routing/gather-routing-inputs.ts';
import { createWithLock } from '#app/runtime/duties/with-lock.ts';
import { hdCustomer, oneHelpdesk } from '#app/testing/fake-helpdesk.ts';
import { fakeRecords } from '#app/testing/fake-records.ts';
import { fakeTickets } from '#app/testing/fake-tickets.ts';
import { company, fakeCrm, fakeLayers, silent } from '#app/testing/fakes.ts';
import { decisionDraft } from '#app/testing/pipeline/decision-draft.ts';
import { withOrgId } from '#app/testing/pipeline/pipeline-kit.ts';
import { routingConfig } from '#app/testing/pipeline/pipeline-rules.ts';
import { orgId, profileWorld } from '#app/testing/profile-kit.ts';
import { firstStateOf } from '#store/testing/decision-draft.ts';
import { memoryStore } from '#store/testing/memory-store.ts';

const sender = 'vy@shop.example';
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

/** The same situation, judged where the panel shows it, where a ticket is routed, and where it may be linked. */
async function judgeEverywhere(given: Situation) {
  // A customer of nobody known: it names no company, and must not be replaced on a claim.
  const held = given.hasCustomer ? hdCustomer('Walk-ins') : null;
  const tickets = fakeTickets(() => Date.UTC(2026, 10, 20));
  const { file } = tickets.insert('61307', {
    ...withOrgId(orgId, { origin: given.origin, customer: held?.name ?? null }),
    customer: held,
  });
  const found = company(orgId, { emails: [...given.emails] });
  const w = profileWorld({ file, crm: fakeCrm({ [orgId]: found }) });
  w.helpdesk.ties = { customers: given.customers };
  w.helpdesk.protects = given.protects;
  w.helpdesk.hasAccountLinks = () => given.keepsAccounts;
  if (given.account) for (const by of [sender, 'Vy@Shop.example']) w.helpdesk.accounts.add(`${by} ${given.account}`);
  if (given.bound) await w.bindings.record(given.bound, orgId, 1, { onClaim: given.onClaim });
  if (given.synced) {
    const entry = { ticket: '61307', agent, crmCompanyId: '1', previousCustomer: null, at: 1 };
    await w.syncLog.record({ ...entry, orgId: given.synced, customer: 'Walk-ins' });
  }
  if (given.rejected) {
    await w.rejections.record({
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
    await w.decisions.add(decisionDraft('61307', { org_id }), 0, null);
  }
  await w.get();
  await w.background.idle();
  const { bitrix, pending } = await w.get();

  /** A helpdesk of its own for each that writes. */
  const desk = () => {
    const records = fakeRecords();
    records.customers.set('Shop', { platformOrgId: orgId });
    records.tickets.set('61307', held?.name ?? null);
    return oneHelpdesk(w.helpdesk, records, {});
  };
  const acting = () => {
    const { adoptions, leases, writtenFacts } = memoryStore();
    return {
      ...w,
      crm: fakeLayers({ crm: w.crm, clock: w.clock }),
      crmEnabled: true,
      crmTimeoutMs: 15_000,
      gate: { forgetTicket: () => {} },
      withLock: createWithLock(leases),
      platformHost: null,
      logger: silent,
      adoptions,
      writtenFacts,
    };
  };
  const routing = {
    readPipelineTicket: tickets.readPipelineTicket,
    findCustomerOf: tickets.findCustomerOf,
    // Intake finds nothing, and is asked only where the ticket's own org id has been rejected.
    readFirstMessage: async () => '',
  };
  const routed = {
    ...acting(),
    helpdesk: oneHelpdesk(routing, desk(), {}),
    routing: { ...routingConfig, claims: 'route' as const },
    hosts: { platform_hosts: [], guarded_domains: [] },
    metaQueue: { read: async () => raise() },
  };
  const ticket = await tickets.readPipelineTicket('61307', signal);
  const firstState = firstStateOf('61307', ticket.creation);
  const { inputs } = await gatherRoutingInputs(routed, ticket, firstState, signal);

  const { data } = await enrichRecords(
    { ...acting(), helpdesk: desk() },
    {
      orgId,
      force: false,
      lane: 'open',
      hdCustomer: null,
      requireBind: null,
      level: null,
      linksClaims: false,
      file,
    },
  );
  return {
    shown: bitrix.company?.company_id ?? null,
    routed: inputs.org_id?.value ?? null,
    panel: bitrix.lookup_trust,
    isPending: pending.includes('lookup_trust'),
    routing: inputs.org_id?.trust ?? null,
    linked: data.ticket?.linked,
  };
}

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
    { numRuns: sized({ small: 60, full: 800 }) },
  );
  expect(levels.size).toBe(4);
});

function raise(): never {
  throw new Error('No shop is asked.');
}
