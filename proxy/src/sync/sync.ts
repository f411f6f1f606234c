import { contract } from '@deskside/shared/contract';
import type { AdoptionCandidate, FieldChange, SyncData } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import type { LookupStatus } from '@deskside/shared/status';
import { type Call, type EntryInput, endpoint } from '#context.ts';
import { namedSegment } from '#crm/company.ts';
import { enrichmentMessages } from '#customers/enrich.ts';
import { type Match, matchOf, targetOf } from '#customers/facts.ts';
import {
  type CustomerClues,
  customerNameFor,
  findCustomer,
  fitOf,
  nameWithoutId,
  newCustomerName,
} from '#customers/find-customer.ts';
import { writeCompanyData } from '#customers/ticket-writes.ts';
import { applyMatch, matchFacts, releaseCustomer } from '#customers/write-customer.ts';
import { explainCustomerRefusal, HelpdeskError, hideServiceRefusal } from '#helpdesk/errors.ts';
import type { CustomerFacts } from '#helpdesk/fields.ts';
import type { HelpdeskUser } from '#helpdesk/people.ts';
import type { Ticket, TicketFile } from '#helpdesk/ticket-file.ts';
import { shopDomainOf } from '#intake/org-id.ts';
import { judgeTicketAgain, previewReroute, reroute } from '#routing/retry.ts';
import { AppError, retryIfChanged } from '#runtime/app-error.ts';
import { reasonOf } from '#runtime/jobs.ts';
import { keyOf } from '#store/schema.ts';
import * as syncs from '#store/syncs.ts';
import { openForWriting, requireNoOtherReader, type WritableCase, withoutCrm } from '#trust/case.ts';
import { isAbout } from '#trust/companies.ts';
import { identifySender, noteLink, noteLinkTakenBack, outsidersOf } from '#trust/evidence.ts';
import { isSenderSure, isSignedIn } from '#trust/judge.ts';
import { undoSync } from './undo-sync.ts';

/**
 * `company_id`: of the company on screen; null for the one that leads among the ticket's (decision 10: who leads).
 * `bitrix_id`: its CRM id; null for whichever the org id has. `expected_customer`: null if the caller has seen no
 * preview. `adopt`: null to make a new customer if there is none.
 */
export type TicketSyncInput = EntryInput<typeof contract.syncTicketCustomer>;

interface AgentSync {
  asked: TicketSyncInput;
  agent: HelpdeskUser;
  opened: WritableCase;
  match: Match;
}

type AppliedSync = Pick<SyncData, 'sync_id' | 'ticket' | 'customer' | 'adoptable' | 'changes' | 'team'>;

/**
 * Links a ticket to the customer of the company that an agent has on screen, and brings that customer up to date
 * (docs/api.md#sync). Looks up as enrichment does, so that both find the same company; if that is not the one on
 * screen, nothing is done. A preview writes nothing. Throws AppError: if the caller may not change the ticket or the
 * customer that they adopt, `identity_conflict`, `changed_since`, and if the helpdesk fails. Whatever the CRM does is a status.
 */
export async function syncTicketCustomer(ctx: Call, asked: TicketSyncInput): Promise<SyncData> {
  const { ticket, action } = asked;
  const { agent, file } = await ctx.gate.requireTicketWrite(ctx.caller, ticket, ctx.signal);
  const only = asked.company_id === null ? {} : { only: asked.company_id };
  const how = { lane: 'click', leavesContact: true, asksShares: true, ...only } as const;
  const opened = await hideServiceRefusal(openForWriting(ctx, ticket, how));
  // Nothing of a company goes on a ticket that somebody else reads (decision 11: which customer).
  if (opened.otherReader !== null) throw AppError.readByOther(ticket, opened.otherReader);
  const company = companyToLink(ctx, asked, opened);
  if (typeof company === 'string') return nothingDone(file, action, company);
  const { match, status } = company;
  const { orgId, crmCompanyId: found } = targetOf(match);
  if (asked.bitrix_id !== null && asked.bitrix_id !== found)
    throw AppError.conflict({ code: 'other_company_matched', asked: asked.bitrix_id, found });

  const sync: AgentSync = { asked, agent, opened, match };
  const done = await hideServiceRefusal(
    action === 'preview'
      ? preview(ctx, sync)
      : ctx.withLock(`enrich ${orgId}`, (signal) => apply({ ...ctx, signal }, sync)),
  );
  const isApplied = done.sync_id !== null;
  const team = isApplied && asked.reroute ? await sendOn(ctx, ticket) : done.team;
  if (isApplied) ctx.background.run(`claim ${ticket}`, () => judgeTicketAgain(ctx, file.ticket));
  const linked = { id: found, company_id: orgId, name: match.company.fields.company_name };
  return { action, status, ...done, team, company: linked };
}

/** The company that the Sync is for, as the CRM tells it, or why there is none. */
function companyToLink(
  { crmEnabled, crm }: Call,
  { company_id }: TicketSyncInput,
  { companies, leading, latest }: WritableCase,
): { match: Match; status: 'cached' | 'matched' } | LookupStatus {
  if (company_id === null && companies.length === 0) return 'missing_orgid';
  if (!crmEnabled) return 'disabled';
  if (crm === null) return 'missing_config';
  const lookup = (company_id === null ? leading : companies[0])?.lookup ?? null;
  if (lookup === null) return 'missing_orgid';
  if (lookup.status === 'error') return 'error';
  const match = matchOf(lookup, shopDomainOf(latest?.inputs, lookup.value, true));
  return match === null ? 'not_found' : { match, status: lookup.status === 'cached' ? 'cached' : 'matched' };
}

/** The Sync is done by now: if the ticket cannot be decided again, that is logged, and it stays where it is. */
function sendOn(ctx: Call, ticket: string): Promise<string | null> {
  return reroute(ctx, ticket).catch((error: unknown) => {
    if (!(error instanceof HelpdeskError || error instanceof AppError)) throw error;
    ctx.logger.warn({ error: reasonOf(error), ticket }, 'A ticket was linked by a Sync, but not decided again');
    return null;
  });
}

async function preview(ctx: Call, sync: AgentSync): Promise<AppliedSync> {
  const { helpdesk } = ctx;
  const { match, asked } = sync;
  const { ticket, adopt } = asked;
  const { customer } = sync.opened.file.ticket;
  const { record, isKnown } = await aimSync(ctx, sync, customer);
  const { company } = match;
  const target = targetOf(match);
  const free = record ?? (await newCustomerName(ctx, { companyName: company.fields.company_name, target }));
  // Somebody has just made the company's customer: the next preview has it.
  if (free === 'has_one') throw new AppError('changed_since');
  const { name } = free;
  const facts = matchFacts(ctx, match, record, true);
  const linked = { orgId: match.orgId, customer: { name, ...(await segmentAfter(ctx, match, facts)) } };
  return {
    sync_id: null,
    ticket: { name: ticket, customer, previous_customer: customer, linked: customer === name },
    customer: { name, created: record === null, ...(adopt !== null && { adopted: true }) },
    adoptable: isKnown ? [] : await listAdoptable(ctx, sync, customer),
    changes: helpdesk.customers.plan(record, facts),
    team: await previewReroute(ctx, sync.opened.ticket, linked),
  };
}

/** The customer's segment and plan as a write leaves them: what the CRM does not say stays. */
async function segmentAfter({ helpdesk, signal }: Call, { orgId, company }: Match, facts: CustomerFacts) {
  const [existing] = await helpdesk.customers.findByOrgId(orgId, signal);
  const customer_segment = namedSegment(company.fields);
  const { current_shopplan } = company.fields;
  return {
    segment: facts.segment ?? existing?.segment ?? customer_segment,
    shop_plan: facts.shopPlan ?? existing?.shopPlan ?? current_shopplan,
  };
}

async function apply(ctx: Call, asJudged: AgentSync): Promise<AppliedSync> {
  const sync = { ...asJudged, opened: await openForWriting(ctx, asJudged.asked.ticket, withoutCrm) };
  const { asked, agent, opened, match } = sync;
  const read = opened.file.ticket;
  const { ticket, adopt } = asked;
  if (opened.otherReader !== null) throw AppError.readByOther(ticket, opened.otherReader);
  const present = read.customer;
  const latest = await syncs.latest(ctx.db, keyOf(read));
  const earlier = latest?.agent === agent.id && latest.customer === present ? latest : null;
  // What happens must still be what the agent agreed to; having pressed twice is not a change.
  const agreed = [present, ...(earlier ? [earlier.previousCustomer] : [])].map((customer) => customer ?? '');
  if (asked.expected_customer !== null && !agreed.includes(asked.expected_customer))
    throw new AppError('changed_since');
  const { search } = await aimSync(ctx, sync, present);
  const at = ctx.clock();
  const adopting = adopt === null ? null : ({ by: agent.id, via: 'sync', ticket: keyOf(read), at } as const);
  const { name, created, before } = await applyMatch(ctx, match, { ...search, mends: true, adopting });
  // Pressing twice is one Sync: otherwise the second would forget what the ticket had before the first.
  const isRepeated =
    earlier?.customer === name && earlier.orgId === match.orgId && isAbout(earlier, opened.sender.sender);
  const repeated = isRepeated ? earlier : null;
  const id = repeated?.id ?? (await recordSync(ctx, sync, { customer: name, previousCustomer: present, at }));
  const adoptedAt = adopting && at;
  await linkOrTakeBack(ctx, sync, { id, customer: name, present, adoptedAt, isRepeated });
  // Whoever rejected this company for the sender before has been answered (decision 13: wrong customer).
  await noteLink(ctx.db, read, { ...targetOf(match), id, signedIn: isSignedIn(opened.sender) }, ctx.clock());
  const previous_customer = repeated === null ? present : repeated.previousCustomer;
  return {
    sync_id: id,
    ticket: { name: ticket, customer: name, previous_customer, linked: true },
    customer: { name, created, ...(adopt !== null && { adopted: true }) },
    changes: ctx.helpdesk.customers.plan(before, matchFacts(ctx, match, before, true)),
  };
}

/** Records the Sync before the ticket is linked; returns its id. */
async function recordSync(
  ctx: Call,
  { agent, opened, match }: AgentSync,
  linking: Pick<syncs.SyncEntry, 'customer' | 'previousCustomer' | 'at'>,
): Promise<string> {
  const read = opened.file.ticket;
  return syncs.record(ctx.db, {
    ...targetOf(match),
    ...linking,
    ticket: keyOf(read),
    agent: agent.id,
    signedIn: isSignedIn(opened.sender),
    changes: orgIdChange(read, match.orgId),
    // Of an address that somebody has put in the sender's place nothing is remembered.
    sender: isSenderSure(opened.sender) ? await identifySender(ctx, read) : null,
  });
}

/** A Sync that has been recorded. */
interface RecordedSync {
  id: string;
  /** The customer to link, and the one that the ticket has. */
  customer: string;
  present: string | null;
  /** When the Sync made the customer the company; null if it did not. */
  adoptedAt: number | null;
  /** Whether the agent had done the same before. */
  isRepeated: boolean;
}

/**
 * Links the ticket, and writes the org id to one that has none. If it has another customer by now, or somebody else reads it, all
 * that the Sync did is taken back. Throws `changed_since`, `ticket_read_by_other` and HelpdeskError.
 */
async function linkOrTakeBack(
  ctx: Call,
  { asked: { ticket }, match, opened }: AgentSync,
  { id, customer, present, adoptedAt, isRepeated }: RecordedSync,
): Promise<void> {
  const forget = () => noteLinkTakenBack(ctx.db, id, ctx.clock());
  const linking = retryIfChanged(async (isFirst) => {
    const now = isFirst ? opened : await openForWriting(ctx, ticket, withoutCrm);
    const read = now.file.ticket;
    // Whoever puts another customer on the ticket at this very moment knows something that the agent does not.
    if (![present, customer].includes(read.customer)) return null;
    const orgId = orgIdChange(read, match.orgId).length > 0 && { orgId: match.orgId };
    const over = { customer: read.customer };
    const write = { data: { customer, ...orgId }, over: read.customer === null ? undefined : over };
    return writeCompanyData(ctx, now, null, write);
  });
  const done = await linking.catch(async (error: unknown) => {
    // What the ticket does not show vouches for nobody. One that was written all the same is synced by pressing again.
    if (!isRepeated) await forget();
    throw error;
  });
  ctx.gate.forgetTicket(ticket);
  if (done !== null && done.refused === null) return;
  await forget();
  const adoption = adoptedAt === null ? null : await syncs.standingAdoption(ctx.db, customer, match.orgId);
  if (adoption?.at === adoptedAt) await releaseCustomer(ctx, adoption);
  throw done?.otherReader == null ? new AppError('changed_since') : AppError.readByOther(ticket, done.otherReader);
}

/** The org id, for a ticket that has none. */
function orgIdChange({ orgIdFields }: Ticket, orgId: OrgId): FieldChange[] {
  const current = orgIdFields.find(({ kind }) => kind === 'current');
  return current !== undefined && !current.value ? [{ field: current.field, from: null, to: orgId }] : [];
}

/** The answer if there was nothing to do, or nothing could be done. */
function nothingDone(file: TicketFile, action: SyncData['action'], status: LookupStatus): SyncData {
  const { name, customer } = file.ticket;
  const ticket = { name, customer, previous_customer: customer, linked: false };
  return { action, status, sync_id: null, ticket, customer: null, company: null, changes: [] };
}

/**
 * Finds the customer that a Sync is about: how to search for it, which one it is now, and whether the company had one. One
 * without an identity of its own, such as one shared by walk-ins, is not turned into this company unless the caller names
 * it; one that is not the ticket's they have to be allowed to write (decision 12: made by hand). Throws `changed_since` if the
 * company has another customer by now, which the named one would be a twin of, `customer_not_writable`,
 * `customer_not_found`, `identity_conflict`, and HelpdeskError.
 */
async function aimSync(ctx: Call, { match, opened, asked: { adopt } }: AgentSync, ofTicket: string | null) {
  const { record } = await findCustomer(ctx, targetOf(match), { ofTicket });
  const isKnown = record !== null;
  if (record !== null) await requireNoOtherReader(ctx, opened, record.name);
  if (adopt === null) return { search: { ofTicket, wantsNew: true } satisfies CustomerClues, record, isKnown };
  if (record !== null && record.name !== adopt) throw new AppError('changed_since');
  // Before anything of the customer is told, a conflict included.
  if (adopt !== ofTicket) await ctx.gate.requireCustomerWrite(ctx.caller, adopt, ctx.signal);
  await requireNoOtherReader(ctx, opened, adopt);
  const search = { passed: adopt };
  return { search, record: (await findCustomer(ctx, targetOf(match), search)).record, isKnown };
}

/** As many as a person compares at a glance. */
const maxCandidates = 5;

/**
 * The customers made by hand that the company may be: the ticket's own, and those of the company's name that the caller
 * may read, if they belong to no company yet. A name alone proves nothing, so a person decides (decision 12: made by
 * hand), who is told which accounts outside the desk hold each. Throws AppError and HelpdeskError.
 */
async function listAdoptable(
  ctx: Call,
  { match, opened }: AgentSync,
  ofTicket: string | null,
): Promise<AdoptionCandidate[]> {
  const { helpdesk, gate, caller, signal } = ctx;
  const name = nameWithoutId(match.company.fields.company_name);
  const names = [name, customerNameFor(name, match.orgId)].filter(Boolean);
  const [ticketsOwn, ...named] = await Promise.all([
    ofTicket === null ? null : helpdesk.customers.read(ofTicket, signal),
    ...names.map((one) => helpdesk.customers.findNamed(one, signal)),
  ]);
  const found = [
    ...(ticketsOwn ? [ticketsOwn] : []),
    ...named.flat().filter((record) => record.name !== ticketsOwn?.name),
  ]
    .filter((record) => record.orgId === null && fitOf(record, targetOf(match)) !== 'other')
    .slice(0, maxCandidates);
  const candidates = await Promise.all(
    found.map(async (record) => {
      const of_ticket = record.name === ticketsOwn?.name;
      const may_adopt = of_ticket || (await may(gate.requireCustomerWrite(caller, record.name, signal)));
      const reading = () => explainCustomerRefusal(helpdesk.rights.requireCustomerRead(caller, record.name, signal));
      if (!may_adopt && !(await may(reading()))) return [];
      const outsiders = await outsidersOf(ctx, record.name, opened.sender.sender);
      return [{ name: record.name, of_ticket, may_adopt, outsiders }];
    }),
  );
  return candidates.flat();
}

const refusals: ReadonlySet<string> = new Set(['customer_not_writable', 'customer_not_readable', 'customer_not_found']);

/** Whether the helpdesk lets the caller. */
async function may(asked: Promise<void>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    if (error instanceof AppError && refusals.has(error.code)) return false;
    throw error;
  }
}

export const syncEndpoint = endpoint(contract.syncTicketCustomer, {
  who: 'agent',
  handle: (ctx, asked) => (asked.action === 'undo' ? undoSync(ctx, asked) : syncTicketCustomer(ctx, asked)),
  message: syncMessage,
  success: ({ status }) => status === 'matched' || status === 'cached',
});

const syncedMessages: Readonly<Record<SyncData['action'], string>> = {
  preview: 'Nothing has been changed yet.',
  apply: 'Customer synced.',
  undo: 'Sync undone. The history of the ticket keeps what it showed.',
};

function syncMessage({ action, status }: SyncData): string {
  if (status === 'matched' || status === 'cached') return syncedMessages[action];
  return status === 'missing_orgid' ? 'Ticket has no Company ID.' : enrichmentMessages[status];
}
