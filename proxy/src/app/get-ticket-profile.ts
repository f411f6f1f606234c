import type { OrgId } from '@deskside/shared/orgid';
import type { Company, CrmBlock, HelpdeskContact, LookupTrust, ProfileData, TicketRef } from '@deskside/shared/profile';
import { type Candidate, orderCandidates } from '../domain/candidates.ts';
import { chooseContact } from '../domain/choose-contact.ts';
import { isDeskOwner } from '../domain/desk-owner.ts';
import { planStatus } from '../domain/plan-status.ts';
import { judgeTrust, type TrustInput } from '../domain/trust.ts';
import type { Clock } from '../ports/clock.ts';
import type { CrmCompany } from '../ports/crm.ts';
import type { Decisions } from '../ports/decisions.ts';
import type { Ticket, TicketFile } from '../ports/helpdesk.ts';
import type { SyncLog } from '../ports/sync-log.ts';
import { alternativesOf } from './alternatives.ts';
import { enteredBy } from './entered-by.ts';
import { type FindOwnerDeps, findOwner } from './find-owner.ts';
import { type Lookup, type LookupDeps, lookupCompany } from './lookup-company.ts';
import type { Caller, Gate } from './open-ticket.ts';
import type { ReadSideFacts } from './read-side-facts.ts';
import type { RecordResponsible } from './record-responsible.ts';

export interface GetTicketProfileDeps {
  gate: Gate;
  clock: Clock;
  /** Null where no webhook is configured. */
  crm: (LookupDeps & FindOwnerDeps) | null;
  crmEnabled: boolean;
  readSideFacts: ReadSideFacts;
  recordResponsible: RecordResponsible;
  syncLog: Pick<SyncLog, 'latest'>;
  decisions: Pick<Decisions, 'list'>;
}

export type GetTicketProfile = (input: {
  caller: Caller;
  ticket: string;
  refresh: boolean;
  requestId: string;
  signal: AbortSignal;
}) => Promise<ProfileData>;

/** The whole answer is given within five seconds (design.md, decision 7); this is what the CRM may take of it. */
const answerWithinMs = 4_500;

/**
 * The customer profile of a ticket (spec.md, "GET platform_crm_customer_profile"). Throws AppError for a caller who may
 * not see it and for a helpdesk that fails; whatever the CRM does is a status in the answer.
 */
export function createGetTicketProfile(deps: GetTicketProfileDeps): GetTicketProfile {
  return async ({ caller, ticket, refresh, requestId, signal }) => {
    const startedAt = deps.clock();
    const file = await deps.gate.openTicket(caller, ticket, signal);
    const { candidates, unusable } = orderCandidates(file.ticket.orgIdFields, file.customer);
    const looked = await lookUp(candidates, refresh, startedAt);
    const matched = looked?.companies[0] ? candidates.find((c) => c.orgId === looked.value) : undefined;
    const known = looked?.companies[0] && matched && (await trustInput(file.ticket, matched, looked.companies[0]));
    // Only where nothing else vouches for the sender is he looked up among the customer's contacts.
    const open = known !== undefined && judgeTrust(known).level === 'claimed';
    const owner = open && known.ownerIsDesk === null && !known.linkedBy ? file.ticket.origin.owner : null;
    const facts = deps.readSideFacts({
      sender: file.ticket.origin.raisedBy,
      owner,
      orgId: open ? known.candidate.orgId : null,
      customer: file.customer?.name ?? null,
    });
    const seen = { ties: facts.ties?.customers ?? null, ownerIsDesk: known?.ownerIsDesk ?? facts.ownerIsDesk };
    const trust = known === undefined ? null : judgeTrust({ ...known, ...seen });
    const bitrix = await crmBlock({ file, candidates, looked, trust, refresh, requestId, startedAt });
    deps.recordResponsible(file.ticket, bitrix.responsible);
    return {
      ticket: ticketRef(file.ticket),
      customer: file.customer,
      contact: file.contact,
      haravan: facts.accountLinks,
      bitrix,
      pending: facts.pending,
      notes: unusable.map((field) => ({ code: 'orgid_unusable' as const, field })),
    };
  };

  /** What vouches for the sender as far as it costs the helpdesk nothing. */
  async function trustInput(ticket: Ticket, candidate: Candidate, company: CrmCompany): Promise<TrustInput> {
    // Without our records nothing is confirmed by them, but the profile is still of use.
    const [synced, entered] = await Promise.all([
      linkedBy(deps.syncLog, ticket, candidate.orgId).catch(() => null),
      enteredBy(deps.decisions, ticket.name, candidate.orgId).catch(() => null),
    ]);
    const desk = { ownerIsDesk: isDeskOwner(ticket.origin) };
    const agents = { linkedBy: synced, enteredBy: entered };
    return { origin: ticket.origin, candidate, companyEmails: company.emails, ties: null, ...desk, ...agents };
  }

  async function lookUp(candidates: Candidate[], refresh: boolean, startedAt: number): Promise<Lookup | null> {
    const [first, ...rest] = candidates.map((c) => c.orgId);
    if (!first || !deps.crmEnabled || !deps.crm) return null;
    return lookupCompany(deps.crm, { candidates: [first, ...rest], refresh, deadlineMs: left(startedAt) });
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
        // A CRM that has just failed is not asked for something else on top.
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

/** The agent whose Sync still stands: of this org id, and with the customer that he linked. */
async function linkedBy(syncLog: Pick<SyncLog, 'latest'>, ticket: Ticket, orgId: OrgId): Promise<string | null> {
  const latest = await syncLog.latest(ticket.name);
  return latest?.orgId === orgId && latest.customer === ticket.customer ? latest.agent : null;
}

function contactKeys({ ticket, contact }: { ticket: Ticket; contact: HelpdeskContact | null }) {
  return {
    emails: [contact?.email_id, ticket.origin.raisedBy].flatMap((email) => email?.trim().toLowerCase() || []),
    phones: [contact?.mobile_no, contact?.phone].flatMap((phone) => phone || []),
  };
}

function ticketRef({ name, subject, customer, contact, origin, agentGroup, orgIdFields }: Ticket): TicketRef {
  const orgId = orgIdFields.find(({ field }) => field === 'custom_orgid')?.value;
  return {
    name,
    subject,
    customer,
    contact,
    raised_by: origin.raisedBy,
    agent_group: agentGroup,
    custom_orgid: orgId === null || orgId === undefined || orgId === '' ? null : String(orgId as OrgId),
  };
}
