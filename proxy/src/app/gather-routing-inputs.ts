import type { LookupTrust } from '@deskside/shared/profile';
import type { RoutingDecision, RoutingInputs } from '@deskside/shared/routing';
import { type Candidate, orderCandidates } from '../domain/candidates.ts';
import { customerNameFor } from '../domain/customer-name.ts';
import { isDeskOwner } from '../domain/desk-owner.ts';
import { judgeTrust } from '../domain/trust.ts';
import type { CrmCompany } from '../ports/crm.ts';
import type { FirstSight } from '../ports/decisions.ts';
import type { Helpdesk } from '../ports/helpdesk.ts';
import type { HelpdeskTickets, PipelineTicket, RoutingFields } from '../ports/helpdesk-tickets.ts';
import type { Logger } from '../ports/logger.ts';
import type { SyncLog } from '../ports/sync-log.ts';
import { AppError } from './app-error.ts';
import type { Enriched, EnrichRecords, SearchCompany } from './enrich-records.ts';
import type { Intake, IntakeTicket } from './intake-ticket.ts';
import type { Lookup } from './lookup-company.ts';

export interface GatherDeps {
  tickets: Pick<HelpdeskTickets, 'readPipelineTicket' | 'isAgent' | 'serviceUser'>;
  helpdesk: Pick<Helpdesk, 'readSenderTies'>;
  syncLog: Pick<SyncLog, 'latest'>;
  intake: IntakeTicket;
  crmEnabled: boolean;
  /** Both null where no webhook is configured. */
  searchCompany: SearchCompany | null;
  enrichRecords: EnrichRecords | null;
  claims: 'accept' | 'propose';
  logger: Logger;
}

/** What is known of a ticket once intake, enrichment and linking are done. */
export interface Gathered {
  /** As it stands now: linking may have changed it. */
  ticket: PipelineTicket;
  inputs: RoutingInputs;
  link: RoutingDecision['link'];
  /** What the ticket is to be told besides the routing itself. */
  fields: RoutingFields;
}

/** `sight`: what the ticket was like at first. */
export type GatherRoutingInputs = (ticket: PipelineTicket, sight: FirstSight, signal: AbortSignal) => Promise<Gathered>;

/** Failures of enrichment after which a ticket is routed by what is there; others are worth another try. */
const survivable = new Set(['helpdesk_bad_answer', 'changed_since', 'identity_conflict', 'customer_not_found']);

const nothingFound: Intake = { orgId: null, platformDomain: null, findings: [], metaFailures: [], failed: false };

/**
 * Finds the org id of a ticket, its company and its customer, writes what enrichment writes, and links the ticket where
 * that is allowed (design.md section 4: intake, enrich, link). Repeatable. Throws HelpdeskError and AppError where the
 * helpdesk fails; what the CRM or a shop's address does is among the inputs.
 */
export function createGatherRoutingInputs(deps: GatherDeps): GatherRoutingInputs {
  const { tickets, claims } = deps;

  return async (seen, sight, signal) => {
    const { candidates } = orderCandidates(seen.file.ticket.orgIdFields, seen.file.customer);
    const [own = null] = candidates;
    const found = own === null ? await deps.intake(seen, signal) : nothingFound;
    const candidate = own ?? candidateOf(found);
    const group = seen.file.ticket.agentGroup;
    const agent_group = group === null ? null : { name: group, set_by: sight.groupSetBy ?? ('person' as const) };
    const enteredBy = own?.source === 'ticket' && sight.entered?.orgId === own.orgId ? sight.entered.agent : null;

    const asked = candidate && (await ask(seen, candidate, enteredBy, signal));
    const enriched = asked?.enriched ?? null;
    const ticket = enriched === null ? seen : await tickets.readPipelineTicket(seen.file.ticket.name, signal);
    const held = candidates.find(({ source }) => source !== 'ticket');
    // The customer that the ticket has was not replaced: it is his org id that the ticket is routed by.
    const standing = held && held.orgId !== candidate?.orgId && ticket.file.customer?.name === seen.file.customer?.name;
    const judged = standing
      ? { candidate: held, trust: await judge(seen, held, null, null, signal) }
      : candidate && { candidate, trust: asked?.trust ?? null };
    return {
      ticket,
      inputs: {
        org_id: judged && {
          value: judged.candidate.orgId,
          source: own === null ? (found.findings[0]?.source ?? 'text') : judged.candidate.source,
          field: judged.candidate.field,
          trust: judged.trust,
        },
        customer: customerOf(ticket, enriched, asked?.looked ?? null),
        ticket_segment: seen.segment,
        ticket_status: seen.status,
        ticket_creation: seen.creation,
        agent_group,
        crm: asked?.crm ?? null,
        findings: found.findings,
        meta_failures: found.metaFailures,
      },
      link: linkOf(seen, sight.customer, asked),
      fields: { ...foundFields(found), ...checkFields(asked?.looked ?? null) },
    };
  };

  interface Asked {
    crm: RoutingInputs['crm'];
    trust: LookupTrust;
    looked: Lookup | null;
    enriched: Enriched | null;
    candidate: Candidate;
  }

  async function ask(
    ticket: PipelineTicket,
    candidate: Candidate,
    enteredBy: string | null,
    signal: AbortSignal,
  ): Promise<Asked> {
    const { searchCompany, enrichRecords } = deps;
    if (!deps.crmEnabled || searchCompany === null || enrichRecords === null) {
      const status = deps.crmEnabled ? 'missing_config' : 'disabled';
      const trust = await judge(ticket, candidate, null, enteredBy, signal);
      return {
        crm: { status, error: null, checked_at: null, stale: false },
        trust,
        looked: null,
        enriched: null,
        candidate,
      };
    }
    const search = () =>
      searchCompany(candidate.orgId, { by: 'platform_orgid_then_company_id', refresh: false, lane: 'open' });
    // A claim on a ticket without customer is just followed; otherwise whose word it is has to be known first.
    const first = claims === 'propose' || ticket.file.customer !== null ? await search() : null;
    const judged = first && (await judge(ticket, candidate, first.companies[0] ?? null, enteredBy, signal));
    const isClaim = judged?.level === 'claimed';
    const may = !isClaim || (claims === 'accept' && carries(ticket, candidate));
    const enriched = may ? await enrich(enrichRecords, ticket, candidate) : null;
    const looked = first ?? enriched?.looked ?? (await search());
    const trust = judged ?? (await judge(ticket, candidate, looked.companies[0] ?? null, enteredBy, signal));
    return { crm: crmOf(looked), trust, looked, enriched, candidate };
  }

  async function enrich(
    enrichRecords: EnrichRecords,
    { file }: PipelineTicket,
    { orgId }: Candidate,
  ): Promise<Enriched | null> {
    return enrichRecords({ orgId, force: false, lane: 'open', hdCustomer: null, adoptFree: false, file }).catch(
      (error: unknown) => {
        if (!(error instanceof AppError && survivable.has(error.code))) throw error;
        deps.logger.warn({ error: error.code, ticket: file.ticket.name }, 'A ticket is routed without being enriched');
        return null;
      },
    );
  }

  async function judge(
    { file }: PipelineTicket,
    candidate: Candidate,
    company: CrmCompany | null,
    enteredBy: string | null,
    signal: AbortSignal,
  ): Promise<LookupTrust> {
    const { origin, name, customer } = file.ticket;
    const synced = await deps.syncLog.latest(name);
    const linkedBy = synced?.orgId === candidate.orgId && synced.customer === customer ? synced.agent : null;
    const vouchers = { linkedBy, enteredBy, ownerIsDesk: await isDesk(file, signal) };
    const known = { origin, candidate, companyEmails: company?.emails ?? [], ties: null, ...vouchers };
    const cheap = judgeTrust(known);
    if (cheap.level !== 'claimed' || !origin.raisedBy) return cheap;
    const { customers } = await deps.helpdesk.readSenderTies(origin.raisedBy, candidate.orgId, signal);
    return judgeTrust({ ...known, ties: customers });
  }

  async function isDesk({ ticket: { origin } }: PipelineTicket['file'], signal: AbortSignal): Promise<boolean> {
    const told = isDeskOwner(origin);
    if (told !== null) return told;
    return origin.owner === (await tickets.serviceUser(signal)) || tickets.isAgent(origin.owner, signal);
  }
}

/** Whether the ticket's customer is known to be this org id's: then the claim changes nothing. */
function carries({ file }: PipelineTicket, { orgId }: Candidate): boolean {
  return orderCandidates([], file.customer).candidates.some((held) => held.orgId === orgId);
}

function candidateOf({ orgId, findings }: Intake): Candidate | null {
  if (orgId === null) return null;
  const finding = findings.find(({ kind, value }) => kind === 'org_id' && value === orgId);
  return { orgId, source: 'ticket', field: finding?.field ?? 'text' };
}

function crmOf({ status, error, checkedAt, stale }: Lookup): RoutingInputs['crm'] {
  return { status, error, checked_at: isoOf(checkedAt), stale };
}

/** The customer's own record says the segment; where the site has no field for it, the company that it stands for does. */
function customerOf(
  ticket: PipelineTicket,
  enriched: Enriched | null,
  looked: Lookup | null,
): RoutingInputs['customer'] {
  const { customer } = ticket.file;
  if (customer === null) return null;
  const company = enriched?.data.hd_customer === customer.name ? looked?.companies[0] : undefined;
  return {
    name: customer.name,
    segment: customer.custom_customer_segment ?? company?.fields.customer_segment ?? null,
    shop_plan: customer.custom_shopplan_name ?? company?.fields.current_shopplan ?? null,
    checked_at: isoOf(ticket.customerCheckedAt ?? looked?.checkedAt ?? null),
  };
}

/** What linking did, or would have done were claims trusted. */
function linkOf(
  seen: PipelineTicket,
  before: string | null,
  asked: { enriched: Enriched | null; looked: Lookup | null; candidate: Candidate } | null,
): RoutingDecision['link'] {
  const previous = seen.file.ticket.customer;
  const { enriched, looked } = asked ?? {};
  const customer = enriched?.data.hd_customer;
  // Compared with the customer at first sight: an earlier run may have linked it and then failed.
  if (enriched?.data.ticket?.linked && customer && before !== customer)
    return { customer, previous: before, done: true };
  const company = looked?.companies[0];
  if (enriched || !company || !asked || previous !== null) return null;
  return { customer: customerNameFor(company.fields.company_name ?? '', asked.candidate.orgId), previous, done: false };
}

function foundFields({ orgId, platformDomain }: Intake): RoutingFields {
  return { ...(orgId !== null && { orgId }), ...(platformDomain !== null && { platformDomain }) };
}

/** When the CRM was asked, and that it had nothing, for the ticket's own fields (spec.md, "HD Ticket fields"). */
function checkFields(looked: Lookup | null): RoutingFields {
  if (looked === null || looked.status === 'error' || looked.checkedAt === null) return {};
  return {
    crmLastCheckedAt: looked.checkedAt,
    crmNotFoundAt: looked.outcome === 'not_found' ? looked.checkedAt : null,
  };
}

function isoOf(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
