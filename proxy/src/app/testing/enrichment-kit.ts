import type { OrgId } from '@deskside/shared/orgid';
import type { ClaimsMode } from '@deskside/shared/routing';
import { createAgentGate } from '#app/access/agent-gate.ts';
import type { AskCrm } from '#app/crm/ask-crm.ts';
import { type EnrichmentAsked, enrichCompany } from '#app/customer/enrich-company.ts';
import { createEnrichmentRuns } from '#app/customer/enrichment-runs.ts';
import { type SyncAsked, syncTicketCustomer } from '#app/customer/sync/sync-ticket-customer.ts';
import { undoSync } from '#app/customer/sync/undo-sync.ts';
import { createWithLock } from '#app/runtime/duties/with-lock.ts';
import { routingConfig } from '#app/testing/pipeline/pipeline-rules.ts';
import type { CompanyAnswer, CrmCompany } from '#ports/crm/crm.ts';
import type { TicketFile } from '#ports/helpdesk/helpdesk.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { fakeHelpdesk, oneHelpdesk, ticketFile } from './fake-helpdesk.ts';
import { fakeRecords } from './fake-records.ts';
import { fakeTickets } from './fake-tickets.ts';
import { company, fakeClock, fakeCrm, fakeLayers, fakeMemory, silent } from './fakes.ts';
import { newDesk } from './former-desk.ts';

export const orgId = '1000069001' as OrgId;
export const otherOrgId = '200000376001' as OrgId;
export const agent = { authorization: 'token agent:agent', digest: 'agent' };
export const otherAgent = { authorization: 'token other:other', digest: 'other' };
export const portalCustomer = { authorization: 'token portal:portal', digest: 'portal' };
export const ticket = '61307';
/** The name that a new customer of `crmCompany` gets. */
export const newName = `Shop ${orgId} - ${orgId}`;
export const modifiedAt = Date.UTC(2026, 4, 5, 18, 40, 10);

/** The CRM's company, with the values that enrichment writes. */
export function crmCompany(change: Partial<CrmCompany> = {}, fields: Partial<CrmCompany['fields']> = {}): CrmCompany {
  return company(
    orgId,
    { modifiedAt, matchedField: 'UF_CRM_PLATFORM_ORG_ID', payload: '{"ID":"63001"}', ...change },
    {
      bitrix_id: '63001',
      url: 'https://crm.example/crm/company/details/63001/',
      customer_segment: 'Medium',
      customer_segment_code: '15092',
      ...fields,
    },
  );
}

/**
 * The verbs with fake ports. What the CRM says is a function that tests can replace; what it is asked is recorded. It is
 * asked every time, unless its answers keep for some minutes.
 */
export function enrichmentWorld({
  crmEnabled = true,
  configured = true,
  platformHost = null,
  file = ticketFile(ticket, orgId),
  claims = 'accept',
  ttlMinutes = 0,
}: {
  crmEnabled?: boolean;
  configured?: boolean;
  platformHost?: string | null;
  file?: TicketFile;
  claims?: ClaimsMode;
  ttlMinutes?: number;
} = {}) {
  const clock = fakeClock();
  const users = {
    [agent.authorization]: { id: 'an@desk.example', fullName: 'An', language: null, isAgent: true },
    [otherAgent.authorization]: { id: 'ba@desk.example', fullName: 'Ba', language: null, isAgent: true },
    [portalCustomer.authorization]: { id: 'vy@shop.example', fullName: 'Vy', language: null, isAgent: false },
  };
  const desk = newDesk(users, clock);
  const helpdesk = fakeHelpdesk({ [ticket]: file }, users, desk);
  const records = fakeRecords(desk);
  const tickets = fakeTickets(clock);
  tickets.insert(ticket, { ticket: file.ticket });
  records.tickets.set(ticket, file.ticket.customer);
  const store = memoryStore(clock);
  const { adoptions, bindings, decisions, leases, rejections, syncLog, writtenFacts } = store;
  /** Tickets whose claim was reported as confirmed. */
  const confirmed: string[] = [];
  const asked: (Parameters<AskCrm['companies']>[1] & { orgId: OrgId })[] = [];
  const crm = fakeCrm();
  crm.answer = () => matched(crmCompany());
  const layers = fakeLayers({ crm, clock, ttlMinutes });
  const { companies } = layers.askCrm;
  layers.askCrm.companies = (orgIds, question) => {
    asked.push(...orgIds.map((one) => ({ orgId: one, ...question })));
    return companies(orgIds, question);
  };

  /** One process: several share records, sync log and leases. */
  const process = () => {
    const gate = createAgentGate({ helpdesk, memory: fakeMemory(clock) });
    const ctx = {
      helpdesk: oneHelpdesk(records, helpdesk, tickets),
      crm: configured ? layers : null,
      crmEnabled,
      crmTimeoutMs: 15_000,
      gate,
      bindings,
      adoptions,
      matches: store.matches,
      writtenFacts,
      decisions,
      syncLog,
      rejections,
      withLock: createWithLock(leases),
      platformHost,
      routing: { ...routingConfig, claims },
      inbox: store.inbox,
      clock,
      enrichmentRuns: createEnrichmentRuns(),
      limitRefreshes: () => {},
      logger: silent,
      background: { run: (task: string) => void confirmed.push(task.replace(/^claim /, '')) },
    };
    const { signal } = new AbortController();
    return {
      ctx,
      enrich: (input: Partial<EnrichmentAsked> = {}) =>
        enrichCompany(
          ctx,
          { caller: agent, orgId, force: false, hdCustomer: null, ticket: null, requestId: 'r1', ...input },
          signal,
        ),
      sync: (input: Partial<SyncAsked> = {}) =>
        syncTicketCustomer(
          ctx,
          {
            caller: agent,
            ticket,
            orgId,
            bitrixId: '63001',
            action: 'apply',
            expectedCustomer: null,
            adopt: null,
            moveTo: null,
            ...input,
          },
          signal,
        ),
      undo: (syncId: string, input: { caller?: typeof agent; ticket?: string } = {}) =>
        undoSync(ctx, { caller: agent, ticket, syncId, ...input }, signal),
    };
  };
  /** A person links the ticket to another customer in the helpdesk. */
  const link = (customer: string | null) => {
    file.ticket.customer = customer;
    records.setTicket(ticket, customer);
  };
  return {
    clock,
    store,
    helpdesk,
    records,
    tickets,
    bindings,
    adoptions,
    writtenFacts,
    decisions,
    syncLog,
    rejections,
    leases,
    asked,
    confirmed,
    crm,
    layers,
    process,
    link,
    ...process(),
  };
}

/** What the CRM says of an org id. */
export function matched(first: CrmCompany, ...others: CrmCompany[]): CompanyAnswer {
  return { kind: 'found', companies: [first, ...others] };
}

export const notFound: CompanyAnswer = { kind: 'empty' };
export const failed: CompanyAnswer = { kind: 'failed', code: 'timeout' };
