import { contract } from '@deskside/shared/contract';
import type { CustomerRefreshData } from '@deskside/shared/enrichment';
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
import { alternativesOf, chooseContact, findOwner, type Lookup } from '#crm/lookup.ts';
import { legacyCustomer, profileMessage, refreshCustomer, refreshMessage } from '#customers/refresh.ts';
import { hideServiceRefusal } from '#helpdesk/errors.ts';
import type { TicketFile } from '#helpdesk/ticket-file.ts';
import { type Candidate, orgIdOfCustomer } from '#intake/org-id.ts';
import { namesOf } from '#routing/explain.ts';
import type { Rejection } from '#store/rejections.ts';
import { isSameTicket } from '#store/schema.ts';
import * as syncs from '#store/syncs.ts';
import { emailsOf, type JudgedCompany, openCase, type TicketCase } from '#trust/case.ts';
import { namedCompanies } from '#trust/companies.ts';
import { followUp, leaderShown, recordResponsible } from './follow-up.ts';

/** The whole response takes at most five seconds (decision 3: deadlines); this is the share of CRM and judgement. */
const answerWithinMs = 4_500;

/**
 * The customer profile of a ticket (docs/api.md#profile). Where the ticket and its customer name different companies, the
 * better vouched for is shown and the others are named (decision 10: who leads), of equals the one that an agent chose
 * for this sender earlier. What an agent has rejected is none of them (decision 13: wrong customer). Throws AppError if
 * the caller may not see it or refreshes too often, and if the helpdesk fails; whatever the CRM does is a status in the
 * answer. `known`: only what is known without asking the CRM.
 */
export async function getProfile(
  ctx: Call,
  { ticket, refresh, known = false }: { ticket: string; refresh: boolean; known?: boolean | undefined },
): Promise<ProfileData> {
  const startedAt = ctx.clock();
  const left = () => Math.max(0, startedAt + answerWithinMs - ctx.clock());
  const crmLeft = () => Math.min(left(), ctx.crmTimeoutMs);

  const file = await ctx.gate.openTicket(ctx.caller, ticket, ctx.signal);
  if (refresh) ctx.refreshes.spend(await ctx.gate.requireAgent(ctx.caller, ctx.signal));
  const opened = await openCase(ctx, file, { lane: 'click', refresh, leavesCrm: known, left });
  const leavesCrm =
    known && opened.companies.some(({ isRejected }) => !isRejected) && ctx.crmEnabled && ctx.crm !== null;
  const leader = leaderShown(opened);
  const bitrix = await crmBlock(ctx, { opened, refresh, startedAt, crmLeft });
  const accountLinks = peekAccountLinks(ctx, file);
  followUp(ctx, { opened, refresh, responsible: bitrix.responsible, accountLinks });
  return {
    ticket: file.ticket.record,
    customer: file.customer,
    contact: file.contact,
    haravan: accountLinks ?? [],
    bitrix,
    names: await namesOf(ctx, agentsIn(bitrix)),
    pending: [
      ...(leader?.trust === null ? (['lookup_trust'] as const) : []),
      ...(accountLinks === null ? (['haravan'] as const) : []),
      ...(leavesCrm ? (['crm'] as const) : []),
    ],
    notes: opened.unusable.map((field) => ({ code: 'orgid_unusable' as const, field })),
  };
}

/** The customer's platform accounts as far as they are known, and null if they are not. */
function peekAccountLinks({ accountLinks, remembered }: Context, { customer }: TicketFile): AccountLink[] | null {
  if (customer === null || !accountLinks?.areThere()) return [];
  return remembered.accountLinks.peek(customer.name, (signal) => accountLinks.of(customer.name, signal)) ?? null;
}

/** How a profile is shown. */
interface View {
  opened: TicketCase;
  /** Whether the account owner is asked for again, too. */
  refresh: boolean;
  startedAt: number;
  /** How many milliseconds the CRM may still take. */
  crmLeft: () => number;
}

/** What the CRM has for a ticket: the company that leads, those that are named beside it, and those rejected. */
async function crmBlock(ctx: Call, view: View): Promise<CrmBlock> {
  const { opened } = view;
  const leader = leaderShown(opened);
  const standing = opened.companies.filter(({ isRejected }) => !isRejected);
  const { companies, otherwise } = namedCompanies(
    standing.flatMap(({ lookup, ...company }) => (lookup === null ? [] : [{ ...company, lookup }])),
  );
  const lookup = leader?.lookup ?? otherwise?.lookup ?? null;
  const status = standing.length === 0 ? 'missing_orgid' : ctx.crmEnabled ? 'missing_config' : 'disabled';
  const others = companies.filter(({ candidate }) => candidate !== leader?.candidate);
  const [leading, also_named, adoption] = await Promise.all([
    lookup ? companyFile(ctx, lookup, view) : nothingLooked(status),
    Promise.all(
      others.flatMap((other) => alsoNamed(other, companyFile(ctx, other.lookup, { ...view, refresh: false }))),
    ),
    // Without our own records there is nothing to say about it.
    leader ? adoptionBlock(ctx, opened, leader.candidate).catch(() => ({})) : {},
  ]);
  return {
    ...leading,
    enabled: ctx.crmEnabled,
    configured: ctx.crm !== null,
    lookup_candidates: standing.map(({ candidate }) => candidate.orgId),
    lookup_value: lookup?.value ?? null,
    lookup_trust: leader?.trust ?? null,
    also_named,
    rejected: opened.rejections.map(rejectedOf),
    ...adoption,
  };
}

/**
 * Whether the ticket's customer, made by hand, became the leading company by this ticket (decision 12: made by hand), or may be
 * it, as its last decision says.
 */
async function adoptionBlock(
  ctx: Context,
  { file: { ticket, customer }, latest }: TicketCase,
  { orgId }: Pick<Candidate, 'orgId'>,
): Promise<Pick<CrmBlock, 'adoption' | 'adopted'>> {
  if (customer === null) return {};
  const { name } = customer;
  const held = orgIdOfCustomer(customer);
  if (held !== null) {
    const adoption = held === orgId ? await syncs.standingAdoption(ctx.db, name, orgId) : null;
    // Where an undo would surprise nobody: on the ticket with which it became the company.
    if (adoption === null || !isSameTicket(adoption.ticket, ticket)) return {};
    const { id, by, via, at } = adoption;
    return { adopted: { id, customer: name, by, via, at: new Date(at).toISOString() } };
  }
  const offered = latest?.inputs.org_id?.value === orgId ? latest.inputs.adoption : undefined;
  if (offered?.customer !== name || offered.done) return {};
  return { adoption: { customer: name } };
}

/** The agents whose word the profile tells. */
function agentsIn({ lookup_trust, also_named, rejected, adopted }: CrmBlock): string[] {
  const trusts = [lookup_trust, ...also_named.map(({ trust }) => trust)];
  const vouching = trusts.flatMap((trust) => trust?.evidence.filter(({ code }) => code.endsWith('_agent')) ?? []);
  const users = [...vouching.map(({ value }) => value), ...rejected.map(({ agent }) => agent), adopted?.by];
  return users.filter((user) => typeof user === 'string');
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

function alsoNamed(
  { candidate, lookup, trust }: JudgedCompany & { lookup: Lookup },
  file: Promise<CompanyFile>,
): Promise<AlsoNamed>[] {
  const { orgId, source, field } = candidate;
  return lookup.companies.slice(0, 1).map(async ({ fields: { bitrix_id, company_name, url } }) => ({
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
  lookup: Lookup,
  { opened: { file }, refresh, startedAt, crmLeft }: View,
): Promise<CompanyFile> {
  const block: CompanyFile = {
    ...nothingLooked(lookup.status),
    outcome: lookup.outcome,
    cached: lookup.status === 'cached',
    stale: lookup.stale,
    as_of: lookup.checkedAt ? new Date(lookup.checkedAt).toISOString() : null,
    error: lookup.error ? { code: lookup.error, request_id: ctx.requestId } : null,
  };
  const company = lookup.companies[0];
  if (!company || !ctx.crm) return block;
  return {
    ...block,
    company: { ...company.fields, ...planStatus(company.planExpiresAt, ctx.clock()) },
    contact: chooseContact(company.contacts, emailsOf(file)),
    responsible: await findOwner(ctx.crm, {
      id: company.fields.assigned_by_id,
      // A CRM that has just failed is not asked for anything else.
      refresh: refresh && lookup.error === null,
      startedAt,
      deadlineMs: crmLeft(),
    }),
    alternatives: alternativesOf(lookup.companies),
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

export const profileEndpoint = endpoint(contract.customerProfile, {
  who: 'agent',
  handle: getProfile,
  message: ({ bitrix }) => profileMessage(bitrix),
});

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
    const data = await refreshCustomer(ctx, { hd_customer: customer.name, contact: contact?.name ?? null });
    ctx.gate.forgetTicket(ticket);
    const orgId = orgIdOfCustomer(customer);
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
