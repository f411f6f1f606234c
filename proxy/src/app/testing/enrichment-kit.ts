import type { OrgId } from '@deskside/shared/orgid';
import type { ClaimsMode } from '@deskside/shared/routing';
import { memoryStore } from '#adapters/store-sql/testing/memory-store.ts';
import { createAgentGate } from '#app/access/agent-gate.ts';
import type { Lookup } from '#app/crm/lookup-company.ts';
import { createChooseCompany } from '#app/customer/choose-company.ts';
import { createEnrichCompany } from '#app/customer/enrich-company.ts';
import { createEnrichRecords, type SearchHow } from '#app/customer/enrich-records.ts';
import { createNoteCheck } from '#app/customer/note-check.ts';
import { createSyncTicketCustomer } from '#app/customer/sync/sync-ticket-customer.ts';
import { createUndoSync } from '#app/customer/sync/undo-sync.ts';
import { createWithLock } from '#app/runtime/duties/with-lock.ts';
import { type JudgeMatch, judgeMatch } from '#app/trust/judge-match.ts';
import { identifySender, type Raised } from '#app/trust/sender-memory.ts';
import type { CrmCompany } from '#ports/crm/crm.ts';
import type { TicketFile } from '#ports/helpdesk/helpdesk.ts';
import { fakeAdoptions, fakeBindings, fakeWrittenFacts } from './fake-customer-notes.ts';
import { fakeHelpdesk, ticketFile } from './fake-helpdesk.ts';
import { fakeLeases } from './fake-leases.ts';
import { fakeDecisions } from './fake-pipeline-store.ts';
import { fakeRecords } from './fake-records.ts';
import { fakeRejections, fakeSenderMemory, fakeSyncLog } from './fake-sender-memory.ts';
import { fakeTickets } from './fake-tickets.ts';
import { company, fakeClock, fakeMemory, silent } from './fakes.ts';

export const orgId = '1000069001' as OrgId;
export const otherOrgId = '200000376001' as OrgId;
export const agent = { authorization: 'token agent', digest: 'agent' };
export const otherAgent = { authorization: 'token other', digest: 'other' };
export const portalCustomer = { authorization: 'token portal', digest: 'portal' };
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

/** The verbs with fake ports. The CRM is a function that tests can replace; its calls are recorded. */
export function enrichmentWorld({
  crmEnabled = true,
  configured = true,
  platformHost = null,
  file = ticketFile(ticket, orgId),
  claims = 'accept',
}: {
  crmEnabled?: boolean;
  configured?: boolean;
  platformHost?: string | null;
  file?: TicketFile;
  claims?: ClaimsMode;
} = {}) {
  const clock = fakeClock();
  const helpdesk = fakeHelpdesk(
    { [ticket]: file },
    {
      [agent.authorization]: { id: 'an@desk.example', fullName: 'An', language: null, isAgent: true },
      [otherAgent.authorization]: { id: 'ba@desk.example', fullName: 'Ba', language: null, isAgent: true },
      [portalCustomer.authorization]: { id: 'vy@shop.example', fullName: 'Vy', language: null, isAgent: false },
    },
  );
  const records = fakeRecords();
  const tickets = fakeTickets(clock);
  tickets.insert(ticket, { ticket: file.ticket });
  records.tickets.set(ticket, file.ticket.customer);
  const store = memoryStore(clock);
  const syncLog = fakeSyncLog(store);
  const rejections = fakeRejections(store);
  const senderMemory = fakeSenderMemory(syncLog, rejections);
  const bindings = fakeBindings(store);
  const writtenFacts = fakeWrittenFacts(store);
  const adoptions = fakeAdoptions(store);
  const decisions = fakeDecisions(store);
  const leases = fakeLeases(store);
  /** Tickets whose claim was reported as confirmed. */
  const confirmed: string[] = [];
  const asked: (SearchHow & { orgId: OrgId })[] = [];
  const crm = { answer: (): Partial<Lookup> => matched(crmCompany()), hold: Promise.resolve() };
  const searchCompany = async (value: OrgId, how: SearchHow): Promise<Lookup> => {
    asked.push({ orgId: value, ...how });
    const answer = crm.answer();
    await crm.hold;
    return {
      status: 'matched',
      outcome: null,
      value,
      companies: [],
      checkedAt: clock(),
      stale: false,
      error: null,
      ...answer,
    };
  };

  /** One process: several share records, sync log and leases. */
  const process = () => {
    const gate = createAgentGate({ helpdesk, memory: fakeMemory(clock) });
    const withLock = createWithLock(leases);
    const judge: JudgeMatch = (match, signal) =>
      judgeMatch({ helpdesk, bindings, syncLog, decisions, rejections }, match, signal);
    const shared = {
      gate,
      helpdesk,
      judgeMatch: judge,
      records,
      bindings,
      adoptions,
      writtenFacts,
      decisions,
      syncLog,
      rejections,
      senderMemory,
      identifySender: (raised: Pick<Raised, 'origin'>, signal: AbortSignal) =>
        identifySender({ helpdesk: tickets }, raised, signal),
      withLock,
      platformHost,
      clock,
      crmEnabled,
      limitRefreshes: () => {},
      logger: silent,
    };
    const enrichRecords = createEnrichRecords({ ...shared, searchCompany });
    const enrich = createEnrichCompany({
      ...shared,
      enrichRecords: configured ? enrichRecords : null,
      noteCheck: createNoteCheck({ ...shared, tickets }),
      claims,
    });
    const sync = createSyncTicketCustomer({
      ...shared,
      chooseCompany: configured ? createChooseCompany({ ...shared, searchCompany }) : null,
      tickets,
      move: { preview: async () => null, apply: async () => null },
      claimConfirmed: (name) => void confirmed.push(name),
    });
    const undo = createUndoSync({ ...shared, moveBack: async () => null });
    const signal = new AbortController().signal;
    return {
      gate,
      enrichRecords,
      enrich: (input: Partial<Parameters<typeof enrich>[0]> = {}) =>
        enrich({
          caller: agent,
          orgId,
          force: false,
          hdCustomer: null,
          ticket: null,
          requestId: 'r1',
          signal,
          ...input,
        }),
      sync: (input: Partial<Parameters<typeof sync>[0]> = {}) =>
        sync({
          caller: agent,
          ticket,
          orgId,
          bitrixId: '63001',
          action: 'apply',
          expectedCustomer: null,
          adopt: null,
          moveTo: null,
          signal,
          ...input,
        }),
      undo: (syncId: string, input: Partial<Parameters<typeof undo>[0]> = {}) =>
        undo({ caller: agent, ticket, syncId, signal, ...input }),
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
    process,
    link,
    ...process(),
  };
}

export function matched(...companies: CrmCompany[]): Partial<Lookup> {
  return { status: 'matched', outcome: 'matched', companies };
}
