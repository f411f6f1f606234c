import { contract } from '@deskside/shared/contract';
import type { FindData, FoundCompany } from '@deskside/shared/find';
import { normalizePhone } from '@deskside/shared/phone';
import type { Context } from '#context.ts';
import { planStatus } from '#crm/company.ts';
import { lookupCompany } from '#crm/lookup.ts';
import type { SearchAnswer } from '#crm/search.ts';
import { endpoint } from '#endpoint.ts';
import type { Caller } from '#helpdesk/credentials.ts';
import type { CustomerSearchResult } from '#helpdesk/customer-search.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import type { Helpdesk } from '#helpdesk/helpdesk.ts';
import type { TicketFile } from '#helpdesk/tickets.ts';
import { type Reading, readQuery } from '#intake/read-query.ts';
import { AppError } from '#runtime/app-error.ts';
import { standing } from '#store/rejections.ts';
import { isRejected } from '#trust/companies.ts';
import { earlierChoices, senderAddress } from '#trust/evidence.ts';
import { type Found, mergeHits, orderFound } from './found-companies.ts';

/** As many as a person compares. */
const mostShown = 10;

/** As many as are proposed to somebody who has not asked. */
const mostProposed = 3;

/** How long somebody waits for what the CRM adds to a company that only the helpdesk found. */
const completeWithinMs = 2_000;

interface Asked {
  caller: Caller;
  ticket: string;
  /** Without it: by the ticket's sender. */
  query?: string | undefined;
  requestId: string;
}

/**
 * Finds the companies that an agent may mean by what they typed (docs/api.md#find-company), for a ticket that they may
 * read: in the helpdesk as themselves, and in the CRM. Either may fail and is then named; what the other has is still
 * found. Throws what `openTicket` throws, and `rate_limited`.
 */
export async function findCompanies(
  ctx: Context,
  { caller, ticket, query, requestId }: Asked,
  signal: AbortSignal,
): Promise<FindData> {
  const agent = await ctx.gate.requireAgent(caller, signal);
  const file = await ctx.gate.openTicket(caller, ticket, signal);
  if (query === undefined) return findBySender(ctx, file, requestId);
  const opened = file.ticket;
  const { name } = opened;
  const readings = readQuery(query, ctx.hosts);
  if (readings.length === 0) return nothing(ctx, name);
  const { customers, crm, found, shownFirst } = await ctx.limitSearches(agent, signal, async () => {
    const [customers, crm, choices] = await Promise.all([
      searchHelpdesk(ctx.helpdesk, caller, readings, signal),
      searchCrm(ctx, readings),
      // They order what is found; without them it is found all the same.
      earlierChoices(ctx, opened).catch(() => []),
    ]);
    const found = orderFound(mergeHits(readings, { ...customers, companies: crm.companies }), choices);
    const first = found.slice(0, mostShown);
    return { customers, crm, found, shownFirst: crm.status === 'searched' ? await complete(ctx, first) : first };
  });
  const { failed } = crm;
  const now = ctx.clock();
  return {
    ticket: name,
    read_as: readings.map(({ kind }) => kind),
    companies: shownFirst.map((one) => shown(one, now)),
    more: found.length > mostShown || customers.isCut || crm.isCut,
    helpdesk: { status: customers.status },
    crm: { status: crm.status, error: failed && { code: failed, request_id: requestId } },
  };
}

/**
 * The companies that have the sender's address or, if none has it, their telephone: at most three, none that an agent has
 * rejected for them. It costs the CRM one request a ticket, in the lane of those for whom nobody waits, and nothing while
 * the answer is remembered.
 */
async function findBySender(ctx: Context, { ticket, contact }: TicketFile, requestId: string): Promise<FindData> {
  const { name } = ticket;
  const sender = senderAddress(ticket.origin);
  const phone = [contact?.mobile_no, contact?.phone].map((number) => normalizePhone(number ?? '')).find(Boolean);
  const readings: Reading[] = [
    ...(sender ? [{ kind: 'email' as const, value: sender }] : []),
    ...(phone ? [{ kind: 'phone' as const, value: phone }] : []),
  ];
  if (readings.length === 0) return nothing(ctx, name);
  const key = JSON.stringify([name, readings]);
  const known = ctx.remembered.bySender.get(key);
  const crm = known ? { ...known, status: 'searched' as const } : await searchCrm(ctx, readings, 'open');
  if (crm.status === 'searched') ctx.remembered.bySender.set(key, crm);
  const rejections = await standing(ctx.db, ticket, sender);
  const found = orderFound(mergeHits(readings, { companies: crm.companies, customers: [] }), []).filter(
    ({ orgId, crmId }) => orgId !== null && !isRejected({ orgId, crmCompanyId: crmId }, rejections),
  );
  const byAddress = found.filter(({ reasons }) => reasons.some(({ by }) => by === 'email'));
  const proposed = byAddress.length > 0 ? byAddress : found;
  const now = ctx.clock();
  return {
    ticket: name,
    read_as: readings.map(({ kind }) => kind),
    companies: proposed.slice(0, mostProposed).map((one) => shown(one, now)),
    more: proposed.length > mostProposed || crm.isCut,
    helpdesk: { status: 'searched' },
    crm: { status: crm.status, error: crm.failed && { code: crm.failed, request_id: requestId } },
  };
}

async function searchHelpdesk(
  helpdesk: Helpdesk,
  caller: Caller,
  readings: readonly Reading[],
  signal: AbortSignal,
): Promise<CustomerSearchResult & { status: FindData['helpdesk']['status'] }> {
  try {
    return { ...(await helpdesk.customerSearch.searchAs(caller, readings, signal)), status: 'searched' };
  } catch (error) {
    if (!(error instanceof HelpdeskError)) throw error;
    if (error.kind === 'unauthenticated') throw AppError.of(error);
    return { customers: [], isCut: false, status: error.kind === 'forbidden' ? 'not_permitted' : 'failed' };
  }
}

async function searchCrm(
  { crm, crmEnabled }: Context,
  readings: readonly Reading[],
  lane?: 'open',
): Promise<SearchAnswer & { status: FindData['crm']['status'] }> {
  const none = { companies: [], isCut: false, failed: null };
  if (!crmEnabled) return { ...none, status: 'disabled' };
  if (crm === null) return { ...none, status: 'missing_config' };
  const answer = await crm.search(readings, lane);
  return { ...answer, status: answer.failed === null ? 'searched' : 'failed' };
}

/**
 * What the helpdesk alone has, as the CRM knows it by its org id: all in one request, and the Sync that follows needs
 * that answer anyway. What the CRM does not have, or not in time, stays as the helpdesk has it.
 */
async function complete({ crm }: Context, found: readonly Found[]): Promise<Found[]> {
  if (crm === null) return [...found];
  const how = { by: 'platform_orgid_then_company_id', refresh: false, acceptsStale: true } as const;
  return Promise.all(
    found.map(async (one) => {
      if (one.crmId !== null || one.orgId === null) return one;
      const looked = await lookupCompany(crm, { ...how, orgId: one.orgId, deadlineMs: completeWithinMs });
      const [company] = looked.companies;
      if (company === undefined) return one;
      const { bitrix_id: crmId, company_name, url, current_shopplan } = company.fields;
      const { planExpiresAt, modifiedAt } = company;
      const of = { crmId, url, planExpiresAt, modifiedAt };
      return { ...one, ...of, name: company_name ?? one.name, plan: current_shopplan };
    }),
  );
}

function nothing({ crm, crmEnabled }: Context, ticket: string): FindData {
  const status = crmEnabled ? (crm ? 'searched' : 'missing_config') : 'disabled';
  return {
    ticket,
    read_as: [],
    companies: [],
    more: false,
    helpdesk: { status: 'searched' },
    crm: { status, error: null },
  };
}

function shown(
  { orgId, crmId, name, url, plan, planExpiresAt, customer, twins, reasons }: Found,
  now: number,
): FoundCompany {
  const { shopplan_status: plan_status, shopplan_days_left: plan_days_left } = planStatus(planExpiresAt, now);
  return {
    org_id: orgId,
    bitrix_id: crmId,
    name,
    url,
    plan,
    customer,
    same_org_id: twins,
    ...(plan_status !== undefined && { plan_status }),
    ...(plan_days_left !== undefined && { plan_days_left }),
    found_by: reasons.map(({ by, value, person }) => ({ by, value, person })),
  };
}

export const findEndpoint = endpoint(contract.findCompanies, {
  who: 'agent',
  handle: (ctx, asked) => findCompanies(ctx, { ...asked, caller: ctx.caller, requestId: ctx.requestId }, ctx.signal),
  message: findMessage,
});

function findMessage({ read_as, companies, crm, helpdesk }: FindData): string {
  if (read_as.length === 0) return 'Nothing to search for.';
  if (companies.length > 0) return 'Companies found.';
  return crm.status === 'failed' || helpdesk.status === 'failed' ? 'The search failed in part.' : 'No company found.';
}
