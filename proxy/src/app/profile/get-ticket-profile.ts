import type { Company, CrmBlock, HelpdeskContact, LookupTrust, ProfileData } from '@deskside/shared/profile';
import type { AgentGate } from '#app/access/agent-gate.ts';
import type { Caller } from '#app/access/caller.ts';
import { type FindOwnerDeps, findOwner } from '#app/crm/find-owner.ts';
import type { LimitRefreshes } from '#app/crm/limit-refreshes.ts';
import { alternativesOf, type Lookup, type LookupDeps, lookupCompany } from '#app/crm/lookup-company.ts';
import { ownWords, trustInput } from '#app/trust/judge-match.ts';
import type { ReadServiceFacts } from '#app/trust/read-service-facts.ts';
import { chooseContact } from '#domain/crm/choose-contact.ts';
import { planStatus } from '#domain/crm/plan-status.ts';
import { type Candidate, orderCandidates } from '#domain/customer/org-id-candidates.ts';
import { isDeskOwner, judgeTrust, type TrustInput } from '#domain/trust/judge-trust.ts';
import type { Clock } from '#ports/clock.ts';
import type { CrmCompany } from '#ports/crm.ts';
import type { Decisions } from '#ports/decisions.ts';
import type { Ticket, TicketFile } from '#ports/helpdesk.ts';
import type { HelpdeskTickets } from '#ports/helpdesk-tickets.ts';
import type { SyncLog } from '#ports/sync-log.ts';
import type { RecordResponsible } from './record-responsible.ts';

export interface GetTicketProfileDeps {
  gate: AgentGate;
  helpdesk: Pick<HelpdeskTickets, 'isSystemAccount'>;
  clock: Clock;
  /** Null if no webhook is configured. */
  crm: (LookupDeps & FindOwnerDeps) | null;
  crmEnabled: boolean;
  limitRefreshes: LimitRefreshes;
  readServiceFacts: ReadServiceFacts;
  recordResponsible: RecordResponsible;
  syncLog: Pick<SyncLog, 'latest'>;
  decisions: Pick<Decisions, 'list'>;
  /** Has the ticket's decision judged again, if it was made on a claim. */
  claimConfirmed: (ticket: string) => void;
}

export type GetTicketProfile = (input: {
  caller: Caller;
  ticket: string;
  refresh: boolean;
  requestId: string;
  signal: AbortSignal;
}) => Promise<ProfileData>;

/** The whole response takes at most five seconds (docs/decisions.md 7); this is the CRM's share. */
const answerWithinMs = 4_500;

/**
 * The customer profile of a ticket (docs/api.md#profile). Throws AppError if the caller may not see it or refreshes
 * too often, and if the helpdesk fails; whatever the CRM does is a status in the answer.
 */
export function createGetTicketProfile(deps: GetTicketProfileDeps): GetTicketProfile {
  return async ({ caller, ticket, refresh, requestId, signal }) => {
    const startedAt = deps.clock();
    const file = await deps.gate.openTicket(caller, ticket, signal);
    if (refresh) deps.limitRefreshes(await deps.gate.requireAgent(caller, signal));
    const { candidates, unusable } = orderCandidates(file.ticket.orgIdFields, file.customer);
    const looked = await lookUp(candidates, refresh, startedAt);
    const matched = looked?.companies[0] ? candidates.find((c) => c.orgId === looked.value) : undefined;
    const known = looked?.companies[0] && matched && (await knownTrust(file.ticket, matched, looked.companies[0]));
    // The customer's contacts are searched for the sender only if nothing else vouches for them.
    const open = known !== undefined && judgeTrust(known).level === 'claimed';
    const owner = open && known.ownerIsDesk === null && !known.linkedBy ? file.ticket.origin.owner : null;
    const facts = deps.readServiceFacts({
      sender: file.ticket.origin.raisedBy,
      owner,
      orgId: open ? known.candidate.orgId : null,
      customer: file.customer?.name ?? null,
    });
    const seen = { sender: facts.records, ownerIsDesk: known?.ownerIsDesk ?? facts.ownerIsDesk };
    const trust = known === undefined ? null : judgeTrust({ ...known, ...seen });
    const bitrix = await crmBlock({ file, candidates, looked, trust, refresh, requestId, startedAt });
    if (trust !== null && trust.level !== 'claimed') {
      // The sender reads the ticket: someone who merely claims a company must not learn who looks after it.
      deps.recordResponsible(file.ticket, bitrix.responsible);
      deps.claimConfirmed(file.ticket.name);
    }
    return {
      ticket: file.ticket.record,
      customer: file.customer?.record ?? null,
      contact: file.contact,
      haravan: facts.accountLinks,
      bitrix,
      pending: facts.pending,
      notes: unusable.map((field) => ({ code: 'orgid_unusable' as const, field })),
    };
  };

  /** What vouches for the sender as far as it costs the helpdesk nothing. */
  async function knownTrust(ticket: Ticket, candidate: Candidate, company: CrmCompany): Promise<TrustInput> {
    const match = { ticket, candidate, company };
    // Without our records nothing is confirmed by them, but the profile is still of use.
    const own = await ownWords(deps, match).catch(() => ({ linkedBy: null, enteredBy: null }));
    return trustInput(match, {
      ...own,
      ownerIsDesk: isDeskOwner(ticket.origin, deps.helpdesk.isSystemAccount(ticket.origin.owner)),
      sender: null,
    });
  }

  async function lookUp(candidates: Candidate[], refresh: boolean, startedAt: number): Promise<Lookup | null> {
    const [first, ...rest] = candidates.map((c) => c.orgId);
    if (!first || !deps.crmEnabled || !deps.crm) return null;
    return lookupCompany(deps.crm, {
      candidates: [first, ...rest],
      refresh,
      acceptsStale: true,
      deadlineMs: left(startedAt),
    });
  }

  async function crmBlock(input: {
    file: TicketFile;
    candidates: Candidate[];
    looked: Lookup | null;
    trust: LookupTrust | null;
    refresh: boolean;
    requestId: string;
    startedAt: number;
  }): Promise<CrmBlock> {
    const { file, candidates, looked, trust, refresh, startedAt } = input;
    const block: CrmBlock = {
      enabled: deps.crmEnabled,
      configured: deps.crm !== null,
      status:
        looked?.status ?? (candidates.length === 0 ? 'missing_orgid' : deps.crmEnabled ? 'missing_config' : 'disabled'),
      outcome: looked?.outcome ?? null,
      cached: looked?.status === 'cached',
      stale: looked?.stale ?? false,
      as_of: looked?.checkedAt ? new Date(looked.checkedAt).toISOString() : null,
      lookup_candidates: candidates.map((c) => c.orgId),
      lookup_value: looked?.value ?? null,
      lookup_trust: trust,
      company: null,
      contact: null,
      responsible: null,
      alternatives: [],
      error: looked?.error ? { code: looked.error, request_id: input.requestId } : null,
    };
    const company = looked?.companies[0];
    if (!company || !deps.crm) return block;
    return {
      ...block,
      company: companyNow(company, deps.clock()),
      contact: chooseContact(company.contacts, contactKeys(file)),
      responsible: await findOwner(deps.crm, {
        id: company.fields.assigned_by_id,
        // A CRM that has just failed is not asked for anything else.
        refresh: refresh && looked.error === null,
        startedAt,
        deadlineMs: left(startedAt),
      }),
      alternatives: alternativesOf(looked.companies),
    };
  }

  function left(startedAt: number): number {
    return Math.max(0, startedAt + answerWithinMs - deps.clock());
  }
}

function companyNow({ fields, planExpiresAt }: CrmCompany, now: number): Company {
  return { ...fields, ...planStatus(planExpiresAt, now) };
}

function contactKeys({ ticket, contact }: { ticket: Ticket; contact: HelpdeskContact | null }) {
  return {
    emails: [contact?.email_id, ticket.origin.raisedBy].flatMap((email) => email?.trim().toLowerCase() || []),
    phones: [contact?.mobile_no, contact?.phone].flatMap((phone) => phone || []),
  };
}
