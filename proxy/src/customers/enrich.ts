import { contract } from '@deskside/shared/contract';
import type { EnrichmentData, TicketLinkResult } from '@deskside/shared/enrichment';
import type { Conflict } from '@deskside/shared/envelope';
import type { OrgId } from '@deskside/shared/orgid';
import type { RoutingInputs } from '@deskside/shared/routing';
import type { LookupStatus } from '@deskside/shared/status';
import { type Call, type Context, type EntryInput, endpoint, type Work } from '#context.ts';
import { alternativesOf, type Lookup, searchCompany } from '#crm/lookup.ts';
import type { EnrichmentResult } from '#crm/per-user.ts';
import { answerFor, explainCustomerRefusal, HelpdeskError, hideServiceRefusal } from '#helpdesk/errors.ts';
import type { HelpdeskUser } from '#helpdesk/people.ts';
import type { TicketFile } from '#helpdesk/ticket-file.ts';
import { shopDomainOf } from '#intake/org-id.ts';
import { AppError } from '#runtime/app-error.ts';
import { keyOf } from '#store/schema.ts';
import type { NewAdoption } from '#store/syncs.ts';
import { companyIn, openForWriting, requireNoOtherReader, type WritableCase } from '#trust/case.ts';
import { levelOf } from '#trust/companies.ts';
import { mayBecomeByTicket } from '#trust/evidence.ts';
import { type Match, matchOf } from './facts.ts';
import type { CustomerClues } from './find-customer.ts';
import { linkTicket, noteCheck } from './ticket-writes.ts';
import { applyMatch, noteFailure, noteNotFound } from './write-customer.ts';

export type CompanyEnrichmentInput = EntryInput<typeof contract.enrichCompany>;

/**
 * Enriches an org id's customer for an agent or an integration, and links the ticket to it (docs/api.md#enrichment).
 * `ticket` is in the answer exactly where one was passed. Identical simultaneous calls share one run. Throws AppError if the
 * caller is not permitted or asks for too much, on a conflict, `ticket_read_by_other`, and if the helpdesk fails; whatever the
 * CRM does is a status.
 */
export async function enrichCompany(
  ctx: Call,
  { orgid: orgId, force, hd_customer: hdCustomer, ticket }: CompanyEnrichmentInput,
): Promise<EnrichmentData> {
  const { gate, helpdesk, caller, signal } = ctx;
  const { user, file } = await admit(ctx, { orgId, ticket, hdCustomer });
  const kept = file && { ticket: { name: file.ticket.name, linked: false, previous_customer: file.ticket.customer } };
  if (orgId === null) return { status: 'missing_orgid', ...kept };
  if (!ctx.crmEnabled) return { status: 'disabled', ...kept };
  if (ctx.crm === null) return { status: 'missing_config', ...kept };
  // A workflow may ask about many companies in a row: it waits for its turn as long as it may wait for the CRM.
  const waitMs = force ? ctx.refreshes.spendAhead(user, ctx.crmTimeoutMs) : 0;
  if (waitMs > 0) await ctx.pause(waitMs, signal);
  if (hdCustomer !== null)
    await explainCustomerRefusal(helpdesk.rights.requireCustomerRead(caller, hdCustomer, signal));

  // What a caller may do with a customer is theirs alone, so callers share no run that could depend on it.
  const isShared = hdCustomer === null && ticket === null;
  const key = JSON.stringify([orgId, force, hdCustomer, ticket, isShared ? '' : caller.digest]);
  const { data } = await ctx.enrichmentRuns(key, user.id, async () => {
    const how = { refresh: force, lane: 'open' } as const;
    const isAgentsWord = user.isAgent && hdCustomer !== null;
    const opening = file && openForWriting(ctx, file.ticket.name, { ...how, only: orgId, asksShares: isAgentsWord });
    const opened = opening && (await hideServiceRefusal(opening));
    // An agent who names the customer links it as a Sync does, and is refused as a Sync is.
    if (opened && isAgentsWord && opened.file.ticket.customer !== hdCustomer)
      await hideServiceRefusal(requireNoOtherReader(ctx, opened, hdCustomer));
    const [company = null] = opened?.companies ?? [];
    const enriched = await enrichRecords(ctx, {
      lookup: company?.lookup ?? (await searchCompany(ctx, orgId, how)),
      mends: force,
      hdCustomer,
      // Who may write a ticket may say which company its customer is, unless others outside the desk read or write that one, too:
      // then somebody has to name it (decision 12: made by hand).
      requireBind: async (name) => {
        const isTickets = name === file?.ticket.customer;
        const mayBecome = isTickets && (await hideServiceRefusal(mayBecomeByTicket(ctx, file.ticket, name)));
        if (!mayBecome && name !== hdCustomer)
          throw AppError.conflict({ code: 'ticket_has_other_customer', asked: orgId, found: name });
        if (!mayBecome || !user.isAgent) await gate.requireCustomerWrite(caller, name, signal);
      },
      adopting: { by: user.id, via: 'enrichment', ticket: file && keyOf(file.ticket), at: ctx.clock() },
      opened,
      isAgentsWord,
    });
    if (file === null) return enriched;
    if (company !== null) await noteCheck(ctx, file.ticket.name, { company, lookup: enriched.looked });
    return enriched;
  });
  const whole = { ...kept, ...data };
  return whole.error ? { ...whole, error: { ...whole.error, request_id: ctx.requestId } } : whole;
}

/**
 * Lets in agents, and integrations: other accounts of the desk that may write what the call is about, which is the ticket,
 * else the customer, else customers as such, for which an agent needs the right, too. Returns who it is, and the ticket. Throws AppError.
 */
async function admit(
  { gate, helpdesk, caller, signal }: Call,
  { orgId, ticket, hdCustomer }: { orgId: OrgId | null; ticket: string | null; hdCustomer: string | null },
): Promise<{ user: HelpdeskUser; file: TicketFile | null }> {
  const { people, rights, tickets } = helpdesk;
  const user = await gate.whoIs(caller, signal);
  if (user.isAgent && ticket !== null)
    return { user, file: (await gate.requireTicketWrite(caller, ticket, signal)).file };
  // Which customer an agent names is looked at by itself, and whether they may say that it is the company.
  if (user.isAgent && (hdCustomer !== null || orgId === null)) return { user, file: null };
  if (!user.isAgent && !(await hideServiceRefusal(people.isDesk(user.id, signal)))) throw new AppError('not_an_agent');
  const mayWrite = () => {
    if (ticket !== null) return rights.requireWrite('HD Ticket', ticket, caller, signal);
    if (hdCustomer !== null) return rights.requireWrite('HD Customer', hdCustomer, caller, signal);
    return rights.requireCustomersWrite(caller, signal);
  };
  await mayWrite().catch((error: unknown) => {
    if (!(error instanceof HelpdeskError)) throw error;
    if (error.kind !== 'forbidden' && error.kind !== 'not_found') throw answerFor(error);
    throw AppError.lacksRight(ticket !== null ? 'HD Ticket' : 'HD Customer');
  });
  return { user, file: ticket === null ? null : (await hideServiceRefusal(tickets.read(ticket, signal))).file };
}

interface EnrichRecordsInput {
  /** What the CRM has for the org id. */
  lookup: Lookup;
  /** Whether to mend what is out of date as well (decision 18: what is written). */
  mends: boolean;
  /** The customer to write, if the caller named one. */
  hdCustomer?: string | null;
  /**
   * Whether the ticket's customer may be turned into this company if it has no identity yet: the specification's order,
   * but only for an agent who asks for it and may do so. The link may be the sender's own doing.
   */
  requireBind?: CustomerClues['requireBind'];
  /** Why a customer without org id that is named, or is the ticket's, becomes this company. */
  adopting?: NewAdoption | null;
  /** The ticket to link, with this org id among its companies; the caller has been found to be allowed to change it. */
  opened?: WritableCase | null;
  /** What intake found on it; absent: by its latest decision. */
  intake?: Pick<RoutingInputs, 'org_id' | 'findings'> | undefined;
  /**
   * Whether an agent has said which customer the ticket's is: it then takes the place of another (decision 11: which
   * customer).
   */
  isAgentsWord?: boolean;
}

/**
 * Brings customer, snapshot and ticket in line with what the CRM has for an org id. Writes for one org id happen one at a
 * time, across all processes; the CRM is asked before that, so that a slow CRM does not hold up the others. Throws AppError on
 * a conflict and if the helpdesk fails.
 */
export async function enrichRecords(ctx: Context, input: EnrichRecordsInput): Promise<EnrichmentResult> {
  const { lookup: looked, opened = null, intake: found = opened?.latest?.inputs } = input;
  const company = opened && companyIn(opened, looked.value);
  const isVouchedFor = levelOf(company?.trust ?? null) !== 'claimed';
  const write = async (signal: AbortSignal): Promise<EnrichmentResult> => {
    const work = { ...ctx, signal };
    const search = {
      passed: input.hdCustomer ?? null,
      ofTicket: opened?.file.ticket.customer ?? null,
      asRead: opened?.ticket.customerRecord ?? null,
      requireBind: input.requireBind ?? null,
    };
    if (looked.status === 'error') return { looked, data: await noteFailure(work, search, looked) };
    const match = matchOf(looked, shopDomainOf(found, looked.value, isVouchedFor));
    if (match === null) return { looked, data: await noteNotFound(work, search, looked) };
    return { looked, ...(await applyFound(work, input, search, match)) };
  };
  return hideServiceRefusal(ctx.withLock(`enrich ${looked.value}`, write));
}

async function applyFound(
  ctx: Work,
  { lookup: looked, mends, adopting = null, opened = null, isAgentsWord = false }: EnrichRecordsInput,
  search: CustomerClues,
  match: Match,
): Promise<Omit<EnrichmentResult, 'looked'>> {
  const { company } = match;
  const applied = await applyMatch(ctx, match, { ...search, mends, adopting });
  const ticket = opened && (await linkTicket(ctx, opened, match.orgId, { customer: applied.name, isAgentsWord }));
  const data: EnrichmentData = {
    status: looked.status,
    outcome: 'matched',
    stale: looked.stale,
    hd_customer: applied.name,
    created: applied.created,
    ...(ticket && { ticket }),
    company: {
      id: company.fields.bitrix_id,
      title: company.fields.title_full,
      date_modify: company.modifiedAt === null ? null : new Date(company.modifiedAt).toISOString(),
    },
    changes: applied.changes,
    snapshot: applied.snapshot,
    alternatives: alternativesOf(looked.companies),
    conflict: applied.conflict ?? (ticket ? notLinked(applied.name, ticket) : null),
  };
  return { data, record: applied.before };
}

/** Why a ticket was not linked: another company's customer stays, and without one it was a mere claim. */
function notLinked(asked: string, { linked, previous_customer: found }: TicketLinkResult): Conflict | null {
  if (linked) return null;
  if (found === null) return { code: 'claim_not_confirmed', asked, found: '' };
  return { code: 'ticket_has_other_customer', asked, found };
}

export const enrichEndpoint = endpoint(contract.enrichCompany, {
  // Integrations too: the verb finds out what they may write.
  who: 'signed_in',
  handle: enrichCompany,
  message: ({ status }) => enrichmentMessages[status],
  success: ({ status }) => status !== 'error',
});

/** What is said of a look-up by its status. */
export const enrichmentMessages: Readonly<Record<LookupStatus, string>> = {
  missing_orgid: 'No orgid supplied.',
  disabled: 'CRM enrichment is disabled.',
  missing_config: 'CRM webhook is not configured.',
  cached: 'CRM check skipped by TTL.',
  not_found: 'No CRM company found.',
  error: 'CRM company fetch failed.',
  matched: 'CRM company data synced.',
};
