import { contract } from '@deskside/shared/contract';
import type { EnrichmentData, TicketLinkResult } from '@deskside/shared/enrichment';
import type { Conflict } from '@deskside/shared/envelope';
import type { OrgId } from '@deskside/shared/orgid';
import type { LookupStatus, TrustLevel } from '@deskside/shared/status';
import { type Asked, type Call, type Context, endpoint, type Work } from '#context.ts';
import { alternativesOf, type Lookup, type SearchHow, searchCompany } from '#crm/lookup.ts';
import { answerFor, explainCustomerRefusal, HelpdeskError, hideServiceRefusal } from '#helpdesk/errors.ts';
import type { HelpdeskUser } from '#helpdesk/people.ts';
import type { PipelineTicket, Ticket, TicketFile } from '#helpdesk/tickets.ts';
import { AppError } from '#runtime/app-error.ts';
import { machine } from '#runtime/machine.ts';
import * as rejections from '#store/rejections.ts';
import { keyOf } from '#store/schema.ts';
import type { Adopting } from '#store/syncs.ts';
import { isRejected } from '#trust/companies.ts';
import { judgeMatch, readerOf, senderAddress } from '#trust/evidence.ts';
import { type Match, matchOf, targetOf } from './facts.ts';
import type { CustomerSearch } from './find-customer.ts';
import type { Enriched } from './limits.ts';
import { afterwardsMs, clearIfRead, linkTicket, noteCheck } from './ticket-writes.ts';
import { applyMatch, noteFailure, noteNotFound } from './write-customer.ts';

export type EnrichmentAsked = Asked<typeof contract.enrichCompany>;

/**
 * Enriches an org id's customer for an agent or an integration, and links the ticket to it (docs/api.md#enrichment).
 * `ticket` is in the answer exactly where one was passed. Identical simultaneous calls share one run. Throws AppError if the
 * caller is not permitted or asks for too much, on a conflict, `ticket_read_by_other`, and if the helpdesk fails; whatever the
 * CRM does is a status.
 */
export async function enrichCompany(
  ctx: Call,
  { orgId, force, hdCustomer, ticket }: EnrichmentAsked,
): Promise<EnrichmentData> {
  const { gate, helpdesk, caller, signal } = ctx;
  const { user, file } = await admit(ctx, ticket, hdCustomer);
  const kept = file && {
    ticket: { name: file.ticket.name, linked: false, previous_customer: file.ticket.customer },
  };
  if (orgId === null) return { status: 'missing_orgid', ...kept };
  if (!ctx.crmEnabled) return { status: 'disabled', ...kept };
  if (ctx.crm === null) return { status: 'missing_config', ...kept };
  if (force) ctx.refreshes.spend(user);
  if (hdCustomer !== null)
    await explainCustomerRefusal(helpdesk.rights.requireCustomerRead(caller, hdCustomer, signal));

  // What a caller may do with a customer is theirs alone, so callers share no run that could depend on it.
  const isShared = hdCustomer === null && ticket === null;
  const key = JSON.stringify([orgId, force, hdCustomer, ticket, isShared ? '' : caller.digest]);
  const { data } = await ctx.enrichmentRuns(key, user.id, async () => {
    const enriched = await enrichRecords(ctx, {
      orgId,
      how: { refresh: force, lane: 'open' },
      hdCustomer,
      // Who may write a ticket may say which company its customer is, unless a website user may write that one, too
      // (docs/decisions.md 12).
      requireBind: async (name) => {
        const isTickets = user.isAgent && name === file?.ticket.customer;
        if (isTickets && (await helpdesk.rights.isDeskOnly(name, signal))) return;
        await gate.requireCustomerWrite(caller, name, signal);
      },
      adopting: { by: user.id, via: 'enrichment', ticket: file && keyOf(file.ticket), at: ctx.clock() },
      file,
    });
    if (file === null) return enriched;
    await unlinkIfRead(ctx, file.ticket, enriched);
    const { looked, level } = enriched;
    // Where the ticket keeps another company's customer, the times of this check are not its own.
    const isOthers = looked.outcome === 'matched' && enriched.data.ticket?.linked !== true;
    const tells = (ctx.routing.claims === 'accept' || level !== 'claimed') && !isOthers;
    await noteCheck(ctx, file.ticket, { looked, tells });
    return enriched;
  });
  const whole = { ...kept, ...data };
  return whole.error ? { ...whole, error: { ...whole.error, request_id: ctx.requestId } } : whole;
}

/**
 * Lets in agents, and integrations: other accounts of the desk that may write what the call is about, which is the ticket,
 * else the customer, else customers as such. Returns who it is, and the ticket. Throws AppError.
 */
async function admit(
  { gate, helpdesk, caller, signal }: Call,
  ticket: string | null,
  hdCustomer: string | null,
): Promise<{ user: HelpdeskUser; file: TicketFile | null }> {
  const { people, rights, tickets } = helpdesk;
  const user = await gate.whoIs(caller, signal);
  if (user.isAgent)
    return { user, file: ticket === null ? null : (await gate.requireTicketWrite(caller, ticket, signal)).file };
  if (!(await hideServiceRefusal(people.isDesk(user.id, signal)))) throw new AppError('not_an_agent');
  const mayWrite = () => {
    if (ticket !== null) return rights.requireTicketWrite(caller, ticket, signal);
    if (hdCustomer !== null) return rights.requireCustomerWrite(caller, hdCustomer, signal);
    return rights.requireCustomersWrite(caller, signal);
  };
  await mayWrite().catch((error: unknown) => {
    if (!(error instanceof HelpdeskError)) throw error;
    if (error.kind !== 'forbidden' && error.kind !== 'not_found') throw answerFor(error);
    throw AppError.lacksRight(ticket !== null ? 'HD Ticket' : 'HD Customer');
  });
  return { user, file: ticket === null ? null : (await hideServiceRefusal(tickets.read(ticket, signal))).file };
}

/** Takes the customer off again that was just linked, if somebody else reads the ticket since, and throws that they do. */
async function unlinkIfRead(ctx: Context, { name }: Ticket, { data }: Enriched): Promise<void> {
  const customer = data.hd_customer ?? null;
  if (customer === null || !data.ticket?.linked || data.ticket.previous_customer === customer) return;
  const within = { ...ctx, signal: machine.timeout(afterwardsMs) };
  // Whoever stood there as its contact may have been replaced meanwhile.
  const reader = await hideServiceRefusal(clearIfRead(within, { name, contact: null }, { fields: {}, customer }));
  if (reader !== null) throw AppError.readByOther(name, reader);
}

interface Enrichment {
  orgId: OrgId;
  /** How the CRM is asked; to refresh also mends what is out of date (docs/decisions.md 18). */
  how: SearchHow;
  /** What the CRM has just said, if the caller has already asked. */
  looked?: Lookup | null;
  /** The customer to write, if the caller named one. */
  hdCustomer?: string | null;
  /**
   * Whether the ticket's customer may be turned into this company if it has no identity yet: the specification's order,
   * but only for an agent who asks for it and may do so. The link may be the sender's own doing.
   */
  requireBind?: CustomerSearch['requireBind'];
  /** Why a customer without org id that is named, or is the ticket's, becomes this company. */
  adopting?: Adopting;
  /** Who vouches for the org id, if the caller has judged that; absent: it is judged here, where there is a ticket. */
  level?: TrustLevel;
  /** The ticket to link; the caller has been found to be allowed to change it. */
  file?: TicketFile | null;
  /** The same as the pipeline has read it, with its customer, which are then read again only where a write is refused. */
  asRead?: PipelineTicket;
}

/**
 * Looks up an org id and brings customer, snapshot and ticket in line with the result. Writes for one org id happen one
 * at a time, across all processes; the CRM is asked before that, so that a slow CRM does not hold up the others. Throws
 * AppError on a conflict and if the helpdesk fails.
 */
export async function enrichRecords(ctx: Context, asked: Enrichment): Promise<Enriched> {
  const looked = asked.looked ?? (await searchCompany(ctx, asked.orgId, asked.how));
  const write = async (signal: AbortSignal): Promise<Enriched> => {
    const work = { ...ctx, signal };
    const search = {
      passed: asked.hdCustomer ?? null,
      ofTicket: asked.file?.ticket.customer ?? null,
      asRead: asked.asRead?.customerRecord ?? null,
      requireBind: asked.requireBind ?? null,
    };
    if (looked.status === 'error') return { looked, level: null, data: await noteFailure(work, search, looked) };
    const match = matchOf(looked);
    const level = await levelOf(work, asked, looked);
    if (match === null) return { looked, level, data: await noteNotFound(work, search, looked) };
    return { looked, level, data: await applyFound(work, { ...asked, search, level }, looked, match) };
  };
  return hideServiceRefusal(ctx.withLock(`enrich ${asked.orgId}`, write));
}

async function levelOf(ctx: Work, { level, file, orgId }: Enrichment, looked: Lookup): Promise<TrustLevel | null> {
  if (level !== undefined || file == null) return level ?? null;
  const candidate = { orgId, source: 'ticket', field: '' } as const;
  return (await judgeMatch(ctx, { ticket: file.ticket, candidate, looked })).trust.level;
}

type Judged = Omit<Enrichment, 'level'> & { search: CustomerSearch; level: TrustLevel | null };

async function applyFound(ctx: Work, judged: Judged, looked: Lookup, match: Match): Promise<EnrichmentData> {
  const { search, how, adopting = null } = judged;
  const { company } = match;
  const applied = await applyMatch(ctx, match, { ...search, mends: how.refresh, adopting });
  const ticket = judged.file && (await link(ctx, judged, judged.file.ticket, applied.name, match));
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
    conflict: applied.conflict ?? (ticket ? notLinked(applied.name, ticket) : null),
  };
}

async function link(
  ctx: Work,
  { level, asRead }: Judged,
  ticket: Ticket,
  customer: string,
  match: Match,
): Promise<TicketLinkResult> {
  const { name, customer: present } = ticket;
  if (present !== customer && !(await mayLink(ctx, level, ticket, match)))
    return { name, linked: false, previous_customer: present };
  const known = asRead ? { name, customer: present, modified: asRead.modified } : null;
  return linkTicket(ctx, { ticket: name, customer, over: [null, present], asRead: known });
}

/**
 * A ticket that has a customer keeps it: a Sync alone replaces one. A claim links where claims are accepted, unless an agent
 * has rejected the company (docs/decisions.md 9 and 13). Nothing links a ticket that somebody else reads.
 */
async function mayLink(ctx: Work, level: TrustLevel | null, ticket: Ticket, match: Match): Promise<boolean> {
  if (ticket.customer !== null) return false;
  if (level !== 'claimed') return true;
  if (ctx.routing.claims !== 'accept' || (await readerOf(ctx, ticket)) !== null) return false;
  return !isRejected(targetOf(match), await rejections.standing(ctx.db, ticket, senderAddress(ticket.origin)));
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
