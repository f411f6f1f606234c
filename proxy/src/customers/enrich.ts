import { contract } from '@deskside/shared/contract';
import type { EnrichmentData, TicketLinkResult } from '@deskside/shared/enrichment';
import type { Conflict } from '@deskside/shared/envelope';
import type { OrgId } from '@deskside/shared/orgid';
import type { LookupStatus, TrustLevel } from '@deskside/shared/status';
import type { Context } from '#context.ts';
import { alternativesOf, type Lookup, type SearchHow, searchCompany } from '#crm/lookup.ts';
import { endpoint } from '#endpoint.ts';
import type { Caller } from '#helpdesk/credentials.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import type { HelpdeskUser } from '#helpdesk/people.ts';
import type { PipelineTicket, Ticket, TicketFile } from '#helpdesk/tickets.ts';
import { AppError, explainCustomerRefusal, hideServiceRefusal } from '#runtime/app-error.ts';
import * as rejections from '#store/rejections.ts';
import { keyOf } from '#store/schema.ts';
import type { Adopting } from '#store/syncs.ts';
import { isRejected } from '#trust/companies.ts';
import { judgeMatch, readerOf, senderAddress } from '#trust/evidence.ts';
import type { RequireBind } from './find-customer.ts';
import type { Enriched } from './limits.ts';
import { requireCustomerWrite, requireTicketWrite } from '#server/require-write.ts';
import { clearIfRead, linkTicket, noteCheck } from './ticket-writes.ts';
import { applyMatch, type Match, noteFailure, noteNotFound } from './write-customer.ts';

export interface EnrichmentAsked {
  caller: Caller;
  orgId: OrgId | null;
  force: boolean;
  hdCustomer: string | null;
  ticket: string | null;
  requestId: string;
}

/**
 * Enriches an org id's customer for an agent or an integration, and links the ticket to it (docs/api.md#enrichment).
 * `ticket` is in the answer exactly where one was passed. Identical simultaneous calls share one run. Throws AppError if the caller is not permitted or asks for too much, on a conflict,
 * `ticket_read_by_other`, and if the helpdesk fails; whatever the CRM does is a status.
 */
export async function enrichCompany(
  ctx: Context,
  { caller, orgId, force, hdCustomer, ticket, requestId }: EnrichmentAsked,
  signal: AbortSignal,
): Promise<EnrichmentData> {
  const { helpdesk } = ctx;
  const { user, file } = await admit(ctx, { caller, ticket, hdCustomer }, signal);
  const unlinked = file && { name: file.ticket.name, linked: false, previous_customer: file.ticket.customer };
  const kept = unlinked ? { ticket: unlinked } : {};
  if (orgId === null) return { status: 'missing_orgid', ...kept };
  if (!ctx.crmEnabled) return { status: 'disabled', ...kept };
  if (ctx.crm === null) return { status: 'missing_config', ...kept };
  if (force) ctx.limitRefreshes(user);
  if (hdCustomer !== null)
    await explainCustomerRefusal(helpdesk.rights.requireCustomerRead(caller, hdCustomer, signal));

  const linksClaims = ctx.routing.claims === 'accept';
  // What a caller may do with a customer is theirs alone, so callers share no run that could depend on it.
  const named = hdCustomer ?? ticket;
  const key = JSON.stringify([orgId, force, hdCustomer, ticket, named === null ? '' : caller.digest]);
  const { data } = await ctx.enrichmentRuns(key, user.id, async () => {
    const enriched = await enrichRecords(ctx, {
      orgId,
      force,
      lane: 'open',
      hdCustomer,
      level: null,
      linksClaims,
      // Who may write a ticket may say which company its customer is, unless a website user may write that one, too
      // (docs/decisions.md 11).
      requireBind: async (name) => {
        const isTickets = user.isAgent && name === file?.ticket.customer;
        if (isTickets && (await helpdesk.rights.isDeskOnly(name, signal))) return;
        await requireCustomerWrite(ctx, caller, name, signal);
      },
      adopting: { by: user.id, via: 'enrichment', ticket: file && keyOf(file.ticket), at: ctx.clock() },
      file,
    });
    const { looked, level } = enriched;
    const tells = (linksClaims || level !== 'claimed') && !isOtherCompanys(enriched);
    if (file === null) return enriched;
    await unlinkIfRead(ctx, file.ticket, enriched);
    await noteCheck(ctx, { ticket: file.ticket, looked, tells });
    return enriched;
  });
  const whole = { ...kept, ...data };
  return whole.error ? { ...whole, error: { ...whole.error, request_id: requestId } } : whole;
}

/**
 * Lets in agents, and integrations: other accounts of the desk that may write what the call is about, which is the ticket,
 * else the customer, else customers as such. Returns who it is, and the ticket. Throws AppError.
 */
async function admit(
  ctx: Context,
  { caller, ticket, hdCustomer }: { caller: Caller; ticket: string | null; hdCustomer: string | null },
  signal: AbortSignal,
): Promise<{ user: HelpdeskUser; file: TicketFile | null }> {
  const { gate, helpdesk } = ctx;
  const user = await gate.whoIs(caller, signal);
  if (user.isAgent)
    return { user, file: ticket === null ? null : (await requireTicketWrite(ctx, caller, ticket, signal)).file };
  if (!(await hideServiceRefusal(helpdesk.people.isDesk(user.id, signal)))) throw new AppError('not_an_agent');
  const { rights } = helpdesk;
  const about = ticket !== null ? 'HD Ticket' : 'HD Customer';
  const asked =
    ticket !== null
      ? rights.requireTicketWrite(caller, ticket, signal)
      : hdCustomer !== null
        ? rights.requireCustomerWrite(caller, hdCustomer, signal)
        : rights.requireCustomersWrite(caller, signal);
  await asked.catch((error: unknown) => {
    if (!(error instanceof HelpdeskError)) throw error;
    if (error.kind !== 'forbidden' && error.kind !== 'not_found') throw AppError.of(error);
    throw AppError.lacksRight(about);
  });
  if (ticket === null) return { user, file: null };
  return { user, file: (await hideServiceRefusal(helpdesk.tickets.read(ticket, signal))).file };
}

const unlinkWithinMs = 20_000;

/** Takes the customer off again that was just linked, if somebody else reads the ticket since, and throws that they do. */
async function unlinkIfRead(ctx: Context, ticket: Ticket, { data }: Enriched): Promise<void> {
  const customer = data.hd_customer ?? null;
  if (customer === null || !data.ticket?.linked || data.ticket.previous_customer === customer) return;
  const written = { fields: {}, instead: {}, customer };
  // Whoever stood there as its contact may have been replaced meanwhile.
  const linked = { name: ticket.name, contact: null };
  const reader = await hideServiceRefusal(clearIfRead(ctx, linked, written, AbortSignal.timeout(unlinkWithinMs)));
  if (reader !== null) throw AppError.readByOther(ticket.name, reader);
}

/** The ticket keeps another company's customer, so the times of this check are not its own. */
function isOtherCompanys({ looked, data }: Enriched): boolean {
  return looked.outcome === 'matched' && data.ticket?.linked !== true;
}

interface EnrichRecordsInput {
  orgId: OrgId;
  /** Ask the CRM even if there is a fresh answer, and mend what is out of date (docs/decisions.md 18). */
  force: boolean;
  lane: SearchHow['lane'];
  /** The customer to write, if the caller named one. */
  hdCustomer: string | null;
  /**
   * Whether the ticket's customer may be turned into this company if it has no identity yet: the specification's order,
   * but only for an agent who asks for it and may do so. The link may be the sender's own doing, so for everybody else it
   * is null.
   */
  requireBind: RequireBind | null;
  /** Why a customer without org id that is named, or is the ticket's, becomes this company. */
  adopting?: Adopting | null;
  /** Who vouches for the org id, if the caller has judged that; null: it is judged here, where there is a ticket. */
  level: TrustLevel | null;
  /** Whether a mere claim links a ticket that has no customer (docs/decisions.md 9). */
  linksClaims: boolean;
  /** What the CRM has just said, if the caller has already asked. */
  looked?: Lookup | null;
  /** The ticket to link; the caller has been found to be allowed to change it. */
  file: TicketFile | null;
  /** The same as the pipeline has read it, with its customer, which are then read again only where a write is refused. */
  asRead?: PipelineTicket;
}

/**
 * Looks up an org id and brings customer, snapshot and ticket in line with the result. Writes for one org id happen one
 * at a time, across all processes; the CRM is asked before that, so that a slow CRM does not hold up the others. Throws
 * AppError on a conflict and if the helpdesk fails.
 */
export async function enrichRecords(ctx: Context, input: EnrichRecordsInput): Promise<Enriched> {
  const looked = input.looked ?? (await searchCompany(ctx, input.orgId, { refresh: input.force, lane: input.lane }));
  const write = async (signal: AbortSignal): Promise<Omit<Enriched, 'looked'>> => {
    if (looked.status === 'error')
      return { level: null, data: await noteFailure(ctx, targetOf(input), looked, signal) };
    const level = await levelOf(ctx, input, looked, signal);
    if (looked.outcome !== 'matched') return { level, data: await noteNotFound(ctx, targetOf(input), looked, signal) };
    return { level, data: await applyFound(ctx, { ...input, level }, looked, signal) };
  };
  return { looked, ...(await hideServiceRefusal(ctx.withLock(`enrich ${input.orgId}`, write))) };
}

async function levelOf(
  ctx: Context,
  { level, file, orgId }: EnrichRecordsInput,
  { companies }: Lookup,
  signal: AbortSignal,
): Promise<TrustLevel | null> {
  if (file === null || level !== null) return level;
  const candidate = { orgId, source: 'ticket', field: '' } as const;
  const match = { ticket: file.ticket, candidate, company: companies[0] ?? null };
  return (await judgeMatch(ctx, match, signal)).trust.level;
}

async function applyFound(
  ctx: Context,
  input: EnrichRecordsInput,
  looked: Lookup,
  signal: AbortSignal,
): Promise<EnrichmentData> {
  const [company, ...others] = looked.companies;
  if (!company || looked.checkedAt === null) throw new TypeError('A match without its company.');
  const match: Match = { orgId: input.orgId, company, checkedAt: looked.checkedAt, platformHost: ctx.platformHost };
  const target = {
    ...targetOf(input),
    others: others.map(({ fields }) => fields.bitrix_id),
    mends: input.force,
    adopting: input.adopting ?? null,
  };
  const applied = await applyMatch(ctx, match, target, signal);
  const ticket = input.file && (await link(ctx, input, input.file, applied.name, match, signal));
  return {
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
    conflict: applied.conflict ?? (ticket?.linked === false ? notLinked(applied.name, ticket) : null),
  };
}

async function link(
  ctx: Context,
  input: EnrichRecordsInput,
  file: TicketFile,
  customer: string,
  match: Match,
  signal: AbortSignal,
): Promise<TicketLinkResult> {
  const { name, customer: present } = file.ticket;
  if (present !== customer && !(await mayLink(ctx, input, file, match, signal)))
    return { name, linked: false, previous_customer: present };
  const mayReplace = (found: string | null) => found === null || found === present;
  const asRead = input.asRead ? { name, customer: present, modified: input.asRead.modified } : null;
  return linkTicket(ctx.helpdesk, { ticket: name, customer, mayReplace, asRead }, signal);
}

/**
 * A ticket that has a customer keeps it: a Sync alone replaces one. A claim links where claims are accepted, unless an agent
 * has rejected the company (docs/decisions.md 9 and 13). Nothing links a ticket that somebody else reads.
 */
async function mayLink(
  ctx: Context,
  { level, linksClaims }: EnrichRecordsInput,
  { ticket }: TicketFile,
  { orgId, company }: Match,
  signal: AbortSignal,
): Promise<boolean> {
  if (ticket.customer !== null) return false;
  if (level !== 'claimed') return true;
  if (!linksClaims || (await readerOf(ctx, ticket, signal)) !== null) return false;
  const ids = { orgId, crmCompanyId: company.fields.bitrix_id };
  return !isRejected(ids, await rejections.standing(ctx.db, ticket, senderAddress(ticket.origin)));
}

/** Why a ticket was not linked: another company's customer stays, and without one it was a mere claim. */
function notLinked(asked: string, { previous_customer: found }: { previous_customer: string | null }): Conflict {
  if (found === null) return { code: 'claim_not_confirmed', asked, found: '' };
  return { code: 'ticket_has_other_customer', asked, found };
}

function targetOf({ hdCustomer, file, asRead, requireBind }: EnrichRecordsInput) {
  const ofTicket = file?.ticket.customer ?? null;
  return { passed: hdCustomer, ofTicket, asRead: asRead?.customerRecord ?? null, requireBind };
}

export const enrichEndpoint = endpoint(contract.enrichCompany, {
  // Integrations too: the verb finds out what they may write.
  who: 'signed_in',
  handle: (ctx, asked) => enrichCompany(ctx, { ...asked, caller: ctx.caller, requestId: ctx.requestId }, ctx.signal),
  message: ({ status }) => enrichmentMessages[status],
  success: ({ status }) => status !== 'error',
});

const enrichmentMessages: Readonly<Record<LookupStatus, string>> = {
  missing_orgid: 'No orgid supplied.',
  disabled: 'CRM enrichment is disabled.',
  missing_config: 'CRM webhook is not configured.',
  cached: 'CRM check skipped by TTL.',
  not_found: 'No CRM company found.',
  error: 'CRM company fetch failed.',
  matched: 'CRM company data synced.',
};
