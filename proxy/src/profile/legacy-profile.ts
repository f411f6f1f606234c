import { contract } from '@deskside/shared/contract';
import type { CustomerRefreshData } from '@deskside/shared/enrichment';
import { legacyCustomer } from '@deskside/shared/legacy-customer';
import type { OrgId } from '@deskside/shared/orgid';
import type { Context } from '#context.ts';
import { refreshMessage, refreshWithCompany } from '#customers/refresh-customer.ts';
import { endpoint } from '#endpoint.ts';
import type { Caller } from '#helpdesk/credentials.ts';
import type { TicketFile } from '#helpdesk/tickets.ts';
import { orderCandidates } from '#intake/org-id.ts';
import { hideServiceRefusal } from '#runtime/app-error.ts';
import type { CrmCompany } from '#store/profile-cache.ts';
import { isHeld } from '#trust/claims.ts';
import { judgeMatch } from '#trust/evidence.ts';
import { recordResponsible } from './follow-up.ts';

interface LegacyInput {
  caller: Caller;
  ticket: string;
  refresh: boolean;
}

/**
 * The profile as the older panel expects it (docs/api.md#legacy-profile): what the helpdesk has, without asking the CRM
 * unless a refresh is requested. Throws AppError if the caller may not see it and if the helpdesk fails.
 */
export async function getLegacyProfile(
  ctx: Context,
  { caller, ticket, refresh }: LegacyInput,
  signal: AbortSignal,
): Promise<CustomerRefreshData> {
  const file = await ctx.gate.openTicket(caller, ticket, signal);
  const { customer, contact } = file;
  if (customer === null) return withoutCustomer(file);
  if (refresh) {
    const asked = { caller, customer: customer.name, contact: contact?.name ?? null };
    const { data, company } = await refreshWithCompany(ctx, asked, signal);
    ctx.gate.forgetTicket(ticket);
    const orgId = await orgIdToTell(ctx, file, company, signal);
    if (orgId !== null) recordResponsible(ctx, file.ticket, { orgId, owner: data.bitrix.responsible });
    return data;
  }
  const { crmCompanyId, crmCompanyUrl } = customer;
  return {
    ticket: ticketOf(file),
    customer: legacyCustomer(customer.record),
    contact,
    haravan: ctx.accountLinks ? await hideServiceRefusal(ctx.accountLinks.of(customer.name, signal)) : [],
    bitrix: {
      enabled: null,
      configured: null,
      status: customer.syncStatus ?? 'local',
      cached: true,
      company:
        crmCompanyId === null
          ? null
          : { id: crmCompanyId, title: customer.record.customer_name ?? customer.name, url: crmCompanyUrl },
      contact: null,
      responsible: null,
    },
  };
}

/** The customer's org id, if trust lets the sender read on the ticket who looks after it (docs/decisions.md 9); else null. */
async function orgIdToTell(
  ctx: Context,
  { ticket, customer }: TicketFile,
  company: CrmCompany | null,
  signal: AbortSignal,
): Promise<OrgId | null> {
  const [candidate] = orderCandidates([], customer).candidates;
  if (candidate === undefined) return null;
  const { trust } = await hideServiceRefusal(judgeMatch(ctx, { ticket, candidate, company }, signal));
  return isHeld({ org_id: { trust } }, ctx.routing.claims) ? null : candidate.orgId;
}

function withoutCustomer(file: TicketFile): CustomerRefreshData {
  return {
    ticket: ticketOf(file),
    customer: null,
    contact: file.contact,
    haravan: [],
    bitrix: { enabled: false, configured: false, status: 'idle', company: null, contact: null, responsible: null },
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
  handle: (ctx, asked) => getLegacyProfile(ctx, { ...asked, caller: ctx.caller }, ctx.signal),
  message: refreshMessage,
});
