import { contract } from '@deskside/shared/contract';
import type { FieldChange, SyncData } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import type { LookupStatus } from '@deskside/shared/status';
import type { Context } from '#context.ts';
import { type Lookup, searchCompany } from '#crm/lookup.ts';
import { endpoint } from '#endpoint.ts';
import type { Caller } from '#helpdesk/credentials.ts';
import type { CustomerRecord } from '#helpdesk/customers.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import type { CustomerFacts } from '#helpdesk/fields.ts';
import type { HelpdeskUser } from '#helpdesk/people.ts';
import type { Ticket, TicketFile, TicketLink } from '#helpdesk/tickets.ts';
import { orderCandidates } from '#intake/org-id.ts';
import { judgeTicketAgain, previewReroute, reroute } from '#routing/retry.ts';
import { AppError, hideServiceRefusal, retryIfChanged } from '#runtime/app-error.ts';
import { reasonOf } from '#runtime/jobs.ts';
import * as rejections from '#store/rejections.ts';
import { keyOf, type StateDb, type TicketKey } from '#store/schema.ts';
import type { Sender } from '#store/syncs.ts';
import * as syncs from '#store/syncs.ts';
import { candidatesOf } from '#trust/candidates.ts';
import { isRejected, leaderOf, namedCompanies } from '#trust/companies.ts';
import { identifySender, judgeMatch, readerOf, senderAddress, ticketFacts } from '#trust/evidence.ts';
import { isSenderSure, otherReader, type TicketFacts } from '#trust/judge.ts';
import { listAdoptable, releaseCustomer } from '#customers/adopt.ts';
import { type CustomerSearch, customerNameFor, findCustomer } from '#customers/find-customer.ts';
import { requireCustomerWrite, requireTicketWrite } from '#server/require-write.ts';
import { linkTicket } from '#customers/ticket-writes.ts';
import { undoSync } from './undo-sync.ts';
import { applyMatch, type Match, matchFacts } from '#customers/write-customer.ts';

export interface SyncAsked {
  caller: Caller;
  ticket: string;
  /** The org id of the company on screen; null for the one that leads among the ticket's (docs/decisions.md 10). */
  orgId: OrgId | null;
  /** The CRM id of the company on screen; null for whichever the org id has. */
  bitrixId: string | null;
  action: 'preview' | 'apply';
  /** The customer that the preview found on the ticket, empty for none; null if the caller has seen no preview. */
  expectedCustomer: string | null;
  /** The customer made by hand of which the caller says that it is the company; null to make a new one if there is none. */
  adopt: string | null;
  /** Whether the ticket is decided again, its team included. */
  reroute: boolean;
}

interface Sync {
  caller: Caller;
  agent: HelpdeskUser;
  ticket: string;
  /** The ticket as it was read, and what is known of its sender. */
  read: Ticket;
  facts: TicketFacts;
  match: Match;
  expectedCustomer: string | null;
  adopt: string | null;
}

type Done = Pick<SyncData, 'sync_id' | 'ticket' | 'customer' | 'adoptable' | 'changes' | 'team'>;

/**
 * Links a ticket to the customer of the company that an agent has on screen, and brings that customer up to date
 * (docs/api.md#sync). Looks up as enrichment does, so that both find the same company; if that is not the one on
 * screen, nothing is done. A preview writes nothing. Throws AppError: if the caller may not change the ticket or the
 * customer that they adopt, `identity_conflict`, `changed_since`, and if the helpdesk fails. Whatever the CRM does is a status.
 */
export async function syncTicketCustomer(
  ctx: Context,
  { caller, ticket, orgId: asked, bitrixId, action, expectedCustomer, adopt, reroute: isRerouted }: SyncAsked,
  signal: AbortSignal,
): Promise<SyncData> {
  const { agent, file } = await requireTicketWrite(ctx, caller, ticket, signal);
  const facts = await hideServiceRefusal(ticketFacts(ctx, file.ticket, signal));
  requireOneReader(ticket, facts);
  const named = orderCandidates(file.ticket.orgIdFields, file.customer).candidates;
  if (asked === null && named.length === 0) return nothingDone(file, action, 'missing_orgid');
  if (!ctx.crmEnabled) return nothingDone(file, action, 'disabled');
  if (ctx.crm === null) return nothingDone(file, action, 'missing_config');
  const looked = await chooseCompany(ctx, file, asked, signal);
  if (looked === null) return nothingDone(file, action, 'missing_orgid');
  const { value: orgId } = looked;
  const [company] = looked.companies;
  if (looked.status === 'error') return nothingDone(file, action, 'error');
  if (!company || looked.checkedAt === null) return nothingDone(file, action, 'not_found');
  const found = company.fields.bitrix_id;
  if (bitrixId !== null && bitrixId !== found)
    throw AppError.conflict({ code: 'other_company_matched', asked: bitrixId, found });

  const match = { orgId, company, checkedAt: looked.checkedAt, platformHost: ctx.platformHost };
  const sync: Sync = { caller, agent, ticket, read: file.ticket, facts, match, expectedCustomer, adopt };
  const status = looked.status === 'cached' ? ('cached' as const) : ('matched' as const);
  const done = await hideServiceRefusal(
    action === 'preview'
      ? preview(ctx, sync, signal)
      : ctx.withLock(`enrich ${orgId}`, (workSignal) => apply(ctx, sync, workSignal)),
  );
  const isApplied = done.sync_id !== null;
  const team = isApplied && isRerouted ? await sendOn(ctx, ticket, signal) : done.team;
  if (isApplied) ctx.background.run(`claim ${ticket}`, () => judgeTicketAgain(ctx, file.ticket));
  return {
    action,
    status,
    ...done,
    team,
    company: { id: found, company_id: orgId, name: company.fields.company_name },
  };
}

/** The Sync is done by now: if the ticket cannot be decided again, that is logged, and it stays where it is. */
function sendOn(ctx: Context, ticket: string, signal: AbortSignal): Promise<string | null> {
  return reroute({ ...ctx, signal }, ticket).catch((error: unknown) => {
    if (!(error instanceof HelpdeskError || error instanceof AppError)) throw error;
    ctx.logger.warn({ error: reasonOf(error), ticket }, 'A ticket was linked by a Sync, but not decided again');
    return null;
  });
}

async function preview(ctx: Context, sync: Sync, signal: AbortSignal): Promise<Done> {
  const { helpdesk } = ctx;
  const { match, ticket, adopt } = sync;
  const link = await helpdesk.tickets.readLink(ticket, signal);
  const about = { ...sync, ofTicket: link.customer };
  const { record, isKnown } = await aimSync(ctx, about, signal);
  const name = record?.name ?? customerNameFor(match.company.fields.company_name ?? '', match.orgId);
  const { customer } = link;
  const facts = matchFacts(helpdesk, match, record, true);
  const adoptable = isKnown ? [] : await listAdoptable(ctx, about, signal);
  const { segment, shopPlan: shop_plan } = await segmentAfter(ctx, match, facts, signal);
  const linked = { orgId: match.orgId, customer: { name, segment, shop_plan } };
  return {
    sync_id: null,
    ticket: { name: ticket, customer, previous_customer: customer, linked: customer === name },
    customer: { name, created: record === null, ...(adopt !== null && { adopted: true }) },
    adoptable,
    changes: helpdesk.customers.plan(record, facts),
    team: await previewReroute({ ...ctx, signal }, ticket, linked),
  };
}

/** The customer's segment and plan as a write leaves them: what the CRM does not say stays. */
async function segmentAfter(
  { helpdesk }: Context,
  { orgId, company }: Match,
  facts: CustomerFacts,
  signal: AbortSignal,
) {
  const [own] = await helpdesk.customers.findByOrgId(orgId, signal);
  const { customer_segment, current_shopplan } = company.fields;
  return {
    segment: facts.segment ?? own?.segment ?? customer_segment,
    shopPlan: facts.shopPlan ?? own?.shopPlan ?? current_shopplan,
  };
}

async function apply(ctx: Context, sync: Sync, signal: AbortSignal): Promise<Done> {
  const { gate, helpdesk, db, clock } = ctx;
  const { agent, ticket, read, facts, match, expectedCustomer, adopt } = sync;
  const { origin } = read;
  const link = await helpdesk.tickets.readLink(ticket, signal);
  await requireAsPreviewed(db, link, read.creation, expectedCustomer, agent.id);
  const { search } = await aimSync(ctx, { ...sync, ofTicket: link.customer }, signal);
  const at = clock();
  const adopting = adopt === null ? null : ({ by: agent.id, via: 'sync', ticket: keyOf(read), at } as const);
  const how = { others: [], mends: true, adopting };
  const written = await applyMatch(ctx, match, { ...search, ...how }, signal);
  const { name, created, before, plan } = written;
  // Of an address that somebody has put in the sender's place nothing is remembered.
  const sender = isSenderSure(facts) ? await identifySender(ctx, read, signal) : null;
  const entry = {
    ticket: keyOf(read),
    agent: agent.id,
    match,
    customer: name,
    previousCustomer: link.customer,
    changes: orgIdChange(read, match.orgId),
    sender,
  };
  const { id, isNew } = await recordSync(db, { ...entry, at });
  // Whoever rejected this company for the sender before has been answered (docs/decisions.md 13).
  await rejections.lift(db, read, senderAddress(origin), idsOf(match), id, clock());
  const forget = async () => {
    await syncs.markUndone(db, id, clock());
    await rejections.restore(db, id);
  };
  // Whoever puts another customer on the ticket at this very moment knows something that the agent does not.
  const mayReplace = (present: string | null) => present === link.customer;
  const linking = linkTicket(helpdesk, { ticket, customer: name, mayReplace }, signal);
  const { linked } = await linking.catch(async (error: unknown) => {
    // What the ticket does not show vouches for nobody. One that was written all the same is synced by pressing again.
    if (isNew) await forget();
    throw error;
  });
  gate.forgetTicket(ticket);
  const reader = linked ? await writeOrgId(ctx, ticket, match.orgId, signal) : null;
  if (!linked || reader !== null) {
    await forget();
    const back = { ticket, customer: link.customer, mayReplace: (present: string | null) => present === name };
    if (reader !== null) await linkTicket(helpdesk, back, signal);
    const adoption = adopting && (await syncs.standingAdoption(ctx.db, name, match.orgId));
    if (adoption?.at === at) await releaseCustomer(ctx, adoption, signal);
    if (reader === null) throw new AppError('changed_since');
    throw AppError.readByOther(ticket, reader);
  }
  const previous_customer = (await syncs.get(db, id))?.previousCustomer ?? null;
  return {
    sync_id: id,
    ticket: { name: ticket, customer: name, previous_customer, linked },
    customer: { name, created, ...(adopt !== null && { adopted: true }) },
    changes: helpdesk.customers.plan(before, plan),
  };
}

/** Nothing of a company goes on a ticket that somebody else reads (docs/decisions.md 11). */
function requireOneReader(ticket: string, facts: TicketFacts): void {
  const reader = otherReader(facts);
  if (reader !== null) throw AppError.readByOther(ticket, reader);
}

/** The org id, for a ticket that has none. */
function orgIdChange({ orgIdFields }: Ticket, orgId: OrgId): FieldChange[] {
  const current = orgIdFields.find(({ kind }) => kind === 'current');
  return current !== undefined && !current.value ? [{ field: current.field, from: null, to: orgId }] : [];
}

/**
 * Writes the org id to a ticket that has been linked, if it has none. Nothing if somebody else reads it by now, whom it
 * returns: the helpdesk fills an empty contact on our own write as well, and somebody may have replaced the one that it had.
 */
function writeOrgId(ctx: Context, name: string, orgId: OrgId, signal: AbortSignal): Promise<string | null> {
  return retryIfChanged(async () => {
    const read = await ctx.helpdesk.tickets.read(name, signal);
    const reader = await readerOf(ctx, read.file.ticket, signal);
    if (reader !== null || orgIdChange(read.file.ticket, orgId).length === 0) return reader;
    const written = await ctx.helpdesk.tickets.write(read, { orgId }, signal);
    return written === 'changed_meanwhile' ? written : null;
  });
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

interface Aim {
  match: Match;
  caller: Caller;
  /** The ticket's customer. */
  ofTicket: string | null;
  /** The customer that the caller says is the company; null if they named none. */
  adopt: string | null;
}

/** How to search for the customer of a Sync, which one that is now, and whether the company had one already. */
interface Aimed {
  search: Omit<CustomerSearch, 'target'>;
  record: CustomerRecord | null;
  isKnown: boolean;
}

/**
 * Finds the customer that a Sync is about. One without an identity of its own, such as one shared by walk-ins, is not
 * turned into this company unless the caller names it; one that is not the ticket's they have to be allowed to write
 * (docs/decisions.md 11). Throws `changed_since` if
 * the company has another customer by now, which the named one would be a twin of, `customer_not_writable`,
 * `customer_not_found`, `identity_conflict`, and HelpdeskError.
 */
async function aimSync(store: Context, { match, caller, ofTicket, adopt }: Aim, signal: AbortSignal): Promise<Aimed> {
  const target = { orgId: match.orgId, crmCompanyId: match.company.fields.bitrix_id };
  const search = { passed: null, ofTicket, requireBind: null };
  const { record } = await findCustomer(store, { target, ...search }, signal);
  const isKnown = record !== null;
  if (adopt === null) return { search, record, isKnown };
  if (record !== null && record.name !== adopt) throw new AppError('changed_since');
  // Before anything of the customer is told, a conflict included.
  if (adopt !== ofTicket) await requireCustomerWrite(store, caller, adopt, signal);
  const named = { passed: adopt, ofTicket: null, requireBind: async () => {} };
  return { search: named, record: (await findCustomer(store, { target, ...named }, signal)).record, isKnown };
}

const how = { refresh: false, lane: 'click' } as const;

/**
 * The look-up that a Sync goes by: of the org id that the caller names, whatever agents said of it before; else, of the
 * companies that the ticket names, of the best vouched for (docs/decisions.md 10). Null if the ticket names none, or if
 * agents have rejected all of them. Throws AppError if the helpdesk fails.
 */
async function chooseCompany(
  ctx: Context,
  file: TicketFile,
  asked: OrgId | null,
  signal: AbortSignal,
): Promise<Lookup | null> {
  if (asked !== null) return searchCompany(ctx, asked, how);
  const { ticket } = file;
  const { candidates: named, rejections } = await candidatesOf(ctx, file);
  const found = await Promise.all(
    named.map(async (candidate) => ({ candidate, looked: await searchCompany(ctx, candidate.orgId, how) })),
  );
  const counting = found.filter(
    ({ candidate: { orgId }, looked }) =>
      !isRejected({ orgId, crmCompanyId: looked.companies[0]?.fields.bitrix_id ?? null }, rejections),
  );
  const { companies, otherwise } = namedCompanies(counting);
  const [only, ...others] = companies;
  if (only === undefined) return otherwise?.looked ?? null;
  if (others.length === 0) return only.looked;
  const judged = await hideServiceRefusal(
    Promise.all(
      companies.map(async ({ candidate, looked }) => {
        const match = { ticket, candidate, company: looked.companies[0] ?? null };
        const { trust, isRejected: isOut } = await judgeMatch(ctx, match, signal);
        return { looked, trust, isRejected: isOut };
      }),
    ),
  );
  return leaderOf(judged)?.looked ?? null;
}

interface NewSync {
  ticket: TicketKey;
  /** The agent's user id. */
  agent: string;
  match: Match;
  customer: string;
  previousCustomer: string | null;
  changes: FieldChange[];
  sender: Sender | null;
  at: number;
}

/** What happens must still be what the agent agreed to; having pressed twice is not a change. Throws `changed_since`. */
async function requireAsPreviewed(
  db: StateDb,
  { name, customer }: TicketLink,
  creation: string,
  expected: string | null,
  agent: string,
): Promise<void> {
  if (expected === null || (customer ?? '') === expected) return;
  const latest = await syncs.latest(db, { name, creation });
  const isOwn = latest?.agent === agent && latest.customer === customer;
  if (!isOwn || (latest.previousCustomer ?? '') !== expected) throw new AppError('changed_since');
}

/** Records a Sync. Pressing twice is one sync: otherwise the second would forget what the ticket had before the first. */
async function recordSync(db: StateDb, sync: NewSync): Promise<{ id: string; isNew: boolean }> {
  const { match, ...entry } = sync;
  const { ticket, agent, customer, previousCustomer } = entry;
  const latest = await syncs.latest(db, ticket);
  const isRepeated = latest?.customer === customer && latest.orgId === match.orgId && latest.agent === agent;
  if (isRepeated && previousCustomer === customer) return { id: latest.id, isNew: false };
  return { id: await syncs.record(db, { ...entry, ...idsOf(match) }), isNew: true };
}

/** The ids of the company that was found. */
function idsOf({ orgId, company }: Match) {
  return { orgId, crmCompanyId: company.fields.bitrix_id };
}

export const syncEndpoint = endpoint(contract.syncTicketCustomer, {
  who: 'agent',
  handle: (ctx, { action, syncId, ...asked }) =>
    action === 'undo'
      ? undoSync(ctx, { ...asked, syncId: syncId ?? '', caller: ctx.caller }, ctx.signal)
      : syncTicketCustomer(ctx, { ...asked, action, caller: ctx.caller }, ctx.signal),
  message: syncMessage,
  success: ({ status }) => status === 'matched' || status === 'cached',
});

const syncMessages: Readonly<Record<Exclude<LookupStatus, 'matched' | 'cached'>, string>> = {
  missing_orgid: 'Ticket has no Company ID.',
  disabled: 'CRM enrichment is disabled.',
  missing_config: 'CRM webhook is not configured.',
  not_found: 'No CRM company found.',
  error: 'CRM company fetch failed.',
};
const syncedMessages: Readonly<Record<SyncData['action'], string>> = {
  preview: 'Nothing has been changed yet.',
  apply: 'Customer synced.',
  undo: 'Sync undone.',
};

function syncMessage({ action, status }: SyncData): string {
  return status === 'matched' || status === 'cached' ? syncedMessages[action] : syncMessages[status];
}
