import type { FieldChange, SyncData } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import type { LookupStatus } from '@deskside/shared/status';
import type { AgentGate } from '#app/access/agent-gate.ts';
import type { Caller } from '#app/access/caller.ts';
import { requireTicketWrite } from '#app/access/require-ticket-write.ts';
import type { Lookup } from '#app/crm/lookup-company.ts';
import { AppError } from '#app/runtime/app-error.ts';
import { hideServiceRefusal } from '#app/runtime/helpdesk-refusal.ts';
import type { WithLock } from '#app/runtime/with-lock.ts';
import type { JudgeMatch } from '#app/trust/judge-match.ts';
import { customerNameFor } from '#domain/customer/customer-name.ts';
import { type Candidate, orderCandidates } from '#domain/customer/org-id-candidates.ts';
import { leaderOf, namedCompanies } from '#domain/trust/lead.ts';
import type { Clock } from '#ports/clock.ts';
import type { CustomerBindings } from '#ports/customer-bindings.ts';
import type { HelpdeskUser, Ticket, TicketFile } from '#ports/helpdesk.ts';
import type { HelpdeskRecords, TicketLink } from '#ports/helpdesk-records.ts';
import type { SyncLog } from '#ports/sync-log.ts';
import type { WrittenFacts } from '#ports/written-facts.ts';
import { aimSync } from './aim-sync.ts';
import { applyMatch } from './apply-match.ts';
import type { SearchCompany } from './enrich-records.ts';
import { linkTicket } from './link-ticket.ts';
import { listAdoptable } from './list-adoptable.ts';
import { type Match, matchFacts } from './match-facts.ts';

export interface SyncTicketCustomerDeps {
  gate: AgentGate;
  judgeMatch: JudgeMatch;
  records: HelpdeskRecords;
  bindings: CustomerBindings;
  writtenFacts: WrittenFacts;
  syncLog: SyncLog;
  withLock: WithLock;
  /** See `Match`. */
  platformHost: string | null;
  clock: Clock;
  /** Null if no webhook is configured. */
  searchCompany: SearchCompany | null;
  crmEnabled: boolean;
  /** Has the ticket's decision judged again, if it was made on a claim. */
  claimConfirmed: (ticket: string) => void;
}

export type SyncTicketCustomer = (input: {
  caller: Caller;
  ticket: string;
  /** The org id of the company on screen; null for the one that leads among the ticket's (docs/decisions.md 10a). */
  orgId: OrgId | null;
  /** The CRM id of the company on screen; null for whichever the org id has. */
  bitrixId: string | null;
  action: 'preview' | 'apply';
  /** The customer that the preview found on the ticket, empty for none; null if the caller has seen no preview. */
  expectedCustomer: string | null;
  /** The customer made by hand of which the caller says that it is the company; null to make a new one if there is none. */
  adopt: string | null;
  signal: AbortSignal;
}) => Promise<SyncData>;

/** An org id of the ticket with what the CRM has for it. */
interface Found {
  candidate: Candidate;
  looked: Lookup;
}

interface Sync {
  caller: Caller;
  agent: HelpdeskUser;
  ticket: string;
  match: Match;
  expectedCustomer: string | null;
  adopt: string | null;
}

/**
 * Links a ticket to the customer of the company that an agent has on screen, and brings that customer up to date
 * (docs/api.md#sync). Looks up as enrichment does, so that both find the same company; if that is not the one on
 * screen, nothing is done. A preview writes nothing. Throws AppError: if the caller may not change the ticket or the
 * customer that they adopt, `identity_conflict`, `changed_since`, and if the helpdesk fails. Whatever the CRM does is a status.
 */
export function createSyncTicketCustomer(deps: SyncTicketCustomerDeps): SyncTicketCustomer {
  const { gate, records, syncLog } = deps;

  return async ({ caller, ticket, orgId: asked, bitrixId, action, expectedCustomer, adopt, signal }) => {
    const { agent, file } = await requireTicketWrite(deps, caller, ticket, signal);
    const { candidates } = orderCandidates(file.ticket.orgIdFields, file.customer);
    const named = asked === null ? candidates : [{ orgId: asked, source: 'ticket', field: '' } as const];
    if (named.length === 0) return nothingDone(file, action, 'missing_orgid');
    if (!deps.crmEnabled) return nothingDone(file, action, 'disabled');
    if (deps.searchCompany === null) return nothingDone(file, action, 'missing_config');
    const looked = await lead(file.ticket, await search(deps.searchCompany, named), signal);
    const { value: orgId } = looked;
    const [company] = looked.companies;
    if (looked.status === 'error') return nothingDone(file, action, 'error');
    if (!company || looked.checkedAt === null) return nothingDone(file, action, 'not_found');
    const found = company.fields.bitrix_id;
    if (bitrixId !== null && bitrixId !== found)
      throw AppError.conflict({ code: 'other_company_matched', asked: bitrixId, found });

    const match = { orgId, company, checkedAt: looked.checkedAt, platformHost: deps.platformHost };
    const sync: Sync = { caller, agent, ticket, match, expectedCustomer, adopt };
    const status = looked.status === 'cached' ? 'cached' : 'matched';
    const done = hideServiceRefusal(
      action === 'preview'
        ? preview(sync, signal)
        : deps.withLock(`enrich ${orgId}`, (workSignal) => apply(sync, workSignal)),
    );
    return {
      action,
      status,
      company: { id: found, company_id: orgId, name: company.fields.company_name },
      ...(await done),
    };
  };

  function search(searchCompany: SearchCompany, candidates: readonly Candidate[]): Promise<Found[]> {
    const how = { by: 'platform_orgid_then_company_id', refresh: false, lane: 'click' } as const;
    return Promise.all(
      candidates.map(async (candidate) => ({ candidate, looked: await searchCompany(candidate.orgId, how) })),
    );
  }

  /** The look-up to go by: of several companies that of the best vouched for (docs/decisions.md 10a). */
  async function lead(ticket: Ticket, found: Found[], signal: AbortSignal): Promise<Lookup> {
    const { companies, otherwise } = namedCompanies(found);
    const [only, ...others] = companies;
    if (others.length === 0) return (only ?? (otherwise as Found)).looked;
    const judged = await hideServiceRefusal(
      Promise.all(
        companies.map(async ({ candidate, looked }) => {
          const match = { ticket, candidate, company: looked.companies[0] ?? null };
          return { looked, trust: (await deps.judgeMatch(match, signal)).trust };
        }),
      ),
    );
    return (leaderOf(judged) as (typeof judged)[number]).looked;
  }

  type Done = Pick<SyncData, 'sync_id' | 'ticket' | 'customer' | 'adoptable' | 'changes'>;

  async function preview(sync: Sync, signal: AbortSignal): Promise<Done> {
    const { match, ticket, adopt } = sync;
    const link = await records.readTicketLink(ticket, signal);
    const about = { ...sync, ofTicket: link.customer };
    const { record, isKnown } = await aimSync(deps, about, signal);
    const name = record?.name ?? customerNameFor(match.company.fields.company_name ?? '', match.orgId);
    const own = record && (await deps.writtenFacts.of(record.name));
    const { customer } = link;
    return {
      sync_id: null,
      ticket: { name: ticket, customer, previous_customer: customer, linked: customer === name },
      customer: { name, created: record === null, ...(adopt !== null && { adopted: true }) },
      adoptable: isKnown ? [] : await listAdoptable(records, about, signal),
      changes: records.planCustomer(record, matchFacts(records, match, record, own)),
    };
  }

  async function apply(sync: Sync, signal: AbortSignal): Promise<Done> {
    const { agent, ticket, match, expectedCustomer, adopt } = sync;
    const link = await records.readTicketLink(ticket, signal);
    await requireAsPreviewed(link, expectedCustomer, agent);
    const { search } = await aimSync(deps, { ...sync, ofTicket: link.customer }, signal);
    const written = await applyMatch(deps, match, { ...search, others: [], mends: true }, signal);
    const { name, created, before, plan } = written;
    const adopted = adopt === null ? null : written.changes;
    const id = await recordOnce({ ticket, agent, match, customer: name, previousCustomer: link.customer, adopted });
    // Whoever puts another customer on the ticket at this very moment knows something that the agent does not.
    const mayReplace = (present: string | null) => present === link.customer;
    const { linked } = await linkTicket(records, { ticket, customer: name, mayReplace }, signal);
    gate.forgetTicket(ticket);
    if (!linked) {
      await syncLog.markUndone(id, deps.clock());
      throw new AppError('changed_since');
    }
    deps.claimConfirmed(ticket);
    const previous_customer = (await syncLog.get(id))?.previousCustomer ?? null;
    return {
      sync_id: id,
      ticket: { name: ticket, customer: name, previous_customer, linked },
      customer: { name, created, ...(adopt !== null && { adopted: true }) },
      changes: records.planCustomer(before, plan),
    };
  }

  /** What happens must still be what the agent agreed to; having pressed twice is not a change. */
  async function requireAsPreviewed(link: TicketLink, expected: string | null, agent: HelpdeskUser): Promise<void> {
    if (expected === null || (link.customer ?? '') === expected) return;
    const latest = await syncLog.latest(link.name);
    const isOwn = latest?.agent === agent.id && latest.customer === link.customer;
    if (!isOwn || (latest.previousCustomer ?? '') !== expected) throw new AppError('changed_since');
  }

  /** Pressing twice is one sync: otherwise the second would forget what the ticket had before the first. */
  async function recordOnce(input: {
    ticket: string;
    agent: HelpdeskUser;
    match: Match;
    customer: string;
    previousCustomer: string | null;
    adopted: FieldChange[] | null;
  }): Promise<string> {
    const { ticket, customer, previousCustomer, match, adopted } = input;
    const latest = await syncLog.latest(ticket);
    const isRepeated = latest?.customer === customer && latest.orgId === match.orgId && latest.agent === input.agent.id;
    if (isRepeated && previousCustomer === customer) return latest.id;
    return syncLog.record({
      ticket,
      agent: input.agent.id,
      orgId: match.orgId,
      crmCompanyId: match.company.fields.bitrix_id,
      customer,
      previousCustomer,
      adopted,
      at: deps.clock(),
    });
  }
}

/** The answer if there was nothing to do, or nothing could be done. */
function nothingDone(file: TicketFile, action: SyncData['action'], status: LookupStatus): SyncData {
  const { name, customer } = file.ticket;
  return {
    action,
    status,
    sync_id: null,
    ticket: { name, customer, previous_customer: customer, linked: false },
    customer: null,
    company: null,
    changes: [],
  };
}
