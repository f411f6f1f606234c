import { contract } from '@deskside/shared/contract';
import type { CustomerRefreshData } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import type {
  AccountLink,
  AlsoNamed,
  CompanyFile,
  CrmBlock,
  ProfileData,
  RejectedCompany,
} from '@deskside/shared/profile';
import type { LookupStatus } from '@deskside/shared/status';
import { type Call, type Context, endpoint } from '#context.ts';
import { planStatus } from '#crm/company.ts';
import { alternativesOf, chooseContact, findOwner, type Lookup, lookupCompany } from '#crm/lookup.ts';
import { legacyCustomer, profileMessages, refreshMessage, refreshWithLookup } from '#customers/refresh.ts';
import { hideServiceRefusal } from '#helpdesk/errors.ts';
import type { Ticket, TicketFile } from '#helpdesk/tickets.ts';
import { type Candidate, orderCandidates } from '#intake/org-id.ts';
import { withDeadline } from '#runtime/concurrency.ts';
import { machine } from '#runtime/machine.ts';
import * as decisions from '#store/decisions.ts';
import type { Rejection } from '#store/rejections.ts';
import * as syncs from '#store/syncs.ts';
import { isHeld, isRejected, leaderOf, namedCompanies } from '#trust/companies.ts';
import { candidatesOf, judgeMatch, ticketFacts } from '#trust/evidence.ts';
import type { TicketFacts } from '#trust/judge.ts';
import { type Found, followUp, type Judged, recordResponsible } from './follow-up.ts';

interface ProfileInput {
  ticket: string;
  refresh: boolean;
  /** Only what is known without asking the CRM. */
  known?: boolean | undefined;
}

/** The whole response takes at most five seconds (docs/decisions.md 3); this is the share of CRM and judgement. */
const answerWithinMs = 4_500;
/** How long a judgement goes on that came too late for its own response: the next one has it. */
const judgeWithinMs = 20_000;

/**
 * The customer profile of a ticket (docs/api.md#profile). Where the ticket and its customer name different companies, the
 * better vouched for is shown and the others are named (docs/decisions.md 10), of equals the one that an agent chose for
 * this sender earlier. What an agent has rejected is none of them (docs/decisions.md 13). Throws AppError if the caller may
 * not see it or refreshes too often, and if the helpdesk fails; whatever the CRM does is a status in the answer.
 */
export async function getProfile(ctx: Call, { ticket, refresh, known = false }: ProfileInput): Promise<ProfileData> {
  const startedAt = ctx.clock();
  const left = () => Math.max(0, startedAt + answerWithinMs - ctx.clock());
  const crmLeft = () => Math.min(left(), ctx.crmTimeoutMs);

  const file = await ctx.gate.openTicket(ctx.caller, ticket, ctx.signal);
  if (refresh) ctx.refreshes.spend(await ctx.gate.requireAgent(ctx.caller, ctx.signal));
  const facts = ticketFacts({ ...ctx, signal: machine.timeout(answerWithinMs) }, file.ticket);
  facts.catch(() => {});
  // Without our own records nothing is confirmed by them, but the profile is still of use.
  const named = await candidatesOf(ctx, file).catch(() => ({
    ...orderCandidates(file.ticket.orgIdFields, file.customer),
    rejections: [],
  }));
  const leavesCrm = known && named.candidates.length > 0 && ctx.crmEnabled && ctx.crm !== null;
  const found = leavesCrm ? [] : await lookUp(ctx, named.candidates, { refresh, senders: emailsOf(file), crmLeft });
  const judging = { ticket: file.ticket, facts, rejections: named.rejections };
  const judged = await judgeCompanies(ctx, judging, namedCompanies(found).companies, left);
  const leader = leaderOf(judged);
  const asked = { file, refresh, startedAt, crmLeft };
  const bitrix = await crmBlock(ctx, asked, { ...named, found, judged, leader });
  const accountLinks = peekAccountLinks(ctx, file);
  followUp(ctx, { file, found, leader, responsible: bitrix.responsible, accountLinks });
  return {
    ticket: file.ticket.record,
    customer: file.customer,
    contact: file.contact,
    haravan: accountLinks ?? [],
    bitrix,
    pending: [
      ...(leader?.trust === null ? (['lookup_trust'] as const) : []),
      ...(accountLinks === null ? (['haravan'] as const) : []),
      ...(leavesCrm ? (['crm'] as const) : []),
    ],
    notes: named.unusable.map((field) => ({ code: 'orgid_unusable' as const, field })),
  };
}

async function lookUp(
  { crm, crmEnabled }: Context,
  candidates: Candidate[],
  { refresh, senders, crmLeft }: { refresh: boolean; senders: string[]; crmLeft: () => number },
): Promise<Found[]> {
  if (!crmEnabled || !crm) return [];
  // All at once, so that they go out in one request.
  return Promise.all(
    candidates.map(async (candidate) => {
      const how = { refresh, senders, acceptsStale: true, deadlineMs: crmLeft() };
      return { candidate, looked: await lookupCompany(crm, { orgId: candidate.orgId, ...how }) };
    }),
  );
}

/**
 * Who vouches for which company, within `left` milliseconds. What is not judged in time stays unknown: the next answer has it.
 *
 * @param facts of the ticket, which have been asked for already
 */
function judgeCompanies(
  ctx: Context,
  { ticket, facts, rejections }: { ticket: Ticket; facts: Promise<TicketFacts>; rejections: readonly Rejection[] },
  companies: Found[],
  left: () => number,
): Promise<Judged[]> {
  const within = { ...ctx, signal: machine.timeout(judgeWithinMs) };
  return Promise.all(
    companies.map(async (found) => {
      const match = async () => judgeMatch(within, { ticket, ...found, facts: await facts });
      const judgement = await withDeadline(
        match().catch(() => 'failed' as const),
        left(),
      );
      if (judgement !== 'timeout' && judgement !== 'failed') return { ...found, ...judgement };
      const ids = { orgId: found.candidate.orgId, crmCompanyId: found.looked.companies[0]?.fields.bitrix_id ?? null };
      return { ...found, trust: null, hasOpenClaim: false, isRejected: isRejected(ids, rejections) };
    }),
  );
}

/** The customer's platform accounts as far as they are known, and null if they are not. */
function peekAccountLinks({ accountLinks, remembered }: Context, { customer }: TicketFile): AccountLink[] | null {
  if (customer === null || !accountLinks?.areThere()) return [];
  return remembered.accountLinks.peek(customer.name, (signal) => accountLinks.of(customer.name, signal)) ?? null;
}

interface Asked {
  file: TicketFile;
  /** Whether the account owner is asked for again, too. */
  refresh: boolean;
  startedAt: number;
  /** How many milliseconds the CRM may still take. */
  crmLeft: () => number;
}

/** The ticket's companies: its org ids in order, those looked up, those judged, and the one of these that leads. */
interface Companies {
  candidates: Candidate[];
  rejections: Rejection[];
  found: Found[];
  judged: Judged[];
  leader: Judged | undefined;
}

/**
 * What the CRM has for a ticket: the company that leads, those that are named beside it, and those rejected.
 */
async function crmBlock(ctx: Call, asked: Asked, companies: Companies): Promise<CrmBlock> {
  const { found, judged, leader } = companies;
  // The CRM may have a rejected company under another org id as well.
  const dropped = new Set(judged.flatMap((one) => (one.isRejected ? [one.candidate] : [])));
  const candidates = companies.candidates.filter((one) => !dropped.has(one));
  const { otherwise } = namedCompanies(found.filter(({ candidate }) => !dropped.has(candidate)));
  const looked = (leader ?? otherwise)?.looked ?? null;
  const others = judged.filter((company) => company !== leader && !company.isRejected);
  const status = candidates.length === 0 ? 'missing_orgid' : ctx.crmEnabled ? 'missing_config' : 'disabled';
  const fileOf = (other: Judged) => companyFile(ctx, other.looked, { ...asked, refresh: false });
  const [leading, also_named, adoption] = await Promise.all([
    looked ? companyFile(ctx, looked, asked) : nothingLooked(status),
    Promise.all(others.flatMap((other) => alsoNamed(other, fileOf(other)))),
    // Without our own records there is nothing to say about it.
    leader ? adoptionBlock(ctx, asked.file, leader.candidate).catch(() => ({})) : {},
  ]);
  return {
    ...leading,
    enabled: ctx.crmEnabled,
    configured: ctx.crm !== null,
    lookup_candidates: candidates.map((c) => c.orgId),
    lookup_value: looked?.value ?? null,
    lookup_trust: leader?.trust ?? null,
    also_named,
    rejected: companies.rejections.map(rejectedOf),
    ...adoption,
  };
}

/**
 * Whether the ticket's customer, made by hand, became the leading company (docs/decisions.md 12), or may be it, as its last
 * decision says.
 */
async function adoptionBlock(
  ctx: Context,
  { ticket, customer }: TicketFile,
  { orgId }: Pick<Candidate, 'orgId'>,
): Promise<Pick<CrmBlock, 'adoption' | 'adopted'>> {
  if (customer === null) return {};
  const { name } = customer;
  const [held] = orderCandidates([], customer).candidates;
  if (held !== undefined) {
    const adoption = held.orgId === orgId ? await syncs.standingAdoption(ctx.db, name, orgId) : null;
    if (adoption === null) return {};
    const { id, by, via, at } = adoption;
    return { adopted: { id, customer: name, by, via, at: new Date(at).toISOString() } };
  }
  const latest = await decisions.latest(ctx.db, ticket);
  const offered = latest?.inputs.org_id?.value === orgId ? latest.inputs.adoption : undefined;
  if (offered?.customer !== name || offered.done) return {};
  return { adoption: { customer: name } };
}

function rejectedOf({ id, orgId, crmCompanyId, companyName, agent, reason, at, ticket }: Rejection): RejectedCompany {
  return {
    id,
    org_id: orgId,
    bitrix_id: crmCompanyId,
    company_name: companyName,
    agent,
    reason,
    at: new Date(at).toISOString(),
    ticket: ticket.name,
  };
}

function alsoNamed({ candidate, looked, trust }: Judged, file: Promise<CompanyFile>): Promise<AlsoNamed>[] {
  const { orgId, source, field } = candidate;
  return looked.companies.slice(0, 1).map(async ({ fields: { bitrix_id, company_name, url } }) => ({
    org_id: orgId,
    source,
    field,
    bitrix_id,
    company_name,
    url,
    trust,
    file: await file,
  }));
}

/** What a look-up found, with the contact who is the ticket's and the account owner. Throws nothing. */
async function companyFile(
  ctx: Call,
  looked: Lookup,
  { file, refresh, startedAt, crmLeft }: Asked,
): Promise<CompanyFile> {
  const block: CompanyFile = {
    ...nothingLooked(looked.status),
    outcome: looked.outcome,
    cached: looked.status === 'cached',
    stale: looked.stale,
    as_of: looked.checkedAt ? new Date(looked.checkedAt).toISOString() : null,
    error: looked.error ? { code: looked.error, request_id: ctx.requestId } : null,
  };
  const company = looked.companies[0];
  if (!company || !ctx.crm) return block;
  return {
    ...block,
    company: { ...company.fields, ...planStatus(company.planExpiresAt, ctx.clock()) },
    contact: chooseContact(company.contacts, emailsOf(file)),
    responsible: await findOwner(ctx.crm, {
      id: company.fields.assigned_by_id,
      // A CRM that has just failed is not asked for anything else.
      refresh: refresh && looked.error === null,
      startedAt,
      deadlineMs: crmLeft(),
    }),
    alternatives: alternativesOf(looked.companies),
  };
}

/** Where nothing was looked up. */
function nothingLooked(status: LookupStatus): CompanyFile {
  return {
    status,
    outcome: null,
    cached: false,
    stale: false,
    as_of: null,
    error: null,
    company: null,
    contact: null,
    responsible: null,
    alternatives: [],
  };
}

function emailsOf({ ticket, contact }: TicketFile): string[] {
  return [contact?.email_id, ticket.origin.raisedBy].flatMap((email) => email || []);
}

export const profileEndpoint = endpoint(contract.customerProfile, {
  who: 'agent',
  handle: getProfile,
  message: ({ bitrix }) => profileMessages[bitrix.status],
  lasts: (profile, { refresh }) => !refresh && isWhole(profile),
});

/** Whether nothing of a profile is missing, old or failed. */
function isWhole({ pending, bitrix }: ProfileData): boolean {
  const companies = [bitrix, ...bitrix.also_named.map(({ file, trust }) => ({ ...file, lookup_trust: trust }))];
  return (
    pending.length === 0 &&
    companies.every(
      ({ company, stale, error, lookup_trust }) => !stale && error === null && (company === null || lookup_trust),
    )
  );
}

/**
 * The profile as the older panel expects it (docs/api.md#refresh): what the helpdesk has, without asking the CRM
 * unless a refresh is requested. Throws AppError if the caller may not see it and if the helpdesk fails.
 */
export async function getLegacyProfile(
  ctx: Call,
  { ticket, refresh }: { ticket: string; refresh: boolean },
): Promise<CustomerRefreshData> {
  const { caller, signal } = ctx;
  const file = await ctx.gate.openTicket(caller, ticket, signal);
  const { customer, contact } = file;
  const asked = { ticket: ticketOf(file), contact };
  if (customer === null) {
    const nothing = { status: 'idle', company: null, contact: null, responsible: null } as const;
    return { ...asked, customer: null, haravan: [], bitrix: { enabled: false, configured: false, ...nothing } };
  }
  if (refresh) {
    const named = { hd_customer: customer.name, contact: contact?.name ?? null };
    const { data, looked } = await refreshWithLookup(ctx, named);
    ctx.gate.forgetTicket(ticket);
    const orgId = await orgIdToTell(ctx, file, looked);
    if (orgId !== null) recordResponsible(ctx, file.ticket, { orgId, owner: data.bitrix.responsible });
    return data;
  }
  const { custom_crm_company_id: id, custom_crm_company_url: url } = customer;
  return {
    ...asked,
    customer: legacyCustomer(customer),
    haravan: ctx.accountLinks ? await hideServiceRefusal(ctx.accountLinks.of(customer.name, signal)) : [],
    bitrix: {
      enabled: null,
      configured: null,
      status: customer.custom_crm_sync_status ?? 'local',
      cached: true,
      company: id === null ? null : { id, title: customer.customer_name ?? customer.name, url },
      contact: null,
      responsible: null,
    },
  };
}

/** The customer's org id, if trust lets the sender read on the ticket who looks after it (docs/decisions.md 9); else null. */
async function orgIdToTell(ctx: Call, { ticket, customer }: TicketFile, looked: Lookup | null): Promise<OrgId | null> {
  const [candidate] = orderCandidates([], customer).candidates;
  if (candidate === undefined) return null;
  const { trust } = await hideServiceRefusal(judgeMatch(ctx, { ticket, candidate, looked }));
  return isHeld({ org_id: { trust } }, ctx.routing.claims) ? null : candidate.orgId;
}

function ticketOf({ ticket }: TicketFile) {
  const orgIdIn = (wanted: 'current' | 'profile') =>
    ticket.orgIdFields.find(({ kind }) => kind === wanted)?.value || null;
  return {
    name: ticket.name,
    customer: ticket.customer,
    contact: ticket.contact,
    raised_by: ticket.origin.raisedBy,
    orgid: orgIdIn('current'),
    profile_orgid: orgIdIn('profile'),
  };
}

export const legacyProfileEndpoint = endpoint(contract.legacyProfile, {
  who: 'agent',
  handle: getLegacyProfile,
  message: refreshMessage,
});
